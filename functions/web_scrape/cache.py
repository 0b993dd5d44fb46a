"""Pages read before: when one will do, when the site is asked whether it changed, and what may be kept."""

import asyncio
import hashlib
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType

from verbena.net import Reply, headers_of
from verbena.pages import KeptPage, Pages

Ask = Callable[[str, Mapping[str, str]], Awaitable[Reply]]
"""Asks a site for a normalised URL, with these headers beside the usual ones."""

NOTHING: Mapping[str, str] = MappingProxyType({})
# What later readings need: the type, the validators, and what a site says of its page to robots and readers.
KEPT_HEADERS = ("Content-Type", "ETag", "Last-Modified", "Content-Language", "Link", "X-Robots-Tag")
MOST_HEADER_CHARS = 2_048
FORBIDDING = frozenset({"no-store", "private"})


@dataclass(frozen=True, slots=True)
class Seen:
    """What a site answered for a normalised URL, and when (seconds of the epoch).

    Without an age it was asked in this call.
    """

    url: str
    reply: Reply
    at: float
    age_s: int | None = None
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Cache:
    """One owner's pages. `max_age_s` is how old one may be; with 0 nothing is looked up and nothing kept."""

    pages: Pages
    owner: str
    max_age_s: int
    wall: Callable[[], float] = time.time

    async def visit(self, url: str, ask: Ask) -> Seen:
        """The page of a normalised URL, kept or asked for; one that was kept too long is asked about."""
        kept = await self._find(url)
        if kept is None:
            return Seen(url, await ask(url, NOTHING), self.wall())
        age_s = math.floor(max(0.0, self.wall() - kept.confirmed_at))
        if age_s > self.max_age_s:
            return await self._confirmed(url, kept, ask)
        body = await asyncio.to_thread(self.pages.body, kept)
        if body is None:
            return Seen(url, await ask(url, NOTHING), self.wall())
        return Seen(url, _reply(kept, body), kept.confirmed_at, age_s, is_kept=True)

    async def keep(self, seen: Seen) -> None:
        """Keep a page that was read with success, if its site allows it."""
        if not self.max_age_s or seen.is_kept or not may_be_kept(seen.reply):
            return
        key = self._key(seen.url)
        reply, read_at = seen.reply, int(seen.at)
        page = KeptPage(
            url=reply.url,
            status=reply.status,
            wire_bytes=reply.wire_bytes,
            fetched_at=read_at,
            confirmed_at=read_at,
            content=f"pages/{key}/{seen.at * 1000:.0f}",
            headers=_kept_headers(reply.headers),
            redirects=list(reply.redirects),
        )
        await asyncio.to_thread(self.pages.put, key, page, reply.body)

    async def _find(self, url: str) -> KeptPage | None:
        return await asyncio.to_thread(self.pages.find, self._key(url), self.wall()) if self.max_age_s else None

    async def _confirmed(self, url: str, kept: KeptPage, ask: Ask) -> Seen:
        """Ask whether a page changed. A 304 for another address than before says nothing of the one that is kept."""
        reply = await ask(url, _conditions(kept))
        now = self.wall()
        if reply.status != HTTPStatus.NOT_MODIFIED:
            return Seen(url, reply, now)
        body = await asyncio.to_thread(self.pages.body, kept) if reply.url == kept.url else None
        if body is None:
            return Seen(url, await ask(url, NOTHING), self.wall())
        renewed = replace(kept, confirmed_at=int(now), headers={**kept.headers, **_kept_headers(reply.headers)})
        await asyncio.to_thread(self.pages.put, self._key(url), renewed)
        return Seen(url, _reply(renewed, body), now, is_kept=True)

    def _key(self, url: str) -> str:
        return hashlib.sha256(f"{self.owner}\n{url}".encode()).hexdigest()


def may_be_kept(reply: Reply) -> bool:
    """Whether a page's own headers allow to keep it: whole, and neither secret nor different for each who asks.

    `no-cache` and `max-age` do not forbid it: they say how old a page may be for those who do not say it themselves.
    """
    directives = {part.partition("=")[0].strip().lower() for part in _all(reply, "cache-control").split(",")}
    varies = "*" in _all(reply, "vary")
    return reply.status == HTTPStatus.OK and not directives & FORBIDDING and not varies


def _all(reply: Reply, name: str) -> str:
    """A header that may come in several lines."""
    return ",".join(value for given, value in reply.headers.items() if given.lower() == name)


def _kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    found = {name: headers[name] for name in KEPT_HEADERS if name in headers}
    return {name: value for name, value in found.items() if len(value) <= MOST_HEADER_CHARS}


def _conditions(kept: KeptPage) -> dict[str, str]:
    named = {"If-None-Match": kept.headers.get("ETag"), "If-Modified-Since": kept.headers.get("Last-Modified")}
    return {name: value for name, value in named.items() if value}


def _reply(kept: KeptPage, body: bytes) -> Reply:
    return Reply(kept.url, kept.status, headers_of(kept.headers), body, kept.wire_bytes, tuple(kept.redirects))
