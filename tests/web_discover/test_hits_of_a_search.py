"""How many hits a search brings, and in which order."""

import pytest

from tests.doubles import running
from tests.web_discover.searching import hits, searched
from verbena.providers import ProviderRow
from web_discover.drivers import DRIVERS

CAPS = {
    "brave": 20,
    "tavily": 20,
    "perplexity": 20,
    "google_cse": 10,
    "exa": 100,
    "serper": 10,
    "searxng": None,
    "linkup": None,
    "baidu": 50,
    "duckduckgo": 30,
}


def test_each_driver_knows_how_many_hits_a_call_can_bring():
    """C19: as in the contracts; a cap nobody published is none."""
    assert {driver.name: driver.most for driver in DRIVERS if driver.name in CAPS} == CAPS


@pytest.mark.parametrize(
    ("top_k", "override", "asked"), [(0, None, 1), (-1, None, 1), (50, None, 20), (50, 5, 5), (3, 5, 3)]
)
def test_a_number_of_hits_is_clamped_and_one_call_is_made(top_k, override, asked):
    """C18."""
    with running("tavily") as double:
        rows = [ProviderRow("mine", "tavily", max_results=override)]

        outcome = searched(double, rows=rows, top_k=top_k)

        (request,) = double.requests
        assert request.body["max_results"] == asked
        assert len(hits(outcome)) == asked
        warning = f"truncated: mine returns at most {asked} results"
        assert outcome.meta.warnings == ([warning] if top_k > asked else None)


@pytest.mark.parametrize("name", ["searxng", "linkup", "baidu", "exa"])
def test_more_than_any_search_returns_is_clamped_and_said(name):
    """C18: 50 at most, also where the vendor would give more."""
    with running(name) as double:
        outcome = searched(double, top_k=80)

        assert len(hits(outcome)) <= 50
        assert outcome.meta.warnings == ["truncated: a search returns at most 50 results"]


def test_a_vendor_whose_number_cannot_be_set_is_cut():
    """C18: the page of an instance holds ten."""
    with running("searxng") as double:
        assert len(hits(searched(double, top_k=3))) == 3


def test_scores_of_the_vendor_reorder_nothing():
    """C25: hits come as the vendor ordered them, with what only it says."""
    with running("searxng") as double:
        outcome = searched(double)

        scores = [hit.score for hit in hits(outcome)]
        assert scores == sorted(scores, reverse=True)
        assert hits(outcome)[1].extras == {"engines": ["brave", "mojeek"], "category": "general"}
