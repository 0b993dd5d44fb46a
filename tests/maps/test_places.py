"""A row says what its source said, and names what it did not."""

from datetime import UTC, datetime

import pytest

from maps.areas import circle
from maps.drivers import DRIVERS
from maps.places import Origin, Said, missing, place
from maps.prices import level
from maps.reviews import SaidReview, moment, reviews
from maps.tags import said as of_tags
from maps.terms import GOOGLE, OSM, SOURCES
from verbena.catalog.places import Place, Review

NOW = datetime(2026, 12, 1, 10, 0, 0, tzinfo=UTC)
ORIGIN = Origin("mine", OSM, NOW)
PROVENANCE = {"attribution", "terms", "as_of"}


def row(**told):
    return place(Said(place_id="osm:node/1", ids={"osm": "node/1"}, **told), ORIGIN)


def test_a_place_of_which_nothing_is_known_has_every_field_and_names_them_all():
    bare = row()

    nullable = {name for name in Place.model_fields if getattr(bare, name) is None} - PROVENANCE
    assert set(bare.missing) == nullable
    assert len(nullable) == 20
    assert bare.model_dump(exclude_unset=True).keys() == Place.model_fields.keys()


def test_zero_is_what_the_source_says_and_not_missing():
    said = row(rating=0, review_count=0, price_level=0, photos=[], categories=[], attributes={})

    assert (said.rating, said.review_count, said.price_level) == (0, 0, 0)
    assert (said.photos, said.categories, said.attributes) == ([], [], {})
    assert not {"rating", "review_count", "price_level", "photos", "categories", "attributes"} & set(said.missing)


@pytest.mark.parametrize(("lat", "lng"), [("60.17", "24.94"), (60.17, 24.94)])
def test_positions_are_numbers_however_they_are_written(lat, lng):
    assert (row(lat=lat, lng=lng).lat, row(lat=lat, lng=lng).lng) == (60.17, 24.94)


@pytest.mark.parametrize(
    ("lat", "lng"), [(None, 24.94), (60.17, None), (91, 24), (60, 181), ("north", 24), (True, False), ("nan", "0")]
)
def test_half_a_position_or_one_that_is_not_on_earth_is_none(lat, lng):
    said = row(lat=lat, lng=lng)

    assert (said.lat, said.lng) == (None, None)
    assert {"lat", "lng"} <= set(said.missing)


def test_the_distance_is_from_the_centre_of_what_was_searched():
    said = Said(place_id="x", ids={}, lat=60.18, lng=24.94)

    assert place(said, ORIGIN, circle(60.17, 24.94, 500)).distance_m == pytest.approx(1112, abs=1)
    assert place(said, ORIGIN).missing.count("distance_m") == 1


@pytest.mark.parametrize(
    ("language", "name"),
    [(None, "Kiasma"), ("en", "Museum"), ("sv", "Konst"), ("sv-FI", "Konst"), ("de", "Kiasma"), ("zh-Hant", "館")],
)
def test_a_name_is_the_one_of_the_language_asked_for_or_the_one_on_the_door(language, name):
    said = Said(place_id="x", ids={}, name="Kiasma", names={"en": "Museum", "sv": "Konst", "zh-Hant": "館"})

    assert place(said, ORIGIN, None, language).name == name


@pytest.mark.parametrize(
    ("said", "expected"),
    [(4.6, 4.6), ("4.6", 4.6), (None, None), (7, None), (-1, None), (True, None), ([], None), ("great", None)],
)
def test_a_rating_is_of_five_or_unknown(said, expected):
    assert row(rating=said).rating == expected


@pytest.mark.parametrize(("said", "expected"), [(240, 240), ("1,234", 1234), (240.0, 240), (1.5, None), (-1, None)])
def test_a_count_is_whole(said, expected):
    counted = row(review_count=said).review_count

    assert counted == expected
    assert not isinstance(counted, float)


@pytest.mark.parametrize(
    ("said", "expected"),
    [("$", 1), ("$$", 2), ("€€€", 3), ("££££", 4), ("Free", 0), ("$ $", 2), ("$10–20", None), ("", None), (7, None)],
)
def test_signs_of_a_currency_are_a_level(said, expected):
    assert level(said) == expected


def test_a_kind_is_written_one_way():
    assert row(categories=["Coffee shop", "cafe", None, " Bed & breakfast "]).categories == [
        "coffee_shop",
        "cafe",
        "bed_&_breakfast",
    ]


def test_a_website_has_its_scheme_and_what_is_none_is_unknown():
    assert row(website="lantern.example/menu").website == "https://lantern.example/menu"
    assert row(website="HTTP://lantern.example").website == "HTTP://lantern.example"
    assert row(website="call us").website is None
    assert row(website="javascript:alert(1)").website is None


def test_every_driver_has_terms_that_its_rows_tell():
    assert {driver.name for driver in DRIVERS} <= SOURCES.keys()
    assert row().attribution == "© OpenStreetMap contributors"
    assert "ODbL" in row().terms


# ---- tags of OpenStreetMap


def tagged(**tags):
    return place(of_tags("node/1", {key.replace("__", ":"): value for key, value in tags.items()}, 60, 24), ORIGIN)


def test_tags_become_fields():
    said = tagged(
        amenity="cafe;bar",
        shop="yes",
        name="Quay",
        addr__street="Lane",
        addr__housenumber="4",
        addr__postcode="00100",
        addr__city="Town",
        addr__country="fi",
        contact__phone="+358 1;+358 2",
        url="quay.example",
        wheelchair="yes",
        diet__vegan="no",
        wikidata="Q1",
    )

    assert said.categories == ["cafe", "bar", "shop"]
    assert said.address_parts.model_dump() == {
        "street": "Lane", "house_number": "4", "postal_code": "00100", "city": "Town", "state": None, "country": "FI",
    }  # fmt: skip
    assert said.address.startswith("Lane 4, 00100 Town")
    assert (said.phone, said.website) == ("+358 1", "https://quay.example")
    assert said.attributes == {"diet:vegan": False, "wheelchair": True}
    assert said.ids == {"osm": "node/1", "wikidata": "Q1"}
    assert said.maps_url == "https://www.openstreetmap.org/node/1"


def test_a_place_that_is_no_more_is_closed_for_good():
    assert tagged(disused__shop="bakery", name="Old").status == "permanently_closed"
    assert tagged(disused__shop="bakery", amenity="cafe").status is None


def test_a_place_without_tags_knows_nothing():
    assert missing(tagged()) == tagged().missing
    assert {"name", "categories", "address", "hours", "attributes"} <= set(tagged().missing)


# ---- reviews


def reviewed(*, personal_data=False, **told):
    said = SaidReview(review_id="r1", **told)
    (only,) = reviews([said], "google:x", Origin("mine", GOOGLE, NOW), personal_data=personal_data)
    return only


def test_a_review_of_which_nothing_is_known_names_every_field_it_lacks():
    bare = reviewed()

    assert set(bare.missing) == {
        name for name in Review.model_fields if getattr(bare, name) is None and name not in {"author", *PROVENANCE}
    }
    assert "author" in reviewed(personal_data=True).missing


def test_an_author_is_told_only_if_asked_for():
    author = {"name": "A. Tester", "url": "https://example.invalid/u", "photo": None}

    assert reviewed(author=author).author is None
    assert reviewed(author=author, personal_data=True).author == {
        "name": "A. Tester",
        "url": "https://example.invalid/u",
    }
    assert "A. Tester" not in reviewed(author=author).model_dump_json()


def test_a_review_without_an_id_cannot_be_told_from_others():
    assert reviews([SaidReview(review_id=None)], "x", ORIGIN, personal_data=False) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("2026-05-02T10:11:12Z", "2026-05-02T10:11:12Z"),
        ("2026-05-02T10:11:12.123456789Z", "2026-05-02T10:11:12Z"),
        ("2026-05-02T13:11:12+03:00", "2026-05-02T10:11:12Z"),
        ("2026-05-02 10:11", None),
        ("a month ago", None),
        ("2026-05-02", None),
        ("2026-13-02T10:11:12Z", None),
        (1777716672, None),
    ],
)
def test_a_time_is_one_of_utc_or_unknown(said, expected):
    assert moment(said) == expected
