"""Rules for every driver of maps there is, and there ever will be: no answer breaks a call, and no site is scraped."""

import ast
import asyncio
import re
from collections.abc import Mapping
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_core import to_json

from local.stack import ROOT
from maps.drivers import DRIVERS
from maps.features import FILTERS
from tests.doubles.contract import Request
from tests.doubles.maps import google_places, osm, serpapi, town
from tests.maps.asking import CIRCLE, IMPATIENT, portion
from verbena.catalog import VERBS
from verbena.catalog.maps import MAPS_PLACE, MAPS_REVIEWS, MAPS_SEARCH
from verbena.engine import Engine
from verbena.errors import ProviderError
from verbena.memory.providers import ProvidersMemory
from verbena.providers import Kind, ProviderRow, VendorResponse

REMOTE = [driver for driver in IMPATIENT if not driver.is_embedded]
IDS = {"google_place_id", "google_feature_id", "google_cid_id", "osm_id"}
FEATURES = {*FILTERS, *IDS, "strict_name", "since", "sort_newest", "sort_relevant", "sort_highest", "sort_lowest"}
ASKED = {
    "maps.search": {"query": "cafe", "location": CIRCLE},
    "maps.place": {"place_id": town.LANTERN.google},
    "maps.reviews": {"place": f"google:{town.LANTERN.google}", "sort": "relevant"},
}

each = pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: f"{driver.name}-{driver.verb}")
each_remote = pytest.mark.parametrize("driver", REMOTE, ids=lambda driver: f"{driver.name}-{driver.verb}")


def answered(driver, reply):
    """What a call makes of it when the one provider it has gives this answer, to whatever it is asked."""
    verb = VERBS[driver.verb]
    place = {"place_id": "osm:node/1"} if driver.name == "osm" else ASKED["maps.place"]
    fields = place if verb is MAPS_PLACE else ASKED[verb.name]
    book = ProvidersMemory(lambda: [ProviderRow("only", driver.name)], lambda need: f"value-of-{need}")

    async def send(request, *, is_own):
        return reply

    async def ask():
        try:
            return await portion(Engine(book, send), verb, verb.input.model_validate(fields))
        except ProviderError as error:
            return error

    return asyncio.run(ask())


@each
def test_it_is_described_as_the_catalog_of_drivers_wants_it(driver):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", driver.name)
    assert driver.verb in {MAPS_SEARCH.name, MAPS_PLACE.name, MAPS_REVIEWS.name}
    assert driver.title
    assert driver.is_embedded or driver.home.startswith("https://")
    assert driver.can <= FEATURES
    assert {*driver.faults.values(), *driver.advice} <= set(get_args(Kind))
    others = {other.name for other in DRIVERS if other.priority == driver.priority}
    assert others == {driver.name}


def test_each_verb_of_a_source_has_one_driver():
    pairs = [(driver.name, driver.verb) for driver in DRIVERS]

    assert len(pairs) == len(set(pairs))


@each_remote
@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422, 429, 500, 503])
@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b"null", b'{"error": ["x"]}', b'{"error": {"details": 5, "status": {}}}']
)
def test_an_error_is_understood_by_its_status_whatever_its_body(driver, status, body):
    outcome = answered(driver, VendorResponse(status, {}, body))

    (attempt,) = outcome.attempts
    assert isinstance(outcome, ProviderError)
    assert f"HTTP {status}" in attempt.message


# ---- answers of any shape


def names_in(value):
    """Every name of an object within."""
    if isinstance(value, Mapping):
        return {name for name, inner in value.items() for name in {name, *names_in(inner)}}
    return {name for inner in value for name in names_in(inner)} if isinstance(value, list) else set()


NOMINATED = osm.lookup(Request("GET", "/lookup", {}, {}, asked={"osm_ids": f"N{town.LANTERN.node}"})).body
GOOGLE, SERPAPI = google_places.place(town.LANTERN), serpapi.place(town.LANTERN)
NEXT = {"next": serpapi.link(20, "@59.5,22.5,9m")}
SAMPLES = {
    ("google_places", "maps.search"): {"places": [GOOGLE, GOOGLE], "nextPageToken": "t"},
    ("google_places", "maps.place"): GOOGLE,
    ("google_places", "maps.reviews"): GOOGLE,
    ("serpapi", "maps.search"): {
        "local_results": [SERPAPI],
        "serpapi_pagination": {"next": serpapi.link(20, "@1,2,3m")},
    },
    ("serpapi", "maps.place"): {"place_results": SERPAPI, "search_metadata": {"status": "Success"}},
    ("serpapi", "maps.reviews"): {"reviews": [serpapi.review(1)], "serpapi_pagination": {"next_page_token": "t"}},
    ("osm", "maps.search"): {"elements": [osm.element(town.LANTERN), osm.element(town.CAFES[2])]},
    ("osm", "maps.place"): NOMINATED,
}
NAMES = sorted(names_in(list(SAMPLES.values())))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "node", "59.5", "$$", "Mo 08:00-18:00", "8 AM–6 PM", "https://x.example"])
)
ANY = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=25,
)


def spoiled(value, draw):
    """A sample in which some values are something else."""
    if draw(st.integers(0, 19)) == 0:
        return draw(ANY)
    if isinstance(value, Mapping):
        return {name: spoiled(inner, draw) for name, inner in value.items()}
    return [spoiled(inner, draw) for inner in value] if isinstance(value, list) else value


@each_remote
def test_a_sample_as_it_is_has_rows(driver):
    assert answered(driver, VendorResponse(200, {}, to_json(SAMPLES[driver.name, driver.verb]))).answers


@each_remote
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_an_answer_of_any_shape_costs_one_attempt_at_most(driver, data):
    body = spoiled(SAMPLES[driver.name, driver.verb], data.draw)

    outcome = answered(driver, VendorResponse(200, {}, to_json(body)))

    assert outcome.attempts[0].provider == "only"
    for answer in getattr(outcome, "answers", ()):
        told = answer.row.model_dump()
        assert told["missing"] == [name for name in told["missing"] if told[name] is None]


# ---- no scraping


def test_no_site_of_maps_is_scraped():
    """A42: the only addresses are those of interfaces for programs, and nothing here can take a page apart."""
    folder = ROOT / "functions/maps"
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}

    assert not {"html.parser", "turbohtml", "lxml", "bs4", "playwright"} & imported
    assert {driver.home for driver in DRIVERS if driver.home} == {
        "https://places.googleapis.com",
        "https://serpapi.com",
        "https://nominatim.openstreetmap.org",
    }
