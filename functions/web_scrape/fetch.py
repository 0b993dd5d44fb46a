"""One URL within one deadline: the tries, the waits between them, and what a status means."""

import asyncio
import math
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Any, Protocol

from verbena import settings
from verbena.errors import (
    BadResponse,
    Blocked,
    ConnectFailed,
    EmptyPage,
    PageNotFound,
    RateLimited,
    ReadError,
    TruncatedBody,
    UpstreamClientError,
    UpstreamServerError,
)
from verbena.lanes import Lanes
from verbena.net import STRAIGHT, SUCCESS, Reply, Way
from verbena.urls import host
from verbena.wire import ACCEPT_ENCODING

USER_AGENT = f"{settings.AGENT}/0.1 (self-hosted page reader)"
HEADERS = MappingProxyType(
    {
        "User-Agent": USER_AGENT,
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Accept-Encoding": ACCEPT_ENCODING,
    }
)
NO_MORE: Mapping[str, str] = MappingProxyType({})

# Statuses with a meaning of their own. 202 is how AWS WAF sends its challenge, 999 how LinkedIn refuses;
# a 206 nobody asked for is a piece of a page.
VERDICTS: dict[int, type[ReadError]] = {
    202: Blocked,
    204: EmptyPage,
    205: EmptyPage,
    206: BadResponse,
    401: Blocked,
    403: Blocked,
    404: PageNotFound,
    410: PageNotFound,
    429: RateLimited,
    999: Blocked,
}
# What guards of sites say of themselves when their challenge is the answer, whatever its status: Cloudflare, AWS WAF,
# Vercel, Cachewall.
CHALLENGES = {
    "cf-mitigated": {"challenge"},
    "x-amzn-waf-action": {"challenge", "captcha"},
    "x-vercel-mitigated": {"challenge", "deny"},
    "x-cachewall-action": {"challenge"},
}
CLASSES: dict[int, type[ReadError]] = {4: UpstreamClientError, 5: UpstreamServerError}
# Answers of a gateway or of a server in trouble; 500 and the rest come again whatever we do.
PASSING = frozenset({408, 425, 502, 503, 504, 520, 521, 522, 523, 524})
LOST = (ConnectFailed, TruncatedBody, RateLimited)

FIRST_WAIT_S = 0.5


class Getter(Protocol):
    """What is needed of a client: the guarded one, or what answers in its place."""

    @property
    def lanes(self) -> Lanes: ...
    async def get(self, url: str, *, headers: Mapping[str, str], deadline: float, way: Way = ...) -> Reply: ...


@dataclass
class Patience:
    """The seconds one page may take, redirects, tries and waits together, counted from when its first turn comes."""

    seconds: float
    until: float | None = None

    def deadline(self) -> float:
        """A reading of `time.monotonic`; asking for it starts the clock."""
        if self.until is None:
            self.until = time.monotonic() + self.seconds
        return self.until


@dataclass(frozen=True, slots=True)
class Pace:
    """Time and chance of the waits between tries: `wall` in seconds of the epoch, `jitter` from 0 to 1."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    wall: Callable[[], float] = time.time
    jitter: Callable[[], float] = random.random

    def backoff(self, tries: int) -> float:
        """Doubles with each try, and is spread so that many callers do not come back as one."""
        return FIRST_WAIT_S * 2.0 ** (tries - 1) * (0.5 + self.jitter() / 2)


async def fetch(
    client: Getter,
    url: str,
    more: Mapping[str, str] = NO_MORE,
    *,
    patience: Patience,
    way: Way = STRAIGHT,
    pace: Pace | None = None,
) -> Reply:
    """The last answer for a normalised URL, whatever its status; raises the ReadError that says why none came.

    `more` are headers beside the usual ones. It keeps its turn while it waits: a host that asks for patience gets
    fewer requests, not other ones.
    """
    async with client.lanes.lane(host(url)):
        outcome = await ask(client, url, more, deadline=patience.deadline(), way=way, pace=pace or Pace())
    if isinstance(outcome, ReadError):
        raise outcome
    return outcome


async def ask(
    client: Getter, url: str, more: Mapping[str, str] = NO_MORE, *, deadline: float, pace: Pace, way: Way = STRAIGHT
) -> Reply | ReadError:
    """The last of the tries that `deadline` leaves time for, without taking a turn."""
    headers = {**HEADERS, **more}
    outcome = await _tried(client, url, headers, deadline, way)
    for tries in range(1, settings.TRIES):
        wait = _wait(outcome, tries, pace)
        if wait is None or time.monotonic() + wait >= deadline:
            break
        await pace.sleep(wait)
        outcome = await _tried(client, url, headers, deadline, way)
    return outcome


def verdict(reply: Reply, wall: Callable[[], float] = time.time) -> ReadError | None:
    """Why an answer is not a page, judged by its status and headers; None if it may be one."""
    facts: dict[str, Any] = {"http_status": reply.status}
    if reply.redirects:
        facts["final_url"] = reply.url
    if any(reply.headers.get(name) in values for name, values in CHALLENGES.items()):
        return Blocked(**facts)
    kind = VERDICTS.get(reply.status)
    if reply.status in SUCCESS and kind is None:
        return None if reply.body else EmptyPage(**facts)
    after = retry_after(reply.headers.get("Retry-After", ""), wall())
    if after is not None:
        facts["retry_after_s"] = math.ceil(after)
    said = None if kind else f"the server answered {reply.status}"
    return (kind or CLASSES.get(reply.status // 100, BadResponse))(said, **facts)


def retry_after(value: str, now: float) -> float | None:
    """The seconds a Retry-After asks for, given as a number or a date; None if it says nothing sensible."""
    value = value.strip()
    if re.fullmatch(r"\d{1,12}(\.\d*)?", value, re.ASCII):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError):
        return None


async def _tried(client: Getter, url: str, headers: Mapping[str, str], deadline: float, way: Way) -> Reply | ReadError:
    try:
        return await client.get(url, headers=headers, deadline=deadline, way=way)
    except ReadError as error:
        return error


def _wait(outcome: Reply | ReadError, tries: int, pace: Pace) -> float | None:
    """Seconds until another try makes sense; None if it does not."""
    error = verdict(outcome, pace.wall) if isinstance(outcome, Reply) else outcome
    if error is None or not _passing(error):
        return None
    asked = error.details.get("retry_after_s")
    return pace.backoff(tries) if not asked else float(asked)


def _passing(error: ReadError) -> bool:
    if "robots_url" in error.details:  # it had its own tries
        return False
    if isinstance(error, UpstreamClientError | UpstreamServerError):
        return error.details["http_status"] in PASSING
    return isinstance(error, LOST)
