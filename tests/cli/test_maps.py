"""`verbena maps`: an extract becomes an index, and what cannot says why."""

import json

import pytest

from .conftest import caller

PLACES = {
    "osm3s": {"timestamp_osm_base": "2026-01-31T00:00:00Z"},
    "elements": [
        {"type": "node", "id": 1, "lat": 60.17, "lon": 24.94, "tags": {"name": "Town", "place": "city"}},
        {"type": "node", "id": 2, "lat": 60.17, "lon": 24.95, "tags": {"name": "Café Ä", "amenity": "cafe"}},
    ],
}


@pytest.fixture
def verbena():
    return caller({})


@pytest.fixture
def extract(tmp_path):
    def write(body=PLACES, name="town.json"):
        path = tmp_path / name
        path.write_text(body if isinstance(body, str) else json.dumps(body))
        return path

    return write


def test_an_extract_becomes_an_index_that_maps_search_answers_from(verbena, local, extract, tmp_path, monkeypatch):
    index = tmp_path / "town.index"

    built = verbena("maps", "build", str(extract()), "-o", str(index))
    monkeypatch.setenv("VERBENA_OSM_EXTRACT", str(index))
    found = local("maps.search", "query=cafe", "location=Town")

    assert built.exit_code == 0, built.stderr
    assert "1 places and 1 areas of 2026-01-31" in built.stderr
    assert f"VERBENA_OSM_EXTRACT={index}" in built.stderr
    (row,) = json.loads(found.stdout)["results"]
    assert (row["place_id"], row["name"], row["as_of"]) == ("osm:node/2", "Café Ä", "2026-01-31")


def test_an_index_says_what_it_holds(verbena, extract, tmp_path):
    index = tmp_path / "town.index"
    verbena("maps", "build", str(extract()), "-o", str(index))

    told = verbena("maps", "info", str(index))

    about = json.loads(told.stdout)
    assert (about["source"], about["date"], about["places"], about["licence"]) == (
        "town.json", "2026-01-31", 1, "ODbL-1.0",
    )  # fmt: skip


UNDATED = {"elements": PLACES["elements"]}
UNPLACED = {**PLACES, "elements": [{"type": "way", "id": 1, "tags": {"name": "X", "shop": "books"}}]}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ((UNDATED, "a.json"), ("does not say from which day", "--date")),
        ((UNPLACED, "a.json"), ("none of the 1 places of a.json has a position", "out center")),
        (({"elements": []}, "a.json"), ("no place with a name", "amenity")),
        (("{}", "a.json"), ('neither "elements"', "must be what its name says")),
        (('{"elements": [{"type": "node",', "a.json"), ("breaks off", "must be what its name says")),
        (('{"elements": [{"id": 1}]}', "a.json"), ("an element without type and id", "must be what its name says")),
        (
            ('{"features": [{"geometry": null, "properties": {}}]}', "a.geojson"),
            ("without an OpenStreetMap id", "name"),
        ),
        (("no such thing", "a.osm.pbf"), ("cannot be read", "must be what its name says")),
        (("no such thing", "a.osm"), ("cannot be read", "must be what its name says")),
        (("no such thing", "a.csv"), ("of no known form", ".osm.pbf")),
    ],
)
def test_what_cannot_become_an_index_is_told_with_what_helps(verbena, extract, tmp_path, file, said):
    index = tmp_path / "index"

    result = verbena("maps", "build", str(extract(*file)), "-o", str(index))

    assert result.exit_code == 1
    assert [words for words in said if words not in result.stderr] == []
    assert not index.exists()


def test_a_day_given_is_the_day_of_the_data(verbena, extract, tmp_path):
    index = tmp_path / "index"

    verbena("maps", "build", str(extract(UNDATED)), "-o", str(index), "--date", "2025-12-24")

    assert json.loads(verbena("maps", "info", str(index)).stdout)["date"] == "2025-12-24"


def test_a_file_that_is_no_index_is_told_so(verbena, extract):
    result = verbena("maps", "info", str(extract()))

    assert result.exit_code == 1
    assert "verbena maps build" in result.stderr


def test_on_a_fresh_machine_cafes_of_helsinki_are_found_without_a_key(local):
    result = local("maps.search", "query=cafe", "location=Helsinki")

    answer = json.loads(result.stdout)
    assert result.exit_code == 0, result.stderr
    assert [attempt["provider"] for attempt in answer["attempts"]] == ["osm_extract"]
    assert len(answer["results"]) == 20
    assert all("cafe" in row["categories"] for row in answer["results"])
    assert all(row["attribution"] == "© OpenStreetMap contributors" for row in answer["results"])
    assert answer["usage"]["units"] == {"maps_place": 20}


def test_a_place_is_the_same_by_id_and_by_url(local):
    by_id = local("maps.place", "place_id=osm:node/55211772")
    by_url = local("maps.place", "url=https://www.openstreetmap.org/node/55211772")

    (one,), (other,) = (json.loads(answer.stdout)["results"] for answer in (by_id, by_url))
    assert {**one, "fetched_at": ""} == {**other, "fetched_at": ""}
