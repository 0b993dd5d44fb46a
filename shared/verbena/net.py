"""Guarded HTTP: the only client anything uses. Every hop passes both gates, every body has its caps.

Failures arrive as the ReadErrors of `verbena.errors`, whichever library noticed them.
"""

import asyncio
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Self, cast
from weakref import WeakKeyDictionary

import aiohttp
import certifi
from multidict import CIMultiDict
from yarl import URL

from verbena import settings
from verbena.bodies import Response, StaleConnection, body_of
from verbena.errors import ConnectFailed, InvalidUrl, TimedOut, TooManyRedirects
from verbena.failures import NETWORK, typed
from verbena.gates import GuardedResolver, Lookup, guarded_sockets, system_lookup
from verbena.guard import Guard
from verbena.lanes import Lanes
from verbena.urls import joined

SUCCESS = range(200, 300)
REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Security policies of large sites pass the parser's 8 KiB a field; its 128 fields bound the sum.
HEADER_CAP_BYTES = 32 * 1024
# A server that tires of an idle connection may say so in a 408, which must not meet the next request.
IDLE_S = 5.0
IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})
CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization"})
UNLIMITED = aiohttp.ClientTimeout(total=None)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the last hop answered. `headers` are found under names in any case; `body` is decoded.

    The body is read only when the status is 2xx. `redirects` are the URLs passed through, in order.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    wire_bytes: int
    redirects: tuple[str, ...] = ()


class Client:
    """The connections of one event loop. Keeps no cookies; `lanes` says how much its users may run at once."""

    def __init__(
        self,
        guard: Guard,
        *,
        lookup: Lookup = system_lookup,
        tls: ssl.SSLContext | None = None,
        connections: int = settings.CONNECTIONS,
        per_host: int = settings.CONNECTIONS_PER_HOST,
    ) -> None:
        self.lanes = Lanes(connections, per_host)
        self._tls = tls
        connector = aiohttp.TCPConnector(
            resolver=GuardedResolver(guard, lookup),
            socket_factory=guarded_sockets(guard),
            limit=connections,
            limit_per_host=per_host,
            keepalive_timeout=IDLE_S,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            response_class=Response,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # it stops at the first member of a body; `wire` reads all, under a cap
            trust_env=False,
            max_line_size=HEADER_CAP_BYTES,
            max_field_size=HEADER_CAP_BYTES,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def get(self, url: str, *, headers: Mapping[str, str], deadline: float) -> Reply:
        """Read a page, following redirects; `deadline` is a reading of `time.monotonic` and bounds all of it.

        `url` must be normalised. Credentials among the headers go to the first hop only; cookies set on the
        way live until the end of this call.
        """
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                return await self._follow(url, headers)
        except TimeoutError as error:
            raise TimedOut from error

    async def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: Any = None,
        limits: aiohttp.ClientTimeout = UNLIMITED,
    ) -> Response:
        """One request, no redirect followed, nothing of the body read. The URL goes out as it is written."""
        # The library would write the URL anew: `a%2Fb` becomes `a/b`, and a signed URL invalid.
        as_written = URL(url, encoded=True)
        tls = (self._tls or public_tls()) if as_written.scheme == "https" else True
        while True:
            try:
                response = await self._session.request(
                    method, as_written, headers=headers, data=body, timeout=limits, allow_redirects=False, ssl=tls
                )
            except StaleConnection:
                if method not in IDEMPOTENT:
                    raise
            except NETWORK as error:
                raise typed(error, ConnectFailed) from error
            else:
                return cast("Response", response)

    async def _follow(self, url: str, headers: Mapping[str, str]) -> Reply:
        trail: dict[tuple[str, str], None] = {}
        jar: aiohttp.CookieJar | None = None
        while True:
            response = await self.send("GET", url, headers=headers)
            # Leaving gives the connection back if the answer was read to its end, and closes it if not.
            async with response:
                target = _target(response, url)
                if target is None:
                    return await _reply(response, url, tuple(visited for visited, _ in trail))
                # "unsafe" lets hosts without a name have cookies.
                jar = aiohttp.CookieJar(unsafe=True) if jar is None else jar
                jar.update_cookies(response.cookies, response.url)
            trail[url, headers.get("Cookie", "")] = None
            url, headers = target, _next_headers(headers, jar, target)
            if (url, headers.get("Cookie", "")) in trail or len(trail) > settings.REDIRECT_LIMIT:
                raise TooManyRedirects(redirects=len(trail))


_CLIENTS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Guard, Client]] = WeakKeyDictionary()


def client(guard: Guard) -> Client:
    """The client of the running event loop for this guard, made at its first use."""
    clients = _CLIENTS.setdefault(asyncio.get_running_loop(), {})
    if guard not in clients:
        clients[guard] = Client(guard)
    return clients[guard]


async def close() -> None:
    """Close the clients of the running event loop."""
    for each in _CLIENTS.pop(asyncio.get_running_loop(), {}).values():
        await each.__aexit__()


@cache
def public_tls() -> ssl.SSLContext:
    """The one context of this process, with the public authorities; each costs 22 ms."""
    context = ssl.create_default_context(cafile=certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    return context


def headers_of(named: Mapping[str, str]) -> Mapping[str, str]:
    """Headers that are found under names in any case, as those of a Reply."""
    return CIMultiDict(named)


async def _reply(response: Response, url: str, redirects: tuple[str, ...]) -> Reply:
    body, size = await body_of(response) if response.status in SUCCESS else (b"", 0)
    headers: Mapping[str, str] = response.headers
    if not all(map(str.isascii, headers.values())):
        headers = CIMultiDict((name, _text(value)) for name, value in headers.items())
    return Reply(url, response.status, headers, body, size, redirects)


def _target(response: Response, url: str) -> str | None:
    """Where a redirect leads; None for an answer that is to be read."""
    location = response.headers.get("Location")
    if response.status not in REDIRECTS or location is None:
        return None
    try:
        return joined(url, _escaped(location))
    except InvalidUrl as error:
        raise InvalidUrl("The page redirects to what is no http(s) URL, or to one with a password.") from error


def _next_headers(headers: Mapping[str, str], jar: aiohttp.CookieJar, target: str) -> dict[str, str]:
    kept = {name: value for name, value in headers.items() if name.lower() not in CREDENTIALS}
    if cookies := jar.filter_cookies(URL(target, encoded=True)):
        kept["Cookie"] = "; ".join(f"{cookie.key}={cookie.coded_value}" for cookie in cookies.values())
    return kept


def _text(value: str) -> str:
    """Bytes of a header that are no UTF-8 arrive as lone surrogates, which nothing can write down again."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _escaped(location: str) -> str:
    """A Location in another charset names bytes; they go into the URL as they are."""
    return "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else c for c in location)
