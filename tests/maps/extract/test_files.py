"""The same places, whatever form of file they come in."""

import gzip
import json

import osmium
import pytest
from osmium.osm.mutable import Node, Relation, Way

from maps.areas import box
from maps.extract import jsonfile
from maps.extract.build import build
from maps.extract.features import Source
from maps.extract.index import opened
from verbena.doors.cli.target import Stopped

CAFE = {"name": "Café A", "amenity": "cafe"}
HOTEL = {"name": "Hotel B", "tourism": "hotel"}
MALL = {"name": "Mall C", "shop": "mall", "type": "multipolygon"}
CITY = {"name": "Town", "place": "city"}
EVERYWHERE = box(-90, -180, 90, 180)
CORNERS = [(60.0, 24.0), (60.0, 24.2), (60.2, 24.2), (60.2, 24.0)]


def osm_file(path):
    """A cafe, a hotel of four corners, a mall of two ways, a town; and what is no place at all."""
    with osmium.SimpleWriter(str(path)) as writer:
        for number, (lat, lng) in enumerate(CORNERS, 10):
            writer.add_node(Node(id=number, version=1, location=(lng, lat), timestamp="2026-01-30T10:00:00Z"))
        writer.add_node(Node(id=20, version=1, location=(24.5, 60.5), tags=CAFE, timestamp="2026-01-31T10:00:00Z"))
        writer.add_node(Node(id=21, version=1, location=(24.1, 60.1), tags=CITY))
        writer.add_node(Node(id=22, version=1, location=(24.1, 60.1), tags={"amenity": "bench"}))
        writer.add_way(Way(id=30, version=1, nodes=[10, 11, 12, 13, 10], tags=HOTEL))
        writer.add_way(Way(id=31, version=1, nodes=[10, 11]))
        writer.add_way(Way(id=32, version=1, nodes=[12, 13]))
        members = [("w", 31, "outer"), ("w", 32, "outer")]
        writer.add_relation(Relation(id=40, version=1, members=members, tags=MALL))
    return path


def overpass(path):
    elements = [
        {"type": "node", "id": 20, "lat": 60.5, "lon": 24.5, "tags": CAFE},
        {"type": "node", "id": 21, "lat": 60.1, "lon": 24.1, "tags": CITY},
        {"type": "node", "id": 22, "lat": 60.1, "lon": 24.1},
        {"type": "way", "id": 30, "center": {"lat": 60.1, "lon": 24.1}, "tags": HOTEL},
        {"type": "relation", "id": 40, "members": _lines(), "tags": MALL},
    ]
    body = {"version": 0.6, "osm3s": {"timestamp_osm_base": "2026-01-31T10:00:00Z"}, "elements": elements}
    return _written(path, body)


def geojson(path):
    ring = [[lng, lat] for lat, lng in [*CORNERS, CORNERS[0]]]
    features = [
        _feature("node/20", {"type": "Point", "coordinates": [24.5, 60.5]}, CAFE),
        _feature("n21", {"type": "Point", "coordinates": [24.1, 60.1]}, CITY),
        _feature("w30", {"type": "Polygon", "coordinates": [ring]}, {**HOTEL, "@version": 1}),
        _feature("a81", {"type": "MultiPolygon", "coordinates": [[ring]]}, MALL),
    ]
    return _written(path, {"type": "FeatureCollection", "features": features})


def _feature(name, geometry, tags):
    return {"type": "Feature", "id": name, "geometry": geometry, "properties": tags}


def _lines():
    shape = [{"lat": lat, "lon": lng} for lat, lng in CORNERS]
    return [{"type": "way", "ref": 31, "geometry": shape[:2]}, {"type": "way", "ref": 32, "geometry": shape[2:]}]


def _written(path, body):
    text = json.dumps(body).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def places_of(path, to, day=None):
    told = build(path, to, day, lambda _: None)
    with opened(to) as index:
        elements = [index.element(number) for number in (80, 121, 162)]
    return told, [(one.name, round(one.lat, 6), round(one.lng, 6), one.tags["name"]) for one in elements]


EXPECTED = [
    ("node/20", 60.5, 24.5, "Café A"),
    ("way/30", 60.1, 24.1, "Hotel B"),
    ("relation/40", 60.1, 24.1, "Mall C"),
]


@pytest.mark.parametrize("name", ["a.osm.pbf", "a.osm", "a.osm.gz", "a.osm.bz2"])
def test_openstreetmap_s_own_files_are_read(tmp_path, name):
    told, places = places_of(osm_file(tmp_path / name), tmp_path / "index")

    assert places == EXPECTED
    assert (told["places"], told["areas"], told["date"]) == (3, 1, "2026-01-31")


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_overpass_json_is_read(tmp_path, name):
    told, places = places_of(overpass(tmp_path / name), tmp_path / "index")

    assert places == EXPECTED
    assert (told["places"], told["areas"], told["date"]) == (3, 1, "2026-01-31")


def test_geojson_is_read(tmp_path):
    told, places = places_of(geojson(tmp_path / "a.geojson"), tmp_path / "index", "2026-01-31")

    assert places == EXPECTED
    assert (told["places"], told["areas"], told["date"]) == (3, 1, "2026-01-31")


def test_json_is_read_in_pieces_whatever_the_size_of_its_elements(tmp_path):
    sizes = [10, 3_000_000, 900_000, 500_000, 10, 2_500_000]
    elements = [
        {"type": "node", "id": size, "lat": 1, "lon": 2, "tags": {**CAFE, "note": "ä" * size}} for size in sizes
    ]
    path = _written(tmp_path / "a.json", {"elements": elements})

    assert [len(feature.tags["note"]) for feature in jsonfile.features(path, Source("a"))] == sizes


def test_a_relation_of_which_the_extract_lacks_a_way_is_where_the_rest_is(tmp_path):
    path = tmp_path / "a.osm"
    tags = {"name": "Part", "boundary": "administrative", "admin_level": "10"}
    with osmium.SimpleWriter(str(path)) as writer:
        for number, (lat, lng) in enumerate(CORNERS, 10):
            writer.add_node(Node(id=number, location=(lng, lat), tags=CAFE))
        writer.add_way(Way(id=31, nodes=[10, 11, 99]))
        members = [("w", 31, "outer"), ("w", 32, "outer")]
        writer.add_relation(Relation(id=40, members=members, tags=tags))

    build(path, tmp_path / "index", "2026-01-31", lambda _: None)

    with opened(tmp_path / "index") as index:
        (area,) = index.areas("part")
    assert not area.is_whole
    assert area.area.bounds == (60.0, 24.0, 60.0, 24.2)


def test_what_is_counted_is_told_as_it_grows(tmp_path):
    heard = []

    build(overpass(tmp_path / "a.json"), tmp_path / "index", None, heard.append)

    assert heard == [1, 2, 3]


def test_a_failed_build_leaves_the_index_that_was_there(tmp_path):
    index, path = tmp_path / "index", overpass(tmp_path / "a.json")
    build(path, index, None, lambda _: None)
    before = index.read_bytes()
    path.write_bytes(path.read_bytes()[:-40])

    with pytest.raises(Stopped, match="breaks off"):
        build(path, index, None, lambda _: None)

    assert index.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.json", "index"]
