"""What a search of the index finds, in which order, and that it is the same as looking at every place."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from maps.areas import box, circle, distance_m
from maps.extract.index import NotAnIndex, opened

from .world import areas, built, found, place, points

EVERYWHERE = box(-90, -180, 90, 180)
HERE = circle(0, 0, 50_000)
ANY_FOLDER = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("cafe", [1, 2]),
        ("Cafés", [1, 2]),
        ("KAHVILA", [1, 2]),
        ("coffee shop", [1, 2]),
        ("shop", [4]),
        ("gym", [3]),
        ("kuntosali", [3]),
        ("italian restaurant", [5]),
        ("vegan", [2]),
        ("vegan cafe", [2]),
        ("hilton hotel", [6]),
        ("hotels", [6]),
        ("the book store", [4]),
        ("travel", []),
        ("カフェ", [1]),
        ("kafe", [1, 2]),
        ("McDonalds", [7]),
        ("mcdonald's", [7]),
        ("Starbucks", [8]),
        ("  ", []),
    ],
)
def test_a_place_is_found_by_its_kind_its_names_and_what_it_offers(tmp_path, query, numbers):
    path = built(
        tmp_path,
        [
            place(1, name="Ursula", **{"name:ja": "カフェ", "name:sv": "Kafé Ursula"}),
            place(2, name="Moko", **{"diet:vegan": "yes"}),
            place(3, name="Elixia", amenity="no", leisure="fitness_centre"),
            place(4, name="Akateeminen", amenity="no", shop="books"),
            place(5, name="Toscanini", amenity="restaurant", cuisine="italian;pizza"),
            place(6, name="Hilton Strand", amenity="no", tourism="hotel"),
            place(7, name="McDonald's", amenity="fast_food"),
            place(8, name="Kamppi", amenity="bar", brand="Starbucks"),
        ],
    )

    assert found(path, query, HERE) == [f"node/{number}" for number in numbers]


def test_kinds_come_before_whole_names_before_parts_of_names_before_brands(tmp_path):
    path = built(
        tmp_path,
        [
            place(1, amenity="bar", name="Kiosk bar of the pier"),
            place(2, amenity="bar", name="Kiosk"),
            place(3, lat=0.01, amenity="no", shop="kiosk", name="Far"),
            place(4, amenity="bar", name="Other", operator="Kiosk Oy"),
            place(5, amenity="no", shop="kiosk", name="Near"),
        ],
    )

    assert found(path, "kiosk", HERE) == ["node/5", "node/3", "node/2", "node/1", "node/4"]


def test_equal_distances_are_ordered_by_the_number_of_the_element(tmp_path):
    path = built(tmp_path, [place(9, kind="way"), place(9), place(3)])

    assert found(path, "cafe", HERE) == ["node/3", "node/9", "way/9"]


@ANY_FOLDER
@given(st.lists(points, min_size=1, max_size=12), areas)
@example([(0.01999999996, 0.0)], box(0.02, -1, 1, 1))  # rounded, it lies in the next cell
def test_a_search_finds_what_looking_at_every_place_would_in_the_order_of_distance(tmp_path, spots, area):
    path = built(tmp_path, [place(number, *spot) for number, spot in enumerate(spots)])
    stored = {f"node/{number}": tuple(round(value, 7) for value in spot) for number, spot in enumerate(spots)}

    names = found(path, "cafe", area)

    distances = [distance_m(area.lat, area.lng, *stored[name]) for name in names]
    assert set(names) == {name for name, spot in stored.items() if area.holds(*spot)}
    assert distances == sorted(distances)


@ANY_FOLDER
@given(st.lists(points, min_size=2, max_size=12), st.randoms())
def test_the_order_of_the_extract_changes_neither_rows_nor_the_file(tmp_path, spots, random):
    features = [place(number, *spot) for number, spot in enumerate(spots)]
    shuffled = random.sample(features, len(features))

    one, other = built(tmp_path, features), built(tmp_path, shuffled, "other.sqlite")

    assert found(one, "cafe", EVERYWHERE) == found(other, "cafe", EVERYWHERE)
    assert one.read_bytes() == other.read_bytes()


def test_an_element_that_comes_twice_is_one_place(tmp_path):
    path = built(tmp_path, [place(1), place(1)])

    assert found(path, "cafe", HERE) == ["node/1"]


def test_what_was_written_is_read_back_whole(tmp_path):
    tags = {"name": "Café Ö", "amenity": "cafe", "note": "電気 " * 500}
    path = built(tmp_path, [place(7, 60.1699123, 24.9384567, **tags)])

    with opened(path) as index:
        (match,) = index.find("cafe", EVERYWHERE)
        element = index.element(match.place)

    assert (element.name, element.lat, element.lng) == ("node/7", 60.1699123, 24.9384567)
    assert element.timezone == "Europe/Helsinki"
    assert element.tags == tags


def test_an_unknown_number_is_no_element(tmp_path):
    with opened(built(tmp_path, [place(1)])) as index:
        assert index.element(999) is None


@pytest.mark.parametrize("body", [b"", b"not a database, but long enough to be taken for one" * 90])
def test_another_file_is_no_index(tmp_path, body):
    path = tmp_path / "other"
    path.write_bytes(body)

    with pytest.raises(NotAnIndex, match="other"), opened(path):
        pass


def test_a_missing_file_is_no_index(tmp_path):
    with pytest.raises(NotAnIndex, match="nowhere"), opened(tmp_path / "nowhere"):
        pass


def test_an_index_of_another_version_is_refused_with_what_helps(tmp_path):
    path = built(tmp_path, [place(1)])
    body = bytearray(path.read_bytes())
    body[60:64] = (99).to_bytes(4, "big")  # where SQLite's file format has user_version
    path.write_bytes(body)

    with pytest.raises(NotAnIndex, match=r"version 99.*build it anew"), opened(path):
        pass


def test_an_index_is_read_without_being_written(tmp_path):
    path = built(tmp_path, [place(1)])
    path.chmod(0o444)
    before = path.stat()

    found(path, "cafe", HERE)

    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    assert path.stat().st_mtime_ns == before.st_mtime_ns
