"""The same place from three sources is rows that can be compared: the table of the documentation is made of them."""

import json

import pytest

from local.stack import ROOT
from tests.doubles.maps import town
from tests.maps.asking import look_up, sources

SOURCES = ("google_places", "serpapi", "osm")
IDS = {"osm": f"osm:node/{town.LANTERN.node}"}
EQUAL = ("name", "lat", "lng", "phone", "website")


@pytest.fixture(scope="module")
def rows():
    with sources(*SOURCES) as doubles:
        found = [look_up(one, place_id=IDS.get(one.vendor.name, town.LANTERN.google)).rows for one in doubles]
        return [row for (row,) in found]


def shown(row, field):
    if field == "hours.periods":
        return ", ".join(f"{p.day} {p.open}-{p.close_day} {p.close}" for p in row.hours.periods)
    value = getattr(row, field)
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def test_what_all_of_them_know_is_written_alike(rows):
    for field in EQUAL:
        assert len({str(getattr(row, field)) for row in rows}) == 1
    assert len({row.hours.model_copy(update={"text": None}).model_dump_json() for row in rows}) == 1
    assert rows[0].place_id == rows[1].place_id
    assert rows[0].ids.items() <= rows[1].ids.items()
    assert rows[0].maps_url == rows[1].maps_url


def test_what_one_does_not_know_is_missing_and_not_zero(rows):
    assert rows[2].rating is None
    assert {"rating", "review_count", "price_level"} <= set(rows[2].missing)


def test_the_documentation_shows_the_rows_as_they_are(rows):
    text = (ROOT / "docs/maps.md").read_text("utf-8").partition("The same place from three sources")[2]
    lines = [line for line in text.partition("\n- ")[0].splitlines() if line.startswith("| `")]

    for line in lines:
        field, *said = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        assert said == [shown(row, field) for row in rows], field
    assert len(lines) == 14
