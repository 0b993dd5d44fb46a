"""Questions to the real executor, engine and drivers, over real sockets, at doubles of the sources."""

import asyncio
import time
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace

from maps import reading
from maps import search as searching
from maps.drivers import DRIVERS
from maps.serving import Desk
from tests.doubles.maps import running
from tests.net.serving import LOOPBACK
from verbena import apis, net
from verbena.capability import Call
from verbena.catalog import VERBS
from verbena.catalog.maps import MAPS_PLACE, MAPS_REVIEWS, MAPS_SEARCH
from verbena.engine import Engine
from verbena.errors import VerbenaError
from verbena.kept import Kept
from verbena.memory import PageMemory, ProvidersMemory
from verbena.providers import ProviderRow

# A test does not wait for turns; that they are taken is a test of its own.
IMPATIENT = [replace(driver, rate=None) for driver in DRIVERS]
PATIENCE_S = 30.0
SHORT_S = 0.3
CIRCLE = {"lat": 59.5, "lng": 22.5, "radius_m": 5000}
BOX = {"south": 59.4, "west": 22.3, "north": 59.6, "east": 22.7}


@dataclass
class Walked:
    """All portions of a walk, as a job would have worked them one after the other."""

    portions: list = field(default_factory=list)
    error: VerbenaError | None = None

    @property
    def rows(self):
        return [answer.row for portion in self.portions for answer in portion.answers]

    @property
    def coverage(self):
        return self.portions[-1].meta.coverage

    @property
    def units(self):
        return sum(sum(portion.units.values()) for portion in self.portions)

    @property
    def tried(self):
        attempts = [a for one in [*self.portions, *([self.error] if self.error else [])] for a in one.attempts]
        return [(attempt.provider, attempt.kind or "ok") for attempt in attempts]


@contextmanager
def sources(*names):
    with ExitStack() as stack:
        yield [stack.enter_context(running(name)) for name in names]


def rows_of(*doubles, **more):
    names = [double.vendor.name for double in doubles]
    return [ProviderRow(name, name, priority=place, **more) for place, name in enumerate(names)]


@asynccontextmanager
async def engine_at(*doubles, rows=None, pages=None):
    secrets = {name: value for double in doubles for name, value in double.key.items()}
    base_urls = {double.vendor.name: double.base_url for double in doubles}
    book = ProvidersMemory(lambda: rows or rows_of(*doubles), secrets.get)
    async with net.Client(LOOPBACK) as client:

        async def send(request, *, is_own):
            return await apis.sent(client, request)

        yield Engine(book, send, base_urls, Kept(pages or PageMemory(3600)))


def desk(engine, verb, call):
    return Desk(engine, verb, [driver for driver in IMPATIENT if driver.verb == verb.name], call)


async def portion(engine, verb, query, seconds=PATIENCE_S):
    """What one part of a job does."""
    call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + seconds, run=_no_other_verb)
    search = desk(engine, MAPS_SEARCH, call)
    if verb is MAPS_SEARCH:
        return await searching.page(query, search)
    read = reading.place if verb is MAPS_PLACE else reading.reviews
    return await read(query, desk(engine, verb, call), search)


async def walking(engine, verb, query, seconds=PATIENCE_S):
    """The first part, then what each one leaves; what is left goes through its JSON, as in a queue."""
    walked = Walked()
    try:
        while query is not None:
            walked.portions.append(await portion(engine, verb, query, seconds))
            rest = walked.portions[-1].rest
            query = rest and verb.continued.model_validate_json(rest.model_dump_json())
    except VerbenaError as error:
        walked.error = error
    return walked


async def asking(verb, doubles, seconds, rows, fields):
    async with engine_at(*doubles, rows=rows) as engine:
        return await walking(engine, verb, verb.input.model_validate(fields), seconds)


def search(*doubles, seconds=PATIENCE_S, rows=None, **fields):
    wanted = {"query": "cafe", "location": CIRCLE, "max_places": 500} | fields
    return asyncio.run(asking(MAPS_SEARCH, doubles, seconds, rows, wanted))


def look_up(*doubles, rows=None, **fields):
    return asyncio.run(asking(MAPS_PLACE, doubles, PATIENCE_S, rows, fields))


def read_reviews(*doubles, seconds=PATIENCE_S, rows=None, **fields):
    wanted = {"place": "google:ChIJmadeUpPlace00000", "max_reviews": 500} | fields
    return asyncio.run(asking(MAPS_REVIEWS, doubles, seconds, rows, wanted))


def names(walked):
    return [row.name for row in walked.rows]


def ids(walked):
    return [getattr(row, "review_id", None) or row.place_id for row in walked.rows]


async def _no_other_verb(name, arguments):
    raise AssertionError(name, arguments)


__all__ = ["BOX", "CIRCLE", "MAPS_PLACE", "MAPS_REVIEWS", "MAPS_SEARCH", "VERBS"]
