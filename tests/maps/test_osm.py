"""OpenStreetMap: recorded responses of a real Nominatim, the language of Overpass, and the manners both ask for."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from maps.areas import area_of
from maps.asked import Asked
from maps.drivers import DRIVERS, osm
from maps.kinds import wish
from maps.places import Origin, place
from maps.refs import Ref
from maps.terms import OSM
from tests.doubles.maps import running
from tests.maps.asking import CIRCLE, MAPS_SEARCH, engine_at, rows_of, walking
from verbena.apis import USER_AGENT
from verbena.catalog.maps import PlaceInput, SearchInput
from verbena.engine import Engine
from verbena.memory import PageMemory, ProvidersMemory
from verbena.providers import Failure, ProviderRow, Setup, VendorResponse, classify
from verbena.rates import Rate
from verbena.selection import Ask

RECORDED = Path(__file__).parent / "recorded"
SETUP = Setup(osm.NOMINATIM, {}, {}, 20, date(2026, 12, 1))
SEARCH, PLACE = osm.DRIVERS
NOW = datetime(2026, 12, 1, tzinfo=UTC)

# What came with which status; a text that is no JSON has no other name.
ERRORS = {"404": 404, "badlat": 400, "search_badformat": 400, "search_noq": 400, "search_q_and_city": 400}


def recorded(name):
    (path,) = RECORDED.glob(f"nominatim_{name}.json")
    return VendorResponse(ERRORS.get(name, 200), {}, path.read_bytes())


def understood(driver, name):
    """What the engine makes of a recorded response."""
    response = recorded(name)
    return classify(driver, response) or driver.read(response, SETUP)


NAMES = sorted(path.stem.removeprefix("nominatim_") for path in RECORDED.glob("*.json"))
LISTS = [
    name for name in NAMES if name.startswith(("search", "lookup")) and name not in ERRORS and "geocode" not in name
]


def test_every_response_that_was_recorded_is_replayed():
    assert len(NAMES) == 21


@pytest.mark.parametrize("name", LISTS)
def test_a_recorded_list_is_places_with_nothing_lost_and_nothing_made_up(name):
    said = json.loads(recorded(name).body)

    rows = [place(one, Origin("osm", OSM, NOW)) for one in understood(PLACE, name).items]

    assert [row.place_id for row in rows] == [f"osm:{one['osm_type']}/{one['osm_id']}" for one in said]
    for row, one in zip(rows, said, strict=True):
        assert (row.name, row.lat, row.lng) == (one["name"] or None, float(one["lat"]), float(one["lon"]))
        assert (row.rating, row.review_count, row.price_level) == (None, None, None)
        assert one["type"] in row.categories or row.categories is None


def test_a_recorded_place_has_its_parts_and_its_names():
    (said,) = understood(PLACE, "search_name").items

    row = place(said, Origin("osm", OSM, NOW), None, "en")

    assert row.name == "Museum of Modern Art Kiasma"
    assert row.address == "Mannerheimin aukio 2, 00100 Helsinki, FI"
    assert row.categories == ["museum"]
    assert row.ids == {"osm": "way/8042215", "wikidata": "Q11871262"}


@pytest.mark.parametrize("name", ["search_name", "search_json", "lookup", "search_special"])
def test_a_recorded_match_is_an_area(name):
    found = understood(SEARCH, name)

    one = json.loads(recorded(name).body)[0]
    assert found.beside.area.bounds == tuple(float(one["boundingbox"][edge]) for edge in (0, 2, 1, 3))


@pytest.mark.parametrize("name", ["search_empty", "lookup_bad", "lookup_none"])
def test_a_recorded_nothing_is_no_place_and_an_unknown_location(name):
    assert understood(PLACE, name).items == []
    assert understood(SEARCH, name).kind == "vendor_param"


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_a_recorded_error_is_a_failure_with_its_words(name):
    failure = understood(SEARCH, name)

    assert isinstance(failure, Failure)
    assert failure.kind == ("config" if name == "404" else "vendor_param")
    assert str(ERRORS[name]) in failure.message


@pytest.mark.parametrize("name", ["reverse_sea", "reverse", "details", "status_json", "search_geocodejson"])
def test_a_recorded_response_of_another_kind_finds_nothing(name):
    found = understood(PLACE, name)

    assert found.items == []


def test_a_recorded_text_is_not_understood():
    with pytest.raises(ValueError, match="expected value"):
        understood(PLACE, "status_text")


# ---- what is asked


def asked(location=None, **fields):
    query = SearchInput(**{"query": "cafe", "location": location or CIRCLE} | fields)
    return Asked(query, area=area_of(query.location))


@pytest.mark.parametrize(
    ("query", "kinds", "words"),
    [
        ("cafe", ("amenity=cafe",), ()),
        ("Cafés", ("amenity=cafe",), ()),
        ("kahvila", ("amenity=cafe",), ()),
        ("museums", ("tourism=museum",), ()),
        ("coffee shop", ("amenity=cafe",), ()),
        ("fast food", ("amenity=fast_food",), ()),
        ("galleries", ("tourism=gallery",), ()),
        ("vegan restaurants", ("amenity=restaurant",), ("vegan",)),
        ("gym", ("leisure=fitness_centre", "leisure=sports_centre"), ()),
        ("shops", ("shop=*",), ()),
        ("Lantern Quay", (), ("lantern", "quay")),
    ],
)
def test_words_mean_kinds_or_a_name(query, kinds, words):
    assert (wish(query).kinds, wish(query).words) == (kinds, words)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("gym", 'nwr["leisure"~"^(fitness_centre|sports_centre)$"](around:5000,59.5,22.5);'),
        ("shops", 'nwr["shop"](around:5000,59.5,22.5);'),
        ("Quay", f'nwr["name"~"quay",i]{osm.PLACES}(around:5000,59.5,22.5);nwr["brand"~"quay",i]{osm.PLACES}'),
        ("vegan restaurants", '[~"^diet:vegan$"~"^(yes|only)$"](around'),
        ("thai restaurants", '~"thai",i](around'),
    ],
)
def test_a_kind_is_asked_for_by_its_tags_and_a_name_by_itself(query, said):
    (data,) = parse_qs(urlsplit(SEARCH.request(asked(query=query), SETUP).url).query)["data"]

    assert said in data


def test_words_cannot_leave_their_string():
    nasty = 'x"](1,2,3,4);out;node["a\\'

    said = osm.quoted(nasty)

    assert said == '"x\\"](1,2,3,4);out;node[\\"a\\\\"'
    assert said.replace("\\\\", "").replace('\\"', "").count('"') == 2


def test_the_services_have_an_address_each_unless_the_operator_has_one_of_his_own():
    own = replace(SETUP, base_url="https://maps.internal.example")
    both = replace(SETUP, tuning={"overpass_url": "https://overpass.example/", "email": "ops@example.org"})

    assert SEARCH.request(asked(), SETUP).url.startswith("https://overpass-api.de/api/interpreter?")
    assert SEARCH.request(asked("Town"), SETUP).url.startswith("https://nominatim.openstreetmap.org/search?")
    assert SEARCH.request(asked(), own).url.startswith("https://maps.internal.example/api/interpreter?")
    assert SEARCH.request(asked(), both).url.startswith("https://overpass.example/api/interpreter?")
    assert "email=ops%40example.org" in SEARCH.request(asked("Town"), both).url


def test_a_country_and_a_language_reach_the_search_for_a_location():
    url = SEARCH.request(asked("Town", region="FI", language="sv"), SETUP).url

    assert "countrycodes=fi" in url
    assert "accept-language=sv" in url


@pytest.mark.parametrize(("kind", "letter"), [("node", "N"), ("way", "W"), ("relation", "R")])
def test_an_element_is_looked_up_by_its_letter(kind, letter):
    request = PLACE.request(Asked(PlaceInput(place_id="x"), Ref("osm", f"{kind}/5")), SETUP)

    assert f"osm_ids={letter}5" in request.url


# ---- manners


def test_every_driver_of_the_public_services_keeps_to_one_request_a_second():
    assert {driver.rate for driver in DRIVERS if driver.name == "osm"} == {Rate(1, 1)}


def test_both_questions_of_a_search_take_a_turn_of_the_same_provider():
    turns = []

    class Book(ProvidersMemory):
        def turn(self, row, rate):
            turns.append((row.name, rate))
            return 0.0

    async def serve(double):
        async with engine_at(double) as engine:
            book = Book(lambda: [ProviderRow("osm", "osm")])
            ask = Ask("maps.search", [SEARCH], asked("Exampleton"), 20, deadline=float("inf"), attempt_s=20)
            return await Engine(book, engine.send, engine.base_urls).serve(ask)

    with running("osm") as double:
        served = asyncio.run(serve(double))

    assert len(served.found.items) == 45
    assert turns == [("osm", Rate(1, 1)), ("osm", Rate(1, 1))]


def test_the_application_says_its_name():
    with running("osm") as double:
        asyncio.run(walked(double))

        assert {request.headers["User-Agent"] for request in double.requests} == {USER_AGENT}
    assert USER_AGENT.startswith("Verbena/")


async def walked(double, *, times=1, pages=None, location="Exampleton"):
    async with engine_at(double, rows=rows_of(double), pages=pages) as engine:
        query = SearchInput(query="cafe", location=location)
        return [await walking(engine, MAPS_SEARCH, query) for _ in range(times)]


def test_a_question_that_was_asked_before_is_not_asked_again():
    with running("osm") as double:
        first, second = asyncio.run(walked(double, times=2))

        assert len(double.requests) == 2
        assert [row.place_id for row in first.rows] == [row.place_id for row in second.rows]


def test_an_answer_is_kept_for_all_processes_and_for_a_day():
    kept = PageMemory(10**9)
    with running("osm") as double:
        asyncio.run(walked(double, pages=kept, location=CIRCLE))
        asyncio.run(walked(double, pages=kept, location=CIRCLE))
        assert len(double.requests) == 1

        kept.pages.update({key: replace(page, fetched_at=page.fetched_at - 90_000) for key, page in kept.pages.items()})
        asyncio.run(walked(double, pages=kept, location=CIRCLE))
        assert len(double.requests) == 2


@pytest.mark.parametrize("script", ["timed_out", "too_many", "too_busy"])
def test_a_failure_is_not_kept(script):
    with running("osm") as double:
        double.will(script, "success")

        failed, found = asyncio.run(walked(double, times=2, location=CIRCLE))

        assert failed.error is not None
        assert len(found.rows) == 20
