"""maps.search and maps.place over an extract: what the driver promises of it, and what it hands on to others."""

from datetime import UTC, date, datetime

import pytest

from maps.areas import box, circle
from maps.asked import Asked
from maps.drivers.osm_extract import DRIVERS
from maps.extract.opening import is_open, zone_at
from maps.refs import ref_of
from verbena import settings
from verbena.catalog.maps import PlaceInput, SearchInput
from verbena.providers import Failure, Found, Setup

from .world import area, built, place

SEARCH, PLACE = DRIVERS
FINLAND = {"is_in:country_code": "FI"}


@pytest.fixture
def extract(tmp_path, monkeypatch):
    """Uses an index of some features in place of the sample."""

    def use(*features):
        path = built(tmp_path, features)
        monkeypatch.setenv("VERBENA_OSM_EXTRACT", str(path))
        settings.current.cache_clear()
        return path

    yield use
    settings.current.cache_clear()


def searched(query="cafe", location="Helsinki", where=None, limit=20, more=None, **asked):
    said = SearchInput.model_validate({"query": query, "location": location, **asked})
    setup = Setup("", {}, {}, limit, date(2026, 1, 31))
    return SEARCH.request(Asked(said, area=where, more=more or {}), setup)


def looked_up(name):
    said = PlaceInput(place_id=name)
    return PLACE.request(Asked(said, ref_of(name, "place_id")), Setup("", {}, {}, 1, date(2026, 1, 31)))


def ids(found):
    return [said.place_id for said in found.items]


def test_without_a_setting_the_sample_answers():
    found = searched(limit=500)

    assert len(found.items) > 80
    assert {said.as_of for said in found.items} == {"2019-04-21"}
    assert found.cost_micros == 0


def test_two_searches_find_the_same_in_the_same_order():
    assert searched(limit=500) == searched(limit=500)


def test_a_named_area_is_told_with_its_places(extract):
    extract(area(1, "Helsinki", 60.17, 24.94), place(2, 60.17, 24.95), place(3, 61.0, 24.95))

    found = searched()

    assert ids(found) == ["osm:node/2"]
    assert (found.beside.area.lat, found.beside.area.lng) == (60.17, 24.94)


def test_a_search_goes_on_where_its_page_ended(extract):
    extract(*(place(number, 60.17, 24.94) for number in range(1, 6)))
    where = circle(60.17, 24.94, 1_000)

    first = searched(where=where, limit=2)
    second = searched(where=where, limit=2, more=first.more)
    third = searched(where=where, limit=2, more=second.more)

    assert ids(first) + ids(second) + ids(third) == [f"osm:node/{number}" for number in range(1, 6)]
    assert third.more is None


def test_an_area_that_the_data_has_only_in_part_is_said_to_be_capped():
    assert searched(where=circle(60.17, 24.944, 100)).beside.capped_by is None
    assert searched(where=circle(60.17, 24.944, 5_000)).beside.capped_by == "source_limit"
    assert searched(location="Kamppi").beside.capped_by == "source_limit"


@pytest.mark.parametrize("where", [circle(52.5, 13.4, 5_000), box(-10, 170, 10, -170), circle(90, 0, 50_000)])
def test_an_area_of_which_the_data_has_nothing_is_left_to_the_next_provider(where):
    failure = searched(where=where)

    assert isinstance(failure, Failure)
    assert failure.kind == "vendor_param"


@pytest.mark.parametrize("asked", [{"location": "Atlantis"}, {"region": "SE"}, {"location": "Helsinki, Sweden"}])
def test_a_name_the_data_does_not_know_is_left_to_the_next_provider(asked):
    failure = searched(**asked)

    assert failure.kind == "vendor_param"


def test_places_on_both_sides_of_the_antimeridian_are_one_search(extract):
    extract(place(1, 0, 179.9), place(2, 0, -179.9), place(3, 0, 0))

    assert ids(searched(where=box(-1, 179, 1, -179))) == ["osm:node/1", "osm:node/2"]


def test_a_place_is_read_by_its_id():
    found = looked_up("osm:node/55211772")

    assert ids(found) == ["osm:node/55211772"]
    assert found.items[0].name == "Hilton Helsinki Strand"


def test_an_id_the_data_does_not_know_is_left_to_the_next_provider():
    assert looked_up("osm:relation/1").kind == "vendor_param"


def test_a_path_that_leads_to_no_index_is_the_operator_s_to_mend(extract, tmp_path, monkeypatch):
    monkeypatch.setenv("VERBENA_OSM_EXTRACT", str(tmp_path / "missing"))
    settings.current.cache_clear()

    assert searched().kind == "config"
    assert looked_up("osm:node/1").kind == "config"
    settings.current.cache_clear()


def test_only_what_says_that_it_is_open_is_open_now(extract):
    always = place(1, 60.17, 24.94, opening_hours="24/7")
    never = place(2, 60.17, 24.94, opening_hours="off")
    extract(always, never, place(3, 60.17, 24.94), place(4, 60.17, 24.94, opening_hours="call us"))

    found = searched(where=circle(60.17, 24.94, 1_000), open_now=True)

    assert isinstance(found, Found)
    assert ids(found) == ["osm:node/1"]


@pytest.mark.parametrize(
    ("moment", "country", "expected"),
    [
        ("2026-07-01T05:30", "FI", False),
        ("2026-07-01T06:30", "FI", True),
        ("2026-01-07T06:30", "FI", False),
        ("2026-01-07T07:30", "FI", True),
        ("2026-12-25T10:00", "FI", False),
        ("2026-12-25T10:00", None, True),
        ("2026-12-25T10:00", "XX", True),
    ],
)
def test_hours_are_those_of_the_place_s_zone_and_country(moment, country, expected):
    at = datetime.fromisoformat(moment).replace(tzinfo=UTC)

    assert is_open("Mo-Fr 09:00-17:00; PH off", "Europe/Helsinki", country, at) is expected


@pytest.mark.parametrize(
    ("lat", "lng", "zone"),
    [(60.17, 24.94, "Europe/Helsinki"), (40.7, -74.0, "America/New_York"), (0, 180, "Etc/GMT-12"), (90, 0, "Etc/GMT")],
)
def test_a_point_has_the_zone_it_lies_in(lat, lng, zone):
    assert zone_at(lat, lng) == zone
