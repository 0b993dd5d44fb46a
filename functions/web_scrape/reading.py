"""The work on a page that takes the processor, kept off the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TypeVar

from verbena import net
from verbena.catalog.web import ScrapeInput
from web_scrape import refresh
from web_scrape.page import Page, read_page

T = TypeVar("T")


async def read(reply: net.Reply, wanted: ScrapeInput) -> Page:
    """The page in an answer; raises what `read_page` raises."""
    work = partial(
        read_page,
        reply.body,
        url=reply.url,
        content_type=reply.headers.get("Content-Type"),
        http_status=reply.status,
        format=wanted.format,
        only_main_content=wanted.only_main_content,
        include=frozenset(wanted.include),
        max_chars=wanted.max_chars,
    )
    return await aside(work)


async def onward(reply: net.Reply) -> str | None:
    """Where a page sends its visitors on by itself."""
    return await aside(partial(refresh.target, reply)) if refresh.hinted(reply) else None


async def aside(work: Callable[[], T]) -> T:
    """What `work` returns, from a thread: it can take longer than the event loop may stand still."""
    return await asyncio.get_running_loop().run_in_executor(_readers(), work)


@cache
def _readers() -> ThreadPoolExecutor:
    """Two, so that one slow page does not hold up all.

    More only fight over the interpreter: 60 pages of 166 KiB took as long with six, and the event loop then
    stood still for up to 140 ms instead of 40.
    """
    return ThreadPoolExecutor(max_workers=2, thread_name_prefix="pages")
