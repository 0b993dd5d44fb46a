"""The SearXNG driver at a real server nobody here wrote, through the engine and the executor."""

import asyncio

import pytest

from tests.net.serving import LOOPBACK
from tests.searx.serving import PAGES, missing, running
from tests.web_discover.searching import hits, search_with, tried
from verbena import apis, net
from verbena.engine import Engine
from verbena.errors import AllProvidersFailed
from verbena.memory.providers import ProvidersMemory
from verbena.providers import ProviderRow

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="module")
def searx(tmp_path_factory):
    with running(tmp_path_factory.mktemp("searx")) as base_url:
        yield base_url


async def at(base_url, **more):
    async with net.Client(LOOPBACK) as client:

        async def send(request, *, is_own):
            assert is_own  # which lets a deployment reach an instance in its own network
            return await apis.sent(client, request)

        book = ProvidersMemory(lambda: [ProviderRow("mine", "searxng")], {"SEARXNG_URL": base_url}.get)
        return await search_with(Engine(book, send), **more)


def searched(base_url, **more):
    return asyncio.run(at(base_url, **more))


def test_hits_of_its_engines_are_rows_of_plain_text(searx):
    outcome = searched(searx, query="otter")

    found = {hit.url: hit for hit in hits(outcome)}
    assert tried(outcome) == [("mine", "ok")]
    assert {url for _, url, _ in PAGES} < found.keys()
    assert found["https://zoo.example.com/kin?page=2"].title == "Otters & their kin"
    report = found["https://press.example.net/otter/5"]
    assert (report.title, report.snippet) == ("otter & more, 5", "An early report on otter.")
    assert report.extras == {"engines": ["press"], "category": "general"}
    assert all(hit.score and hit.published_at is None for hit in found.values())
    assert (outcome.vendor_cost_micros, outcome.unknown_costs) == (0, 0)


def test_an_address_with_a_slash_at_its_end_is_the_same_instance(searx):
    assert hits(searched(f"{searx}/", query="otter"))


def test_a_search_is_cut_to_the_hits_asked_for(searx):
    assert len(hits(searched(searx, query="!press otter", top_k=2))) == 2


@pytest.mark.parametrize(
    "more",
    [
        {"language": "en"},
        {"language": "en-gb"},
        {"language": "pt-BR"},
        {"language": "zh-Hant"},
        {"language": "en", "region": "gb"},
        {"safe_search": "off"},
        {"safe_search": "moderate"},
        {"safe_search": "strict"},
        {"include_domains": ["example.org", "example.com"], "exclude_domains": ["example.net"]},
    ],
)
def test_it_takes_every_filter_in_the_drivers_words(searx, more):
    assert tried(searched(searx, query="otter", **more)) == [("mine", "ok")]


@pytest.mark.parametrize("unit", ["day", "week", "month", "year"])
def test_an_engine_that_knows_no_dates_is_not_asked_for_fresh_hits(searx, unit):
    """So that a freshness is never dropped in silence: it finds less, and nothing old."""
    outcome = searched(searx, query="!press otter", freshness=unit)

    assert tried(outcome) == [("mine", "ok")]
    assert hits(outcome) == []


def test_nothing_found_is_a_success(searx):
    outcome = searched(searx, query="!press nothing")

    assert tried(outcome) == [("mine", "ok")]
    assert hits(outcome) == []


def test_a_search_whose_engines_all_failed_is_no_success(searx):
    outcome = searched(searx, query="!broken otter")

    assert isinstance(outcome, AllProvidersFailed)
    assert tried(outcome) == [("mine", "transient")]
    assert "broken: " in outcome.attempts[0].message


def test_an_address_that_is_not_the_instances_is_a_matter_of_its_settings(searx):
    outcome = searched(f"{searx}/elsewhere", query="otter")

    assert tried(outcome) == [("mine", "config")]
    assert "HTTP 404: SEARXNG_URL must be the address of the instance" in outcome.attempts[0].message
