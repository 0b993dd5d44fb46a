"""The executor of web.scrape: all pages at once, one row for each that came in time."""

import asyncio
import contextlib
from collections.abc import Sequence

from verbena import settings
from verbena.capability import Answer, Call, Portion
from verbena.catalog.web import ScrapedPage, ScrapeInput
from web_scrape.cache import Cache
from web_scrape.fetch import Pace
from web_scrape.rows import error_row, page_row
from web_scrape.tiers import Tier, chosen
from web_scrape.visit import Refused, Visit


async def scrape(input: ScrapeInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """Read the pages; a URL without a row when the call must end is left unanswered."""
    return await scrape_with(chosen(settings.current()), input, call)


async def scrape_with(tiers: Sequence[Tier], wanted: ScrapeInput, call: Call, pace: Pace | None = None) -> Portion:
    """The same over given tiers."""
    pace = pace or Pace()
    kept = Cache(call.services.pages, call.owner, wanted.max_age_s, pace.wall)
    visit = Visit(tiers, wanted, pace, kept)
    rows: dict[int, ScrapedPage] = {}

    async def answer(index: int, url: str) -> None:
        outcome = await visit.of(url)
        if isinstance(outcome, Refused):
            rows[index] = error_row(index, url, outcome.error, outcome.seen)
        else:
            rows[index] = page_row(index, url, outcome.seen, outcome.page)
            await kept.keep(outcome.seen)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(call.remaining()), asyncio.TaskGroup() as group:
            for index, url in enumerate(wanted.urls):
                group.create_task(answer(index, url))
    return Portion(answers=tuple(_answer(index, rows[index]) for index in sorted(rows)))


def _answer(index: int, row: ScrapedPage) -> Answer:
    return Answer(row=row, position=index, from_cache=row.metadata is not None and row.metadata.cache_age_s is not None)
