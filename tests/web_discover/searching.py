"""Searches of the real executor, engine and drivers, over real sockets, at doubles of the vendors."""

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date

from tests.net.serving import LOOPBACK
from verbena import apis, net
from verbena.capability import Call
from verbena.catalog.web import DiscoverInput
from verbena.engine import Engine
from verbena.errors import ProviderError
from verbena.memory.providers import ProvidersMemory
from verbena.providers import ProviderRow, Setup
from web_discover.drivers import DRIVERS
from web_discover.executor import discover_with

# A test must outlive the vendor that ends with the year 2026.
LASTING = {driver.name: replace(driver, ends=None) for driver in DRIVERS}
TODAY = date(2026, 12, 1)
PATIENCE_S = 30.0


def wanted(query="otter", **more):
    return DiscoverInput(query=query, **more)


def setup(name, limit=10, **tuning):
    """What an operator lends a driver, with secrets that say their names."""
    driver = LASTING[name]
    secrets = {need: f"value-of-{need}" for need in driver.needs}
    return Setup(f"https://{name}.test", secrets, tuning, limit, TODAY)


def rows_of(*doubles):
    """One active provider for each, in this order."""
    names = [double.vendor.name for double in doubles]
    return [ProviderRow(name, name, priority=place) for place, name in enumerate(names)]


@asynccontextmanager
async def engine_at(*doubles, rows=None):
    secrets = {name: value for double in doubles for name, value in double.key.items()}
    # Where an instance of SearXNG is, only its setting says.
    base_urls = {double.vendor.name: double.base_url for double in doubles if double.vendor.name != "searxng"}
    book = ProvidersMemory(lambda: rows or rows_of(*doubles), secrets.get)
    async with net.Client(LOOPBACK) as client:

        async def send(request, *, is_own):
            return await apis.sent(client, request)

        yield Engine(book, send, base_urls)


async def search_with(engine, *, drivers=None, seconds=PATIENCE_S, **more):
    """The Portion of a search, or the ProviderError that says why there is none."""
    call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + seconds, run=_no_other_verb)
    try:
        return await discover_with(engine, drivers or list(LASTING.values()), wanted(**more), call)
    except ProviderError as error:
        return error


async def search(*doubles, rows=None, **more):
    async with engine_at(*doubles, rows=rows) as engine:
        return await search_with(engine, **more)


def searched(*doubles, **more):
    return asyncio.run(search(*doubles, **more))


def hits(portion):
    return [answer.row for answer in portion.answers]


def tried(outcome):
    return [(attempt.provider, attempt.kind or "ok") for attempt in outcome.attempts]


async def _no_other_verb(name, arguments):
    raise AssertionError(name, arguments)
