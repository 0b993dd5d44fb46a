"""The executor of web.scrape: all pages at once, one row for each that came in time."""

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

from verbena import net, settings
from verbena.capability import Answer, Call, Portion
from verbena.catalog.web import ScrapedPage, ScrapeInput
from verbena.errors import Blocked, ReadError, UpstreamServerError
from verbena.guard import configured
from verbena.urls import normalise
from web_scrape.cache import Ask, Cache, Visit
from web_scrape.fetch import Getter, Pace, fetch, verdict
from web_scrape.page import Page, read_page
from web_scrape.rows import error_row, page_row


async def scrape(input: ScrapeInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """Read the pages; a URL without a row when the call must end is left unanswered."""
    current = settings.current()
    client = net.client(configured(current.allow_networks, current.refuse_endpoints))
    return await scrape_with(client, input, call)


async def scrape_with(client: Getter, wanted: ScrapeInput, call: Call, pace: Pace | None = None) -> Portion:
    """The same over a given client."""
    rows: dict[int, ScrapedPage] = {}
    kept = Cache(call.services.pages, call.owner, wanted.max_age_s, (pace or Pace()).wall)

    async def answer(index: int, url: str) -> None:
        ask = partial(fetch, client, timeout_s=wanted.timeout_s, pace=pace)
        rows[index], visit = await _row(kept, ask, index, url, wanted)
        if visit is not None and rows[index].error is None:
            await kept.keep(visit)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(call.remaining()), asyncio.TaskGroup() as group:
            for index, url in enumerate(wanted.urls):
                group.create_task(answer(index, url))
    return Portion(answers=tuple(_answer(index, rows[index]) for index in sorted(rows)))


def _answer(index: int, row: ScrapedPage) -> Answer:
    return Answer(row=row, position=index, from_cache=row.metadata is not None and row.metadata.cache_age_s is not None)


async def _row(kept: Cache, ask: Ask, index: int, url: str, wanted: ScrapeInput) -> tuple[ScrapedPage, Visit | None]:
    visit: Visit | None = None
    try:
        visit = await kept.visit(normalise(url), ask)
        reply = visit.reply
        if (refusal := verdict(reply)) is not None:
            raise await _sharpened(refusal, reply, wanted)
        page = await _read(reply, wanted)
    except ReadError as error:
        return error_row(index, url, error, visit), visit
    return page_row(index, url, visit, page), visit


async def _sharpened(refusal: ReadError, reply: net.Reply, wanted: ScrapeInput) -> ReadError:
    """A server's failure may be a bot wall in disguise, which its text tells."""
    if not isinstance(refusal, UpstreamServerError) or not reply.body:
        return refusal
    try:
        await _read(reply, wanted)
    except Blocked as wall:
        return wall
    except ReadError:
        return refusal
    return refusal


async def _read(reply: net.Reply, wanted: ScrapeInput) -> Page:
    """The text of a page, made in a thread: it can take longer than the event loop may stand still."""
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
    return await asyncio.get_running_loop().run_in_executor(_readers(), work)


@cache
def _readers() -> ThreadPoolExecutor:
    """Two, so that one slow page does not hold up all.

    More only fight over the interpreter: 60 pages of 166 KiB took as long with six, and the event loop then
    stood still for up to 140 ms instead of 40.
    """
    return ThreadPoolExecutor(max_workers=2, thread_name_prefix="pages")
