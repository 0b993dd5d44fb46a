"""Guarded HTTP: the only client anything uses. Every hop passes both gates, every body has its caps.

Failures arrive as the ReadErrors of `verbena.errors`, whichever library noticed them.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Self, cast
from weakref import WeakKeyDictionary

import aiohttp
import certifi
from multidict import CIMultiDict
from yarl import URL

from verbena import settings, wire
from verbena.errors import BadResponse, BodyTooLarge, InvalidUrl, TimedOut, TooManyRedirects, TruncatedBody
from verbena.failures import typed
from verbena.gates import GuardedResolver, Lookup, guarded_sockets, system_lookup
from verbena.guard import Guard
from verbena.lanes import Lanes
from verbena.urls import joined

REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Security policies of large sites pass the parser's default of 8 KiB; its default of 128 fields bounds the sum.
HEADER_CAP_BYTES = 32 * 1024
# Up to this size undoing a coding is cheaper than a hop to a thread and back.
DECODE_INLINE_BYTES = 64 * 1024
CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization"})
NO_TIMEOUT = aiohttp.ClientTimeout(total=None)


class Answer(aiohttp.ClientResponse):
    """A response that notices two ends of a body which the library takes for a good one, or never notices."""

    _lost: asyncio.Future[None] | None

    async def start(self, connection: Any) -> aiohttp.ClientResponse:
        self._lost = connection.protocol.closed
        if self._lost is not None:
            # One per connection, however many responses it carries: asyncio complains of a failure nobody looked at.
            self._lost.remove_done_callback(_looked_at)
            self._lost.add_done_callback(_looked_at)
        return await super().start(connection)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Raises BadResponse if the framing breaks inside, and TruncatedBody if a body of no stated length
        ends with a reset."""
        lost = self._lost
        if lost is None:  # gone already: all there will ever be has been parsed
            yield
            return
        lost.add_done_callback(self._abandon)
        try:
            yield
        finally:
            lost.remove_done_callback(self._abandon)
        if lost.done() and lost.exception() and self._ends_with_connection:
            raise TruncatedBody

    @property
    def _ends_with_connection(self) -> bool:
        return "Content-Length" not in self.headers and "Transfer-Encoding" not in self.headers

    def _abandon(self, _: object) -> None:
        """The parser has given up and closed the connection without telling the reader, who would wait for ever."""
        if not self.content.is_eof() and self.content.exception() is None:
            self.content.set_exception(BadResponse())


def _looked_at(lost: asyncio.Future[None]) -> None:
    lost.exception()


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
    """One pool of connections of one event loop. Keeps no cookies; `lanes` is how much its users run at once."""

    def __init__(
        self, guard: Guard, *, lookup: Lookup = system_lookup, tls: ssl.SSLContext | None = None
    ) -> None:
        connector = aiohttp.TCPConnector(
            resolver=GuardedResolver(guard, lookup),
            socket_factory=guarded_sockets(guard),
            ssl=tls or public_tls(),
            limit=settings.CONNECTIONS,
            limit_per_host=settings.CONNECTIONS_PER_HOST,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # stops at the first member of a body; `wire` reads them all, under a cap
            trust_env=False,
            skip_auto_headers=("Content-Type",),
            timeout=NO_TIMEOUT,
            max_line_size=HEADER_CAP_BYTES,
            max_field_size=HEADER_CAP_BYTES,
            response_class=Answer,
        )
        self.lanes = Lanes(settings.CONNECTIONS, settings.CONNECTIONS_PER_HOST)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def get(self, url: str, *, headers: Mapping[str, str], deadline: float) -> Reply:
        """Read a page, following redirects; `deadline` is a reading of `time.monotonic` and bounds all of it.

        `url` must be normalised. Credentials among the headers go to the first hop only; cookies set on the
        way live until the end of this call.
        """
        async with within(deadline):
            return await self._follow(url, headers)

    async def send(
        self, method: str, url: str, *, headers: Mapping[str, str], body: Any = None, timeout: aiohttp.ClientTimeout
    ) -> Answer:
        """One request, no redirect followed, nothing of the body read. The URL goes out as it is written."""
        with typed():
            answer = await self._session.request(
                method, URL(url, encoded=True), headers=headers, data=body, timeout=timeout, allow_redirects=False
            )
        return cast("Answer", answer)

    async def _follow(self, url: str, headers: Mapping[str, str]) -> Reply:
        trail: dict[tuple[str, str], None] = {}
        jar = aiohttp.CookieJar(unsafe=True)
        while True:
            response = await self.send("GET", url, headers=headers, timeout=NO_TIMEOUT)
            async with _closing(response):
                target = _target(response, url)
                if target is None:
                    return await _reply(response, url, tuple(visited for visited, _ in trail))
                jar.update_cookies(response.cookies, response.url)
            trail[url, headers.get("Cookie", "")] = None
            headers = _next_headers(headers, jar, target)
            url = target
            if (url, headers.get("Cookie", "")) in trail or len(trail) > settings.REDIRECT_LIMIT:
                raise TooManyRedirects(redirects=len(trail))


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


_CLIENTS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Guard, Client]] = WeakKeyDictionary()


@asynccontextmanager
async def within(deadline: float) -> AsyncIterator[None]:
    """Raises TimedOut when the block is not done by then."""
    try:
        async with asyncio.timeout(deadline - time.monotonic()):
            yield
    except TimeoutError as error:
        raise TimedOut from error


async def body_of(response: Answer) -> tuple[bytes, int]:
    """The decoded body of a response and its size on the wire; raises what `wire` does, and TruncatedBody."""
    codings = wire.codings(_all(response, "Content-Encoding"))
    codings += wire.codings(_all(response, "Transfer-Encoding").lower().replace("chunked", ""))
    raw = await _raw(response)
    if len(raw) <= DECODE_INLINE_BYTES:
        return wire.decoded(raw, codings, settings.DECODED_CAP_BYTES), len(raw)
    return await asyncio.to_thread(wire.decoded, raw, codings, settings.DECODED_CAP_BYTES), len(raw)


@cache
def public_tls() -> ssl.SSLContext:
    """The one context of this process, with the public authorities; each costs 22 ms."""
    context = ssl.create_default_context(cafile=certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    return context


async def _raw(response: Answer) -> bytes:
    if (response.content_length or 0) > settings.WIRE_CAP_BYTES:
        raise BodyTooLarge(content_length=response.content_length)
    chunks, size = [], 0
    with typed(cut_off=TruncatedBody), response.watched():
        async for chunk in response.content.iter_any():
            chunks.append(chunk)
            size += len(chunk)
            if size > settings.WIRE_CAP_BYTES:
                raise BodyTooLarge(wire_cap_bytes=settings.WIRE_CAP_BYTES)
    return b"".join(chunks)


async def _reply(response: Answer, url: str, redirects: tuple[str, ...]) -> Reply:
    body, size = await body_of(response) if 200 <= response.status < 300 else (b"", 0)
    headers = CIMultiDict((name, _text(value)) for name, value in response.headers.items())
    return Reply(url, response.status, headers, body, size, redirects)


def _target(response: Answer, url: str) -> str | None:
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


@asynccontextmanager
async def _closing(response: Answer) -> AsyncIterator[None]:
    """Gives the connection back if the answer was read to its end, and drops it if not."""
    try:
        yield
    except BaseException:
        response.close()
        raise
    response.release()


def _all(response: Answer, name: str) -> str:
    return ",".join(response.headers.getall(name, ()))


def _text(value: str) -> str:
    """Bytes of a header that are no UTF-8 arrive as lone surrogates, which nothing can write down again."""
    return value if value.isascii() else value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _escaped(location: str) -> str:
    """A Location in another charset names bytes; they go into the URL as they are."""
    return "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else c for c in location)
