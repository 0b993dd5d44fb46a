"""Every error a caller can meet: code, HTTP status, whether a retry can help, and the fix in one sentence.

VerbenaError
├── RequestError        the call itself is wrong or not allowed
├── MoneyError          the wallet or a bound says no
├── JobError            the state of a job or of an idempotency key says no
├── ReadError           one URL could not be read (the code of a failed row)
├── ProviderError       the provider engine's verdicts (upper-case codes)
└── InternalError       our fault, or a store's
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar


class VerbenaError(Exception):
    """A typed failure. The message never holds a secret; `details` is JSON-serialisable."""

    code: ClassVar[str]
    status: ClassVar[int]
    retryable: ClassVar[bool] = False
    fix: ClassVar[str]
    attempts: Sequence[Any] = ()
    """The providers that were asked before, for the envelope of the failed call."""
    request_id: str | None = None
    """On the caller's side: what the operator finds the request by."""

    def __init__(self, message: str | None = None, /, **details: Any) -> None:
        self.message = message or self.fix
        self.details = details
        super().__init__(self.message)


class RequestError(VerbenaError):
    status = 422


class MoneyError(VerbenaError):
    status = 402


class JobError(VerbenaError):
    status = 409


class ReadError(VerbenaError):
    status = 502


class ProviderError(VerbenaError):
    status = 503


class InvalidInput(RequestError):
    code = "invalid_input"
    fix = "Correct the fields named in details.fields."


class InvalidJson(RequestError):
    code = "invalid_json"
    status = 400
    fix = "Send a JSON object with Content-Type: application/json."


class BodyTooBig(RequestError):
    code = "request_too_large"
    status = 413
    fix = "Send at most 2 MiB; split the list into several calls."


class Unauthorized(RequestError):
    code = "unauthorized"
    status = 401
    fix = "Send a valid key as 'Authorization: Bearer KEY' or 'X-API-Key: KEY'."


class Forbidden(RequestError):
    code = "forbidden"
    status = 403
    fix = "Use a key that has the scope named in details.scope."


class NotFound(RequestError):
    code = "not_found"
    status = 404
    fix = "Check the path or id; GET /v1/verbs lists what exists."


class MethodNotAllowed(RequestError):
    code = "method_not_allowed"
    status = 405
    fix = "Use one of the methods in details.allowed."


class TooManyRequests(RequestError):
    code = "too_many_requests"
    status = 429
    retryable = True
    fix = "Wait the seconds in Retry-After, then call again."


class InsufficientBalance(MoneyError):
    code = "insufficient_balance"
    fix = "Add funds, send fewer items, or set partial: true to run what the balance covers."


class OverMaxCharge(MoneyError):
    code = "over_max_charge"
    fix = "Raise max_charge_micros to at least details.required_micros, or send fewer items."


class IdempotencyMismatch(JobError):
    code = "idempotency_mismatch"
    fix = "This key was used with another body; use a new key."


class InProgress(JobError):
    code = "in_progress"
    retryable = True
    fix = "The first call with this key is still running; ask again after Retry-After."


class NotCompleted(JobError):
    code = "not_completed"
    retryable = True
    fix = "Wait until the job is completed, or cancel it, then resume it."


class NothingToResume(JobError):
    code = "nothing_to_resume"
    fix = "Every item of this job succeeded or was empty; there is nothing left to run."


class Cancelled(JobError):
    code = "cancelled"
    fix = "The job was cancelled; POST /v1/jobs/{id}/resume runs what is left."


class DeadlineExceeded(JobError):
    code = "deadline_exceeded"
    status = 504
    retryable = True
    fix = "The job met its deadline; POST /v1/jobs/{id}/resume runs what is left."


class NotAttempted(JobError):
    code = "not_attempted"
    retryable = True
    fix = "The call ended before this item was tried; resume the job or send it again."


class AnswerExpired(JobError):
    code = "answer_expired"
    status = 410
    fix = "The provider does not allow its answers to be kept longer; call again with a new idempotency key."


class InvalidUrl(ReadError):
    code = "invalid_url"
    status = 422
    fix = "Give an absolute http or https URL of at most 2,048 characters, without user name or password."


class ForbiddenAddress(ReadError):
    code = "forbidden_address"
    status = 403
    fix = "The name or a redirect leads to a private or reserved address; only public addresses are read."


class DnsFailure(ReadError):
    code = "dns_failure"
    retryable = True
    fix = "The host name does not resolve; check its spelling."


class ConnectFailed(ReadError):
    code = "connect_error"
    retryable = True
    fix = "The server refused or dropped the connection; try again later."


class TlsFailure(ReadError):
    code = "tls_error"
    fix = "The server's certificate or TLS handshake is not valid."


class TimedOut(ReadError):
    code = "timeout"
    status = 504
    retryable = True
    fix = "The page did not arrive within timeout_s; raise it (at most 30) or try again."


class BadResponse(ReadError):
    code = "bad_response"
    fix = "The server's answer is not valid HTTP or its encoding cannot be decoded."


class TruncatedBody(ReadError):
    code = "truncated_body"
    retryable = True
    fix = "The connection ended before the whole page arrived; try again."


class BodyTooLarge(ReadError):
    code = "body_too_large"
    fix = "The page is over the cap of 10 MiB on the wire or 20 MiB decoded."


class TooManyRedirects(ReadError):
    code = "too_many_redirects"
    fix = "The page redirects more than 10 times or in a circle."


class UnsupportedType(ReadError):
    code = "unsupported_type"
    status = 415
    fix = "This kind of content cannot be turned into text by this verb."


class RateLimited(ReadError):
    code = "rate_limited"
    status = 429
    retryable = True
    fix = "The site asks to slow down; try again after details.retry_after_s."


class Blocked(ReadError):
    code = "blocked"
    retryable = True
    fix = "The site answered with a bot challenge, captcha, consent or login wall instead of the page."


class LoginRequired(Blocked):
    code = "auth_required"
    retryable = False
    fix = "The page lies behind a login; a retry cannot help."


class NeedsRendering(ReadError):
    code = "needs_rendering"
    fix = "The page is empty until its scripts run."


class RobotsDenied(ReadError):
    code = "robots_denied"
    fix = "The site's robots.txt does not allow this page to be read."


class RobotsUnreachable(ReadError):
    code = "robots_unreachable"
    retryable = True
    fix = "The site's robots.txt did not come, so nothing may be read for now; try again later."


class PageNotFound(ReadError):
    code = "page_not_found"
    fix = "The server says the page does not exist (404 or 410)."


class UpstreamClientError(ReadError):
    code = "upstream_4xx"
    fix = "The server refused the request; details.http_status is its answer."


class UpstreamServerError(ReadError):
    code = "upstream_5xx"
    retryable = True
    fix = "The server failed to answer; try again later."


class EmptyPage(ReadError):
    code = "empty_page"
    fix = "The server answered, but the page holds no text."


class OutsideWorkspace(RequestError):
    code = "outside_workspace"
    status = 403
    fix = "Both paths must lie inside the workspace of the named run."


class MissingQuery(ProviderError):
    code = "MISSING_QUERY"
    status = 422
    fix = "Say what to search for in `query`."


class InvalidRequest(ProviderError):
    code = "INVALID_REQUEST"
    status = 422
    fix = "The provider says that the request itself is wrong; its words are in the message."


class NoProvidersConfigured(ProviderError):
    code = "NO_PROVIDERS_CONFIGURED"
    fix = "The operator has configured no provider for this verb yet: 'verbena providers seed' makes the usual ones."


class ProviderLoadFailed(ProviderError):
    code = "PROVIDER_LOAD_FAILED"
    retryable = True
    fix = "The providers could not be read from their store; try again."


class NoEligibleProvider(ProviderError):
    code = "NO_ELIGIBLE_PROVIDER"
    fix = "No active provider can serve this call; details.providers says why for each."


class ProviderNotFound(ProviderError):
    code = "PROVIDER_NOT_FOUND"
    status = 404
    fix = "No provider has this name or driver; leave `provider` unset to let the operator's order decide."


class ProviderNotActive(ProviderError):
    code = "PROVIDER_NOT_ACTIVE"
    fix = "The provider is not active; its operator can set its status."


class ProviderUnavailable(ProviderError):
    code = "PROVIDER_UNAVAILABLE"
    fix = "The provider is active but cannot be used; details.reason says what it lacks."


class ProviderLacksCapability(ProviderError):
    code = "PROVIDER_LACKS_CAPABILITY"
    fix = "The provider cannot honour the fields in details.lacks; drop them, or the pin."


class AllProvidersFailed(ProviderError):
    code = "ALL_PROVIDERS_FAILED"
    retryable = True
    fix = "Every provider that could serve was tried; `attempts` says what each answered."


class Expired(VerbenaError):
    code = "call_expired"
    status = 504
    retryable = True
    fix = "The call took longer than it may; nothing was billed. Send it again, or with async: true."


class Unavailable(VerbenaError):
    code = "unavailable"
    status = 503
    retryable = True
    fix = "A store is busy; nothing was billed. Send the call again."


class NotReady(VerbenaError):
    code = "not_ready"
    status = 503
    retryable = True
    fix = "A step of details.steps failed; the operator finds why in the logs, under the request's id."


class InternalError(VerbenaError):
    code = "internal_error"
    status = 500
    retryable = True
    fix = "An unexpected failure; tell the operator details.request_id, which is also in the X-Request-Id header."


def every_error() -> Iterator[type[VerbenaError]]:
    """All concrete errors, in the order they are written here."""
    pending: list[type[VerbenaError]] = [VerbenaError]
    while pending:
        error = pending.pop(0)
        pending += error.__subclasses__()
        if "code" in error.__dict__:
            yield error


def by_code(code: str) -> type[VerbenaError]:
    """The class of a code that came over a wire; an unknown code is an InternalError."""
    return next((error for error in every_error() if error.code == code), InternalError)
