"""What the robots.txt of a site allows: asked for once per origin, kept for a while, with failure rules of its own.

RFC 9309. No rules (a 4xx, a circle of redirects) allow everything; rules that cannot be known now (a 5xx, a 429, an
answer that breaks off or does not come) allow nothing, and the row says to try again. A server that is not there at
all is reported as that, for its pages are not there either.
"""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from verbena import settings
from verbena.errors import (
    ConnectFailed,
    DnsFailure,
    ForbiddenAddress,
    InvalidUrl,
    ReadError,
    RobotsDenied,
    RobotsUnreachable,
    TlsFailure,
    TooManyRedirects,
)
from verbena.net import SUCCESS, Reply
from web_scrape.fetch import Getter, Pace, ask
from web_scrape.reading import aside

Allows = Callable[[str], bool]

# Servers that are not there: their pages end the same way, whose names tell more than "no robots.txt".
ABSENT = (ConnectFailed, DnsFailure, ForbiddenAddress, TlsFailure)
# Redirects that lead to no answer are no rules (RFC 9309, 2.3.1.2).
ASTRAY = (InvalidUrl, TooManyRedirects)
TOO_MANY_REQUESTS: Final = 429
SERVER_ERROR: Final = 500

_AGENT_LINE = re.compile(r"\s*user[\s-]?agent\s*[:\s]\s*(?P<name>[^\s#]*)", re.IGNORECASE)
_TOKEN = re.compile(r"[a-z_-]*")
# What an origin costs beside its rules.
_ENTRY_BYTES: Final = 1024


@dataclass(frozen=True)
class Known:
    """What was found out about an origin, `size` bytes of it, and until when (`time.monotonic`) that is good."""

    found: Allows | ReadError
    size: int
    until: float


class Robots:
    """The rules of the origins that one client has met."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._size = 0
        self._asked: dict[str, asyncio.Task[Known]] = {}

    async def admit(self, client: Getter, pace: Pace, url: str) -> None:
        """Raises RobotsDenied for a page that may not be read, and another ReadError when that cannot be known."""
        address = robots_url(url)
        found = (await self._of(client, pace, address)).found
        if isinstance(found, ReadError):
            raise type(found)(found.message, **found.details)  # anew: one error must not be raised in many tasks
        if not found(url):
            raise RobotsDenied(robots_url=address, user_agent=settings.AGENT)

    async def _of(self, client: Getter, pace: Pace, address: str) -> Known:
        known = self._known.get(address)
        if known is not None and known.until > self._clock():
            return known
        task = self._asked.get(address)
        if task is None:
            task = self._asked[address] = asyncio.create_task(self._learn(client, pace, address))
            task.add_done_callback(lambda _: self._asked.pop(address))
        # Others wait for the same answer, so the end of one who asked must not be the end of it.
        return await asyncio.shield(task)

    async def _learn(self, client: Getter, pace: Pace, address: str) -> Known:
        outcome = await ask(client, address, deadline=time.monotonic() + settings.ROBOTS_TIMEOUT_S, pace=pace)
        found = await _judged(outcome, address)
        size = len(outcome.body[: settings.ROBOTS_CAP_BYTES]) if isinstance(outcome, Reply) else 0
        kept = settings.ROBOTS_FAILED_KEPT_S if isinstance(found, ReadError) else settings.ROBOTS_KEPT_S
        known = Known(found, size + _ENTRY_BYTES, self._clock() + kept)
        self._keep(address, known)
        return known

    def _keep(self, address: str, known: Known) -> None:
        if old := self._known.pop(address, None):
            self._size -= old.size
        self._known[address] = known
        self._size += known.size
        while self._size > settings.ROBOTS_CACHE_BYTES:
            _, oldest = self._known.popitem(last=False)
            self._size -= oldest.size


_ROBOTS: WeakKeyDictionary[Getter, Robots] = WeakKeyDictionary()


def gate(client: Getter, pace: Pace) -> Callable[[str], Awaitable[None]]:
    """What to ask before each request that `client` makes for a page."""
    return partial(_ROBOTS.setdefault(client, Robots()).admit, client, pace)


def robots_url(url: str) -> str:
    """Where the rules for a normalised URL stand."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"


def rules(body: bytes) -> Allows:
    """What a robots.txt allows; of a longer one than RFC 9309 asks for, the whole lines of its beginning."""
    import protego  # noqa: PLC0415 - 40 ms that only the first robots.txt costs

    text = body[: settings.ROBOTS_CAP_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.splitlines()
    if len(body) > settings.ROBOTS_CAP_BYTES:
        lines = lines[:-1]
    parsed = protego.Protego.parse("\n".join(map(_ours, lines)))
    return lambda url: bool(parsed.can_fetch(url, settings.AGENT))


def _ours(line: str) -> str:
    """Names of other agents become one: the parser copies every rule for each of them, which hostile files use."""
    named = _AGENT_LINE.match(line)
    if named is None:
        return line
    name = named["name"].lower()
    ours = name == "*" or _TOKEN.match(name)[0] == settings.AGENT.lower()  # type: ignore[index]  # it matches anything
    return f"User-agent: {(name if name == '*' else settings.AGENT) if ours else 'other'}"


async def _judged(outcome: Reply | ReadError, address: str) -> Allows | ReadError:
    if isinstance(outcome, ReadError):
        return _without_answer(outcome, address)
    if outcome.status in SUCCESS:
        return await aside(partial(rules, outcome.body))
    if outcome.status == TOO_MANY_REQUESTS or outcome.status >= SERVER_ERROR:
        return RobotsUnreachable(robots_url=address, http_status=outcome.status)
    return _everything


def _without_answer(error: ReadError, address: str) -> Allows | ReadError:
    if isinstance(error, ASTRAY):
        return _everything
    if isinstance(error, ABSENT):
        return type(error)(error.message, **error.details, robots_url=address)
    return RobotsUnreachable(robots_url=address, reason=error.code)


def _everything(_url: str) -> bool:
    return True
