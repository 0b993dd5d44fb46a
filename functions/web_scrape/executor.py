"""The executor of web.scrape: all pages at once, one row for each that came in time."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass

from verbena import net, settings
from verbena.capability import Answer, Call, Portion
from verbena.catalog.web import ScrapedPage, ScrapeInput
from verbena.errors import Blocked, ReadError, UpstreamServerError
from verbena.guard import configured
from verbena.urls import normalise
from web_scrape import robots
from web_scrape.cache import Cache, Seen
from web_scrape.fetch import Getter, Pace, fetch, verdict
from web_scrape.reading import onward, read
from web_scrape.rows import error_row, page_row


async def scrape(input: ScrapeInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """Read the pages; a URL without a row when the call must end is left unanswered."""
    current = settings.current()
    client = net.client(configured(current.allow_networks, current.refuse_endpoints))
    return await scrape_with(client, input, call)


async def scrape_with(client: Getter, wanted: ScrapeInput, call: Call, pace: Pace | None = None) -> Portion:
    """The same over a given client."""
    visit = Visit(client, wanted, pace or Pace())
    rows: dict[int, ScrapedPage] = {}
    kept = Cache(call.services.pages, call.owner, wanted.max_age_s, visit.pace.wall)

    async def answer(index: int, url: str) -> None:
        rows[index], seen = await _row(visit, kept, index, url)
        if seen is not None and rows[index].error is None:
            await kept.keep(seen)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(call.remaining()), asyncio.TaskGroup() as group:
            for index, url in enumerate(wanted.urls):
                group.create_task(answer(index, url))
    return Portion(answers=tuple(_answer(index, rows[index]) for index in sorted(rows)))


def _answer(index: int, row: ScrapedPage) -> Answer:
    return Answer(row=row, position=index, from_cache=row.metadata is not None and row.metadata.cache_age_s is not None)


@dataclass(frozen=True)
class Visit:
    """How the pages of one call are read."""

    client: Getter
    wanted: ScrapeInput
    pace: Pace

    @property
    def way(self) -> net.Way:
        respectful = self.wanted.respect_robots
        return net.Way(enter=robots.gate(self.client, self.pace) if respectful else net.anywhere, onward=onward)

    async def ask(self, url: str, more: Mapping[str, str]) -> net.Reply:
        timeout_s = self.wanted.timeout_s
        return await fetch(self.client, url, more, timeout_s=timeout_s, way=self.way, pace=self.pace)


async def _row(visit: Visit, kept: Cache, index: int, url: str) -> tuple[ScrapedPage, Seen | None]:
    seen: Seen | None = None
    try:
        seen = await kept.visit(normalise(url), visit.ask)
        reply = seen.reply
        if (refusal := verdict(reply)) is not None:
            raise await _sharpened(refusal, reply, visit.wanted)
        page = await read(reply, visit.wanted)
    except ReadError as error:
        return error_row(index, url, error, seen), seen
    return page_row(index, url, seen, page), seen


async def _sharpened(refusal: ReadError, reply: net.Reply, wanted: ScrapeInput) -> ReadError:
    """A server's failure may be a bot wall in disguise, which its text tells."""
    if not isinstance(refusal, UpstreamServerError) or not reply.body:
        return refusal
    try:
        await read(reply, wanted)
    except Blocked as wall:
        return wall
    except ReadError:
        return refusal
    return refusal
