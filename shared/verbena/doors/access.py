"""Who is calling, and whether they may: the first step of every door that a key opens."""

import time

from verbena.aws.keys import ApiKey
from verbena.doors.http import HttpRequest
from verbena.errors import Forbidden, TooManyRequests, Unauthorized
from verbena.rates import Rate
from verbena.request import Caller
from verbena.runtime import Runtime


def authenticate(request: HttpRequest, runtime: Runtime) -> ApiKey:
    """The key of a request, within its rate; Unauthorized or TooManyRequests otherwise."""
    secret = _secret(request)
    key = runtime.keys.find(secret) if secret else None
    if key is None:
        raise Unauthorized
    rate = Rate.of(key.rate_limit) if key.rate_limit else runtime.rate
    if rate is not None and (wait := runtime.slots.take(f"key#{key.key_id}", rate, time.time())):
        raise TooManyRequests(retry_after_s=round(wait, 3))
    return key


def _secret(request: HttpRequest) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key", "").strip()


def require(key: ApiKey, scope: str) -> None:
    """Forbidden unless the key has the scope."""
    if scope not in key.scopes:
        raise Forbidden(f"this key lacks the scope {scope!r}", scope=scope)


def caller_of(key: ApiKey, request: HttpRequest) -> Caller:
    """The call path's view of a request's caller."""
    return Caller(key.owner, key.key_id, request.request_id, request.base_url, frozenset(key.scopes))
