"""maps.place: ids and links of every kind lead to one place, ambiguous ones to candidates, and nothing is guessed."""

import asyncio

import pytest

from maps.links import followed
from maps.refs import Ref
from tests.doubles.maps import running, town
from tests.maps.asking import look_up, search, sources
from verbena.errors import InvalidUrl
from verbena.providers import VendorResponse

SPOT = town.LANTERN
LINK = f"https://www.google.com/maps/place/Lantern/data=!3m1!4b1!4m5!3m4!1s{SPOT.feature}!8m2"


@pytest.mark.parametrize(
    "said",
    [
        {"place_id": SPOT.google},
        {"place_id": f"google:{SPOT.google}"},
        {"place_id": SPOT.feature},
        {"place_id": f"google_cid:{SPOT.cid}"},
        {"url": f"https://maps.google.com/?cid={SPOT.cid}"},
        {"url": LINK},
        {"url": f"https://www.google.com/maps/place/?q=place_id:{SPOT.google}"},
    ],
)
def test_ids_and_links_of_one_place_give_one_row(said):
    """A14"""
    with running("serpapi") as double:
        walked = look_up(double, **said)

        assert [row.place_id for row in walked.rows] == [f"google:{SPOT.google}"]
        assert walked.units == 1
        assert double.refusals == []


@pytest.mark.parametrize("said", [{"place_id": "osm:node/9000000"}, {"url": "https://osm.org/node/9000000"}])
def test_an_element_of_openstreetmap_is_looked_up_where_it_is_known(said):
    with sources("google_places", "osm") as (google, osm):
        walked = look_up(google, osm, **said)

        (row,) = walked.rows
        assert (row.place_id, row.name, row.phone) == ("osm:node/9000000", SPOT.name, SPOT.phone)
        assert len(row.hours.periods) == 3
        assert google.requests == []
        assert osm.requests[0].asked["osm_ids"] == "N9000000"


def test_an_id_is_asked_of_those_who_know_its_kind_alone():
    with sources("google_places", "serpapi") as (google, serpapi):
        walked = look_up(google, serpapi, place_id=f"google_cid:{SPOT.cid}")

        assert walked.tried == [("serpapi", "ok")]
        assert google.requests == []


def test_a_link_with_a_name_alone_has_candidates_and_no_guess():
    with running("google_places") as double:
        walked = look_up(double, url="https://www.google.com/maps/place/Lantern+Quay+Cafe/@59.5,22.5,17z")

        (portion,) = walked.portions
        assert (portion.answers, portion.units) == ((), {})
        assert portion.meta.candidates[0].place_id == f"google:{SPOT.google}"
        assert portion.meta.warnings[0].startswith("ambiguous")
        assert double.requests[0].body["locationBias"]["circle"]["center"] == {"latitude": 59.5, "longitude": 22.5}


def test_an_id_that_nobody_knows_is_no_row_and_no_charge():
    with running("google_places") as double:
        walked = look_up(double, place_id="ChIJmadeUpPlace99999")

        (portion,) = walked.portions
        assert (portion.answers, portion.units, walked.error) == ((), {}, None)
        assert portion.meta.warnings == ["not_found: google_places knows no such place"]


def test_an_input_that_names_no_place_is_refused_with_the_forms_there_are():
    with running("google_places") as double:
        walked = look_up(double, url="https://example.com/")

        assert walked.error.code == "invalid_input"
        assert walked.error.details["fields"][0]["field"] == "url"
        assert double.requests == []


@pytest.mark.parametrize("name", ["google_places", "serpapi", "osm"])
def test_three_languages_are_three_names_of_one_id(name):
    place_id = "osm:node/9000000" if name == "osm" else SPOT.google
    with running(name) as double:
        rows = [look_up(double, place_id=place_id, language=tag).rows[0] for tag in ("en", "fi", "sv")]

        assert [row.name for row in rows] == ["Lantern Quay Cafe", "Lyhtylaiturin kahvila", "Lanternans kajkafé"]
        assert len({row.place_id for row in rows}) == 1


# ---- kinds of places


@pytest.mark.parametrize("name", ["google_places", "serpapi", "osm"])
@pytest.mark.parametrize("spot", [town.HOTEL, town.CLOSED], ids=lambda spot: spot.kind)
def test_any_kind_of_place_is_found(name, spot):
    """A17"""
    with running(name) as double:
        walked = search(double, query=spot.kind)

        assert spot.name in [row.name for row in walked.rows]


def test_a_range_of_prices_is_a_text_beside_the_level():
    with running("google_places") as double:
        (row,) = search(double, query="hotel").rows

        assert (row.price_level, row.price_text) == (3, "EUR 90-140")


def test_what_a_place_offers_and_its_pictures_come_with_all_the_details():
    with running("google_places") as double:
        (row,) = look_up(double, place_id=SPOT.google, detail="full").rows

        assert row.attributes == {"delivery": False, "takeout": True}
        assert [(photo.url, photo.attribution) for photo in row.photos] == [
            ("https://maps.google.com/photo1", "A. Tester")
        ]
        assert double.vendor.key["GOOGLE_MAPS_API_KEY"] not in row.model_dump_json()


def test_a_rental_without_a_place_id_is_known_by_its_feature_id():
    with running("serpapi") as double:
        (row,) = search(double, query="rental").rows

        assert row.place_id == f"google_feature:{town.RENTAL.feature}"
        (again,) = look_up(double, place_id=row.place_id).rows
        assert (again.place_id, again.name) == (row.place_id, row.name)


def test_a_business_that_comes_to_its_customers_has_no_address_and_no_position():
    with running("google_places") as double:
        (row,) = search(double, query="plumber").rows

        assert (row.name, row.phone) == (town.PLUMBER.name, town.PLUMBER.phone)
        assert {"address", "lat", "lng", "distance_m"} <= set(row.missing)


def test_closed_and_moved_places_say_so():
    with sources("google_places", "serpapi", "osm") as (google, serpapi, osm):
        by_name = {row.name: row for row in search(google, query="bakery").rows}
        assert {name: row.status for name, row in by_name.items()} == {
            "Old Bakery": "permanently_closed",
            "Winter Bakery": "temporarily_closed",
            "Wandering Bakery": "moved",
        }
        assert by_name["Wandering Bakery"].extras == {"moved_to": "google:ChIJmadeUpPlaceNew01"}

        said = {row.name: row.status for row in search(serpapi, query="bakery").rows}
        assert (said["Old Bakery"], said["Winter Bakery"]) == ("permanently_closed", "temporarily_closed")
        assert {row.name: row.status for row in search(osm, query="bakery").rows}["Old Bakery"] == "permanently_closed"


# ---- short links


def leading(*locations):
    """A sender whose short links lead to these places, one after the other."""
    answers = iter(locations)

    async def send(request, *, is_own):
        assert is_own is False
        location = next(answers)
        return VendorResponse(302, {"Location": location}, b"") if location else VendorResponse(200, {}, b"<html>")

    return send


def follow(*locations):
    return asyncio.run(followed(Ref("short", "https://maps.app.goo.gl/AbC"), leading(*locations)))


@pytest.mark.parametrize(
    ("locations", "expected"),
    [
        ([f"https://maps.google.com/?cid={SPOT.cid}0000000"], "google_cid"),
        (["https://goo.gl/maps/X", LINK], "google_feature"),
        (["https://www.google.com/maps/place/Lantern"], "name"),
    ],
)
def test_a_short_link_is_followed_to_its_place(locations, expected):
    assert follow(*locations).kind == expected


@pytest.mark.parametrize(
    "locations",
    [
        ["https://evil.example/maps?cid=12345678901"],
        ["http://169.254.169.254/latest/meta-data"],
        ["https://www.google.com/search?q=x"],
        [None],
        ["https://goo.gl/a"] * 4,
    ],
)
def test_a_short_link_that_leads_elsewhere_is_not_followed(locations):
    with pytest.raises(InvalidUrl, match="short link"):
        follow(*locations)


def test_what_is_no_short_link_is_not_fetched():
    ref = Ref("osm", "node/1")

    assert asyncio.run(followed(ref, leading())) is ref
