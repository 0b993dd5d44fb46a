"""What the HTTP library raises, in the words of `verbena.errors`."""

import ssl
from collections.abc import Callable
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from verbena.errors import (
    BadResponse,
    ConnectFailed,
    DnsFailure,
    ForbiddenAddress,
    InvalidUrl,
    ReadError,
    TimedOut,
    TlsFailure,
    TruncatedBody,
)
from verbena.gates import refused

NETWORK = (aiohttp.ClientError, HttpProcessingError, OSError)
"""All that the library raises for what a server or the network did."""


def typed(error: Exception, cut_off: type[ReadError]) -> ReadError:
    """The ReadError of a failure; `cut_off` is what a connection lost midway means to the caller."""
    return next((verdict(error) for kinds, verdict in _VERDICTS if isinstance(error, kinds)), cut_off())


def _dial(error: Any) -> ReadError:
    return ForbiddenAddress() if refused(error.os_error) else ConnectFailed()


def _tls(error: Any) -> ReadError:
    cause = getattr(error, "certificate_error", None) or getattr(error, "os_error", error)
    reason = getattr(cause, "verify_message", None) or getattr(cause, "reason", None)
    return TlsFailure(reason=reason) if reason else TlsFailure()


def _payload(error: aiohttp.ClientPayloadError) -> ReadError:
    """The library names a body that ends early and one that breaks its framing alike."""
    return TruncatedBody() if "Not enough data" in str(error.__cause__) else BadResponse()


def _broken(error: Any) -> ReadError:
    """With the parser's reason, but for the bytes it quotes below it."""
    reason = str(error.message).strip().partition("\n")[0].rstrip(":")
    return BadResponse(reason=reason) if reason else BadResponse()


# The first row that fits decides, so the narrower kinds stand first.
_VERDICTS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], Callable[[Any], ReadError]], ...] = (
    (TimeoutError, lambda _: TimedOut()),
    ((aiohttp.ClientSSLError, ssl.SSLError), _tls),
    (aiohttp.ClientConnectorDNSError, lambda _: DnsFailure()),
    (aiohttp.ClientConnectorError, _dial),
    (aiohttp.ClientPayloadError, _payload),
    # A proxy that will not or cannot pass a request on is not there, for us.
    (aiohttp.ClientHttpProxyError, lambda _: ConnectFailed()),
    ((aiohttp.ClientResponseError, HttpProcessingError), _broken),
    (aiohttp.InvalidURL, lambda _: InvalidUrl()),
)
