"""A search that also reads what it found."""

import asyncio
import time

from tests.doubles import running
from tests.web_discover.searching import LASTING, engine_at, wanted
from verbena.capability import Answer, Call, Portion
from verbena.catalog.web import ScrapedPage
from verbena.envelope import ErrorInfo
from verbena.errors import Blocked
from web_discover.executor import discover_with


def page(position, url):
    """Of three pages one is read, one is blocked, and for one there is no time."""
    if position == 1:
        return ScrapedPage(index=1, status="failed", url=url, error=ErrorInfo.of(Blocked()))
    return ScrapedPage(index=position, status="success", url=url, content=f"# {url}")


async def read_with(double, **more):
    asked = []

    async def run(name, arguments):
        asked.append((name, arguments.urls))
        pages = [Answer(page(position, url), position) for position, url in enumerate(arguments.urls[:2])]
        return Portion(answers=tuple(pages))

    async with engine_at(double) as engine:
        call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 30, run=run)
        return asked, await discover_with(engine, list(LASTING.values()), wanted(**more), call)


def test_each_hit_has_its_page_or_why_there_is_none():
    with running("brave") as double:
        asked, portion = asyncio.run(read_with(double, include=["content"], top_k=3))

    found = [answer.row for answer in portion.answers]
    assert asked == [("web.scrape", [hit.url for hit in found])]
    assert [(hit.content, hit.content_error) for hit in found] == [
        (f"# {found[0].url}", None),
        (None, "blocked"),
        (None, "not_attempted"),
    ]


def test_nothing_is_read_unasked_or_when_nothing_was_found():
    with running("brave") as double:
        assert asyncio.run(read_with(double))[0] == []
        double.will("empty")
        assert asyncio.run(read_with(double, include=["content"]))[0] == []
