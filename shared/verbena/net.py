"""Guarded HTTP: the only client anything uses. Every hop passes both gates, every body has its caps.

Failures arrive as the ReadErrors of `verbena.errors`, whichever library noticed them.
"""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from typing import Any, Self, cast
from weakref import WeakKeyDictionary

import aiohttp
import certifi
from multidict import CIMultiDict
from yarl import URL

from verbena import settings
from verbena.bodies import Response, StaleConnection, body_of
from verbena.errors import ConnectFailed, DnsFailure, InvalidUrl, TimedOut, TooManyRedirects
from verbena.failures import NETWORK, typed
from verbena.gates import GuardedResolver, Lookup, guarded_sockets, system_lookup
from verbena.guard import Guard
from verbena.lanes import Lanes
from verbena.urls import joined

SUCCESS = range(200, 300)
PROXY_AUTHENTICATION_REQUIRED = 407
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


async def anywhere(_url: str) -> None:
    """No URL is refused."""


async def _arrived(_reply: Reply) -> None:
    """Every page is the one that was wanted."""


@dataclass(frozen=True, slots=True)
class Way:
    """What the caller has a say in on the way to a page, at every hop.

    `enter` is asked before a URL is, and stops there by raising a ReadError; `onward` is asked what URL a page
    that was read sends its visitors on to, and answers None for one that does not.
    """

    enter: Callable[[str], Awaitable[None]] = anywhere
    onward: Callable[[Reply], Awaitable[str | None]] = _arrived


STRAIGHT = Way()


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
        proxies: Sequence[str] = (),
    ) -> None:
        self.lanes = Lanes(connections, per_host)
        self._tls = tls
        self._resolver = GuardedResolver(guard, lookup)
        self._proxies = cycle(proxies) if proxies else None
        connector = aiohttp.TCPConnector(
            # With proxies it dials nothing else, and where they stand is the operator's choice.
            resolver=None if proxies else self._resolver,
            socket_factory=None if proxies else guarded_sockets(guard),
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

    async def get(self, url: str, *, headers: Mapping[str, str], deadline: float, way: Way = STRAIGHT) -> Reply:
        """Read a page, following redirects; `deadline` is a reading of `time.monotonic` and bounds all of it.

        `url` must be normalised. Credentials among the headers go to the first hop only; cookies set on the
        way live until the end of this call.
        """
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                return await self._follow(url, headers, way)
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
        proxy = await self._proxy(as_written)
        tls = (self._tls or public_tls()) if proxy or as_written.scheme == "https" else True
        while True:
            try:
                response = await self._session.request(
                    method,
                    as_written,
                    headers=headers,
                    data=body,
                    timeout=limits,
                    allow_redirects=False,
                    ssl=tls,
                    proxy=proxy,
                )
            except StaleConnection:
                if method not in IDEMPOTENT:
                    raise
            except NETWORK as error:
                raise typed(error, ConnectFailed) from error
            else:
                return _passed_on(cast("Response", response), proxy)

    async def _proxy(self, url: URL) -> str | None:
        """The proxy whose turn it is. It will look the name up itself, but never gets one that leads inside."""
        if self._proxies is None:
            return None
        try:
            await self._resolver.resolve(url.host or "", url.port or 0)
        except OSError as error:
            raise DnsFailure from error
        return next(self._proxies)

    async def _follow(self, url: str, headers: Mapping[str, str], way: Way) -> Reply:
        trail = Trail()
        while True:
            await way.enter(url)
            response = await self.send("GET", url, headers=headers)
            # Leaving gives the connection back if the answer was read to its end, and closes it if not.
            async with response:
                reply = await _reply(response, url, trail.urls)
            target = _target(response, url) or await way.onward(reply)
            if target is None:
                return reply
            trail.leave(url, headers, response)
            url, headers = target, trail.headers(headers, target)
            if reply.status in SUCCESS and trail.stands_at(url, headers):
                return reply
            trail.check(url, headers)


class Trail:
    """The requests that led to a page, told apart by URL and cookies, and the cookies their answers set."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, str]] = []
        self._jar: aiohttp.CookieJar | None = None

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(url for url, _ in self._steps)

    def leave(self, url: str, headers: Mapping[str, str], response: Response) -> None:
        """Note a request, and take the cookies of its answer along."""
        self._steps.append(_step(url, headers))
        # "unsafe" lets hosts without a name have cookies.
        self._jar = aiohttp.CookieJar(unsafe=True) if self._jar is None else self._jar
        self._jar.update_cookies(response.cookies, response.url)

    def headers(self, headers: Mapping[str, str], target: str) -> dict[str, str]:
        """Those of the next request."""
        kept = {name: value for name, value in headers.items() if name.lower() not in CREDENTIALS}
        if self._jar is not None and (cookies := self._jar.filter_cookies(URL(target, encoded=True))):
            kept["Cookie"] = "; ".join(f"{cookie.key}={cookie.coded_value}" for cookie in cookies.values())
        return kept

    def stands_at(self, url: str, headers: Mapping[str, str]) -> bool:
        """Whether this request is the last one over again: a page that only reloads itself."""
        return self._steps[-1] == _step(url, headers)

    def check(self, url: str, headers: Mapping[str, str]) -> None:
        """Raise TooManyRedirects rather than go in a circle, or too far."""
        if _step(url, headers) in self._steps or len(self._steps) > settings.REDIRECT_LIMIT:
            raise TooManyRedirects(redirects=len(self._steps))


_CLIENTS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[Guard, tuple[str, ...]], Client]] = (
    WeakKeyDictionary()
)


def client(guard: Guard, proxies: tuple[str, ...] = ()) -> Client:
    """The client of the running event loop for this guard and these proxies, made at its first use."""
    clients = _CLIENTS.setdefault(asyncio.get_running_loop(), {})
    if (guard, proxies) not in clients:
        clients[guard, proxies] = Client(guard, proxies=proxies)
    return clients[guard, proxies]


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


def _passed_on(response: Response, proxy: str | None) -> Response:
    """A proxy that asks for its password has not asked the server anything."""
    if proxy and response.status == PROXY_AUTHENTICATION_REQUIRED:
        response.close()
        raise ConnectFailed
    return response


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


def _step(url: str, headers: Mapping[str, str]) -> tuple[str, str]:
    return url, headers.get("Cookie", "")


def _text(value: str) -> str:
    """Bytes of a header that are no UTF-8 arrive as lone surrogates, which nothing can write down again."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _escaped(location: str) -> str:
    """A Location in another charset names bytes; they go into the URL as they are."""
    return "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else c for c in location)
