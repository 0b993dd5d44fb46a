"""Made-up places anywhere on the globe, for the tests of the index."""

from hypothesis import strategies as st

from maps.areas import box, circle
from maps.extract.features import Feature, Source
from maps.extract.index import opened
from maps.extract.write import write

BOUNDS = (-90.0, -180.0, 90.0, 180.0)
# Where longitudes wrap and latitudes end, beside anywhere.
lats = st.one_of(st.floats(-90, 90), st.sampled_from([-90.0, -89.999, 0.0, 60.17, 89.999, 90.0]))
lngs = st.one_of(st.floats(-180, 180), st.sampled_from([-180.0, -179.999, 0.0, 24.94, 179.999, 180.0]))
points = st.tuples(lats, lngs)
circles = st.builds(circle, lats, lngs, st.floats(1, 50_000))
boxes = st.builds(lambda ends, west, east: box(min(ends), west, max(ends), east), st.tuples(lats, lats), lngs, lngs)
areas = st.one_of(circles, boxes)


def place(number, lat=0.0, lng=0.0, kind="node", **tags):
    return Feature(kind, number, {"name": f"Place {number}", "amenity": "cafe", **tags}, lat, lng)


def area(number, name, lat=0.0, lng=0.0, place="city", **more):
    tags = {"name": name, "place": place, **more.pop("tags", {})}
    return Feature("node", number, tags, lat, lng, **more)


def built(folder, features, name="made.sqlite"):
    """An index of features that a file of yesterday had."""
    path = folder / name
    write(path, Source("made.osm", date="2026-01-31", bounds=BOUNDS), features, lambda _: None)
    return path


def found(path, query, where):
    """The elements of a search, in its order."""
    with opened(path) as index:
        return [index.element(match.place).name for match in index.find(query, where)]
