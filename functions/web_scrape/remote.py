"""A browser in a function of its own: what is asked of it, and what comes back."""

import asyncio
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

from pydantic_core import from_json, to_json

from verbena import net, settings
from verbena.errors import BodyTooLarge, ReadError, TimedOut, by_code
from verbena.guard import configured
from verbena.lanes import Lanes
from verbena.net import STRAIGHT, Reply, Way, headers_of
from web_scrape import robots
from web_scrape.browser import Browser
from web_scrape.fetch import HEADERS, Pace

# A Lambda answers at most 6 MB, and base64 makes four bytes of three.
ANSWER_CAP_BYTES: Final = 4 * 1024 * 1024
# Waiting is all that happens here; there, each has a container of its own.
AT_ONCE: Final = 16


@dataclass(frozen=True)
class RemoteBrowser:
    """Stands where the guarded client does, and waits for the function `name`."""

    name: str
    lanes: Lanes

    @classmethod
    def of(cls, name: str) -> "RemoteBrowser":
        return cls(name, Lanes(AT_ONCE, settings.CONNECTIONS_PER_HOST))

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str],  # noqa: ARG002 - it has the same
        deadline: float,
        way: Way = STRAIGHT,
    ) -> Reply:
        """As the browser's; robots.txt is asked there if `way` asks it here."""
        from verbena.aws import functions  # noqa: PLC0415 - a process without this tier does without AWS

        seconds = deadline - time.monotonic()
        wanted = to_json({"url": url, "seconds": seconds, "robots": way.enter is not net.anywhere})
        try:
            async with asyncio.timeout(seconds):  # which it does not know when it has to start first
                work = partial(functions.invoke, self.name, wanted)
                answered = await asyncio.get_running_loop().run_in_executor(_waiting(), work)
        except TimeoutError as error:
            raise TimedOut from error
        return opened(from_json(answered))


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """The Lambda entry of the browser's function."""
    return _runner().run(answer(event))


async def answer(event: Mapping[str, Any]) -> dict[str, Any]:
    """One page as its scripts leave it, or the error that says why not; never raises a ReadError."""
    current = settings.current()
    guard = configured(current.allow_networks, current.refuse_endpoints)
    way = Way(enter=robots.gate(net.client(guard), Pace())) if event["robots"] else STRAIGHT
    deadline = time.monotonic() + event["seconds"]
    try:
        browser = Browser(guard, sandbox=current.browser_sandbox)
        return packed(await browser.get(event["url"], headers=HEADERS, deadline=deadline, way=way))
    except ReadError as error:
        return {"code": error.code, "message": error.message, "details": error.details}


def packed(reply: Reply) -> dict[str, Any]:
    """An answer that fits into one of a Lambda; BodyTooLarge if it does not."""
    body = zlib.compress(reply.body)
    if len(body) > ANSWER_CAP_BYTES:
        raise BodyTooLarge
    return {
        "url": reply.url,
        "status": reply.status,
        "headers": dict(reply.headers),
        "body": b64encode(body).decode(),
        "redirects": reply.redirects,
    }


def opened(answered: Mapping[str, Any]) -> Reply:
    """What `answer` made; raises the error it tells of."""
    if "code" in answered:
        raise by_code(answered["code"])(answered["message"], **answered["details"])
    body = zlib.decompress(b64decode(answered["body"]))
    headers = headers_of(answered["headers"])
    return Reply(answered["url"], answered["status"], headers, body, len(body), tuple(answered["redirects"]))


@cache
def _waiting() -> ThreadPoolExecutor:
    """Threads for this alone: half a minute of waiting must not hold up the stores and readers of other ones."""
    return ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="browsers")


@cache
def _runner() -> asyncio.Runner:
    """One loop for the life of the process: what is known of robots.txt belongs to it."""
    return asyncio.Runner()
