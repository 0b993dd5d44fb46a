"""Maps through the whole call path: jobs of pages, money, and calls that no provider can serve."""

import asyncio
import json

import pytest

from tests.doubles.maps import running
from tests.maps.asking import CIRCLE
from verbena import memory, net, settings
from verbena.billing import price_book
from verbena.calls import Calls
from verbena.capability import Services
from verbena.catalog import VERBS
from verbena.memory import LedgerMemory, Memory, PageMemory, ProvidersMemory, QueueMemory
from verbena.providers import ProviderRow
from verbena.request import Caller
from verbena.selection import usual

OWNER, FUNDS, PRICE = "owner", 100_000_000, 3500
PLACE = "google:ChIJmadeUpPlace00000"


class World:
    """One installation in memory, whose clock moves only when somebody waits."""

    def __init__(self, rows):
        self.time = 1_700_000_000.0
        self.store = Memory(lambda: self.time)
        self.ledger = LedgerMemory(self.store)
        self.ledger.top_up(OWNER, FUNDS)
        self.queue = QueueMemory(lambda: self.time, self._wait)
        services = Services(ProvidersMemory(lambda: rows, settings.secret), PageMemory(3600))
        backend = memory.backend(self.queue, self.store, services=services)
        self.calls = Calls(backend, VERBS, price_book({}), 86_400, {})

    async def _wait(self, seconds):
        self.time += seconds
        await asyncio.sleep(0)

    def call(self, verb, **body):
        return asyncio.run(self._called(verb, body))

    async def _called(self, verb, body):
        """The answer, and the job behind it worked to its end."""
        answer = await self.calls.run(VERBS[verb], body, Caller(OWNER, "key", "c"))
        ended = await self._ended(answer.job_id) if answer.status == "pending" else answer
        await net.close()
        return answer, ended

    async def _ended(self, job_id):
        await self.queue.drain(self.calls.parts)
        reading = self.calls.reading
        return await reading.page(await reading.job(OWNER, job_id), 0, 1000, "")

    def resume(self, job_id):
        return asyncio.run(self._resumed(job_id))

    async def _resumed(self, job_id):
        reading = self.calls.reading
        job = await reading.job(OWNER, job_id)
        body = await reading.unfinished(job)
        again = await self.calls.run(VERBS[job.verb], body, Caller(OWNER, "key", "c"), job_id)
        ended = await self._ended(again.job_id)
        await net.close()
        return ended

    @property
    def spent(self):
        wallet = self.ledger.wallet(OWNER)
        assert wallet.held == 0
        return FUNDS - wallet.available


@pytest.fixture
def world(monkeypatch):
    """Makes an installation whose providers are these doubles."""
    monkeypatch.setenv("VERBENA_ALLOW_NETWORKS", "127.0.0.1/32")

    def make(*doubles):
        for double in doubles:
            monkeypatch.setenv(f"VERBENA_{double.vendor.name.upper()}_BASE_URL", double.base_url)
            for name, value in double.key.items():
                monkeypatch.setenv(name, value)
        settings.current.cache_clear()
        return World([ProviderRow(double.vendor.name, double.vendor.name) for double in doubles])

    yield make
    settings.current.cache_clear()


def search(world, **fields):
    return world.call("maps.search", **{"query": "cafe", "location": CIRCLE} | fields)


def test_one_page_ends_in_the_request(world):
    """A13"""
    with running("google_places") as double:
        here = world(double)

        answer, _ = search(here)

        assert (answer.status, len(answer.results)) == ("completed", 20)
        assert answer.meta.coverage.capped_by == "limit"
        assert here.spent == 20 * PRICE


def test_several_pages_are_a_job_with_one_bill(world):
    """A13"""
    with running("google_places") as double:
        here = world(double)

        answer, ended = search(here, max_places=100)

        assert (answer.status, answer.progress.done) == ("pending", 20)
        assert (ended.status, len(ended.results), ended.error) == ("completed", 45, None)
        assert len({row["place_id"] for row in ended.results}) == 45
        assert ended.meta.coverage.returned == 45
        assert ended.usage.units == {"maps_place": 45}
        assert here.spent == 45 * PRICE


def test_reviews_are_billed_by_the_page_in_a_job_too(world):
    """A15"""
    with running("serpapi") as double:
        here = world(double)

        _, ended = here.call("maps.reviews", place=PLACE, max_reviews=100)

        assert len(ended.results) == 30
        assert ended.usage.units == {"maps_reviews_page": 3}
        assert here.spent == 3 * PRICE


def test_numbers_come_back_from_a_job_as_they_are_inline(world):
    """Open case ddb-float: 4.4 and 812 are numbers, no texts, and not 812.0."""
    with running("google_places") as double:
        here = world(double)

        inline, _ = search(here, max_places=1)
        _, job = search(here, max_places=1, **{"async": True})

        (one,), (other,) = inline.results, job.results
        assert {**one, "fetched_at": ""} == {**other, "fetched_at": ""}
        assert '"rating": 4.4, "review_count": 812,' in json.dumps(other)


def test_a_job_whose_page_failed_at_last_can_be_resumed_where_it_stood(world):
    with running("google_places") as double:
        here = world(double)
        double.will("success", "internal")
        answer, ended = search(here, max_places=100)
        assert (len(ended.results), ended.error.code) == (20, "ALL_PROVIDERS_FAILED")
        assert here.spent == 20 * PRICE

        double.will("success")
        again = here.resume(answer.job_id)

        assert len(again.results) == 25
        assert again.error is None
        first = {row["place_id"] for row in ended.results}
        assert not first & {row["place_id"] for row in again.results}
        assert here.spent == 45 * PRICE


def test_where_a_walk_stands_is_nobodys_to_say(world):
    """A caller cannot make another provider go on with a token of his own, or call places seen."""
    walk = {"provider": "google_places", "limit": 500, "more": {"token": "forged"}}
    with running("google_places") as double:
        here = world(double)

        answer, _ = search(here, walk=walk)

        assert answer.error.code == "invalid_input"
        assert answer.error.details["fields"][0]["field"] == "walk"
        assert double.requests == []
        assert "walk" not in VERBS["maps.search"].request_schema()["properties"]


@pytest.mark.parametrize("how", [{}, {"async": True}])
def test_no_source_of_reviews_is_told_at_once_and_not_by_a_job(world, how):
    with running("osm") as double:
        here = world(double)

        answer, _ = here.call("maps.reviews", place=PLACE, **how)

        assert (answer.status, answer.job_id) == ("completed", None)
        assert answer.error.code == "NO_ELIGIBLE_PROVIDER"
        assert here.queue.messages == []
        assert here.spent == 0


@pytest.mark.parametrize("how", [{}, {"async": True}])
def test_no_providers_at_all_is_told_at_once(world, how):
    """A18"""
    here = world()

    answer, _ = search(here, **how)

    assert (answer.status, answer.error.code) == ("completed", "NO_PROVIDERS_CONFIGURED")


@pytest.mark.parametrize("how", [{}, {"async": True}])
def test_an_input_that_names_no_place_is_told_at_once(world, how):
    here = world()

    answer, _ = here.call("maps.reviews", place="gibberish", **how)

    assert (answer.status, answer.error.code) == ("completed", "invalid_input")


def test_a_key_of_an_earlier_call_is_answered_even_when_its_provider_is_gone(world):
    with running("google_places") as double:
        here = world(double)
        body = {"idempotency_key": "k", "async": True, "max_places": 1}
        first, _ = search(here, **body)
        here.calls.backend.services.book.rows_of().clear()

        again, _ = search(here, **body)

        assert again.job_id == first.job_id
        assert again.error is None


def test_a_provider_of_a_new_deployment_is_one_for_all_its_verbs():
    drivers = [driver for verb in VERBS.values() for driver in verb.load_drivers()]

    rows = {row.name: row.priority for row in usual(drivers)}

    assert {name: rows[name] for name in ("google_places", "serpapi", "osm_extract", "osm")} == {
        "google_places": 10,
        "serpapi": 20,
        "osm_extract": 80,
        "osm": 90,
    }
