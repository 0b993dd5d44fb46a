"""HTTP API events in, answers out: the one place that knows API Gateway's payload format 2.0."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import from_json, to_json

from verbena import settings
from verbena.envelope import Answered
from verbena.errors import BodyTooBig, InvalidJson, by_code

JSON = "application/json"

# Lambda writes the answer as JSON, in which a text of quotes and line ends is twice as long, and takes 6 MB of it;
# in base64 the longest answer is a third longer whatever it says.
PLAIN_CAP_BYTES = settings.ANSWER_CAP_BYTES // 2


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What a caller sent. Header names are lower case; `route` is the method and path pattern that matched."""

    route: str
    method: str
    path: str
    headers: Mapping[str, str]
    query: Mapping[str, str]
    parameters: Mapping[str, str]
    raw_body: str
    is_base64: bool
    request_id: str

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "HttpRequest":
        """The request of an API Gateway HTTP API event."""
        context = event["requestContext"]
        return cls(
            route=event["routeKey"],
            method=context["http"]["method"],
            path=event["rawPath"],
            headers={name.lower(): value for name, value in event.get("headers", {}).items()},
            query=event.get("queryStringParameters") or {},
            parameters=event.get("pathParameters") or {},
            raw_body=event.get("body") or "",
            is_base64=bool(event.get("isBase64Encoded")),
            request_id=context["requestId"],
        )

    @property
    def base_url(self) -> str:
        """Scheme and host as the caller used them."""
        return f"{self.headers.get('x-forwarded-proto', 'https')}://{self.headers.get('host', 'localhost')}"

    def json_object(self) -> dict[str, Any]:
        """The body as a JSON object; InvalidJson if it is none, BodyTooBig above the cap."""
        value = self.json_value()
        if not isinstance(value, dict):
            raise InvalidJson('the body must be a JSON object, such as {"urls": ["https://example.com"]}')
        return value

    def json_value(self) -> Any:
        """The body as JSON; InvalidJson if it is none, BodyTooBig above the cap."""
        body = self._body()
        if len(body) > settings.BODY_CAP_BYTES:
            raise BodyTooBig(size_bytes=len(body), limit_bytes=settings.BODY_CAP_BYTES)
        try:
            return from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise InvalidJson(f"the body is not JSON: {error}") from error

    def _body(self) -> bytes:
        if not self.is_base64:
            return self.raw_body.encode()
        try:
            return base64.b64decode(self.raw_body, validate=True)
        except ValueError as error:
            raise InvalidJson("the body is not valid base64") from error


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What goes back."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = JSON

    def event(self, request_id: str) -> dict[str, Any]:
        """The answer in API Gateway's format."""
        is_big = len(self.body) > PLAIN_CAP_BYTES
        return {
            "statusCode": self.status,
            "headers": {"Content-Type": self.content_type, "X-Request-Id": request_id, **self.headers},
            "body": base64.b64encode(self.body).decode() if is_big else self.body.decode(),
            "isBase64Encoded": is_big,
        }


def json_answer(value: Any, status: int = 200, **headers: str) -> HttpAnswer:
    return HttpAnswer(status, to_json(value), headers)


def envelope_answer(answered: Answered, base_url: str) -> HttpAnswer:
    """A call's envelope: 202 with Location while pending, its error's status if it failed, else 200."""
    headers: dict[str, str] = {}
    status = 200
    if answered.error is not None:
        status = by_code(answered.error.code).status
        headers = error_headers(status, answered.error.details or {})
    elif answered.status == "pending":
        status = 202
        headers["Location"] = f"{base_url}/v1/jobs/{answered.job_id}"
    return HttpAnswer(status, to_json(answered.wire()), headers)


def error_headers(status: int, details: Mapping[str, Any]) -> dict[str, str]:
    """What the headers of a refusal say beside its body."""
    headers = {}
    if status == 401:  # noqa: PLR2004 - the status RFC 9110 requires a challenge for
        headers["WWW-Authenticate"] = 'Bearer realm="verbena"'
    if "retry_after_s" in details:
        headers["Retry-After"] = str(max(1, -(-int(details["retry_after_s"] * 1000) // 1000)))
    if "allowed" in details:
        headers["Allow"] = ", ".join(details["allowed"])
    return headers
