"""maps.search: what is asked of a source, what of a page is returned and billed, and how a walk ends."""

import pytest

from maps.drivers.google_fields import BASIC, FULL, STANDARD
from tests.doubles.maps import running, town
from tests.maps.asking import BOX, CIRCLE, ids, names, rows_of, search, sources
from verbena.providers import ProviderRow

FROM = {"lat": 59.5, "lng": 22.5, "radius_m": 500}


# ---- walks


def test_a_walk_goes_over_all_pages_and_every_id_is_there_once():
    with running("google_places") as double:
        walked = search(double)

        assert ids(walked) == [f"google:{spot.google}" for spot in town.CAFES]
        assert walked.units == 45
        assert [len(portion.answers) for portion in walked.portions] == [20, 20, 5]
        assert walked.coverage.model_dump() == {
            "requested": 500,
            "returned": 45,
            "dropped_out_of_area": 0,
            "dropped_duplicates": 0,
            "dropped_by_filter": 0,
            "capped_by": None,
        }


@pytest.mark.parametrize("limit", [1, 19, 20, 21, 44, 45])
@pytest.mark.parametrize("name", ["google_places", "serpapi", "osm"])
def test_the_limit_is_a_total_over_all_pages(name, limit):
    with running(name) as double:
        walked = search(double, max_places=limit)

        assert len(walked.rows) == walked.units == len(set(ids(walked))) == limit
        assert walked.coverage.requested == walked.coverage.returned == limit
        assert walked.coverage.capped_by == ("limit" if limit < 45 else None)


def test_a_limit_of_one_over_a_source_that_never_ends_is_one_place_and_one_question():
    with running("google_places") as double:
        double.will("repeating")

        walked = search(double, max_places=1)

        assert (len(walked.rows), walked.units, len(double.requests)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("script", "returned", "requests", "cap"),
    [
        ("repeating", 20, 2, "repeated_page"),
        ("same_token", 40, 2, "repeated_token"),
        ("empty_with_token", 20, 2, "empty_page"),
        ("token_vanishes", 20, 1, None),
        ("short_page", 3, 1, None),
        ("doubled", 3, 1, None),
    ],
)
def test_a_walk_ends_whatever_a_source_says_of_further_pages(script, returned, requests, cap):
    with running("google_places") as double:
        double.will(script)

        walked = search(double)

        assert (len(walked.rows), len(double.requests)) == (returned, requests)
        assert walked.coverage.capped_by == cap
        assert walked.units == returned


def test_a_link_back_to_the_first_page_ends_the_walk():
    with running("serpapi") as double:
        double.will("first_again")

        walked = search(double)

        assert (len(walked.rows), len(double.requests)) == (20, 1)


def test_what_comes_twice_is_told_and_not_billed():
    with running("google_places") as double:
        double.will("doubled")

        walked = search(double)

        assert (walked.units, walked.coverage.dropped_duplicates) == (3, 3)


def test_a_token_that_is_not_good_yet_is_asked_for_again_and_costs_nothing():
    with running("google_places") as double:
        double.will("too_early")

        walked = search(double)

        assert walked.error is None
        assert len(walked.rows) == walked.units == 45
        assert walked.tried == [("google_places", kind) for kind in ("ok", "bad_request", "ok", "ok")]


def test_a_page_that_fails_again_and_again_is_an_error_at_last_and_what_was_found_stays():
    with running("google_places") as double:
        double.will("success", "internal")

        walked = search(double)

        assert len(walked.rows) == 20
        assert walked.error.code == "ALL_PROVIDERS_FAILED"
        assert len(double.requests) == 4


def test_a_walk_never_changes_its_provider():
    with sources("google_places", "serpapi") as (first, second):
        first.will("success", "internal")

        walked = search(first, second)

        assert {row.provider for row in walked.rows} == {"google_places"}
        assert second.requests == []
        assert walked.error is not None


def test_the_operators_cap_is_a_total_and_is_told():
    with running("google_places") as double:
        walked = search(double, rows=rows_of(double, max_results=25))

        assert len(walked.rows) == 25
        assert walked.coverage.capped_by == "source_limit"


def test_the_most_a_source_has_is_told_before_anybody_waits_for_more():
    with running("google_places") as double:
        walked = search(double)

        assert walked.portions[0].meta.warnings == ["truncated: google_places returns at most 60 results"]


# ---- areas


@pytest.mark.parametrize("name", ["google_places", "osm"])
@pytest.mark.parametrize("location", [CIRCLE, BOX])
def test_places_outside_a_strict_area_are_dropped_counted_and_not_billed(name, location):
    with running(name) as double:
        double.will("abroad")

        walked = search(double, location=location, strict_area=True)

        assert "Cafe Abroad" not in names(walked)
        assert len(walked.rows) == walked.units == 4
        assert walked.coverage.dropped_out_of_area == (2 if name == "google_places" else 1)
        assert double.refusals == []


def test_without_strict_area_a_place_elsewhere_is_returned_with_its_distance():
    with running("google_places") as double:
        double.will("abroad")

        walked = search(double)

        assert walked.rows[0].name == "Cafe Abroad"
        assert walked.rows[0].distance_m > 10_000_000


def test_a_source_that_jumps_to_another_country_in_the_middle_bills_nothing_of_it():
    with running("serpapi") as double:
        double.will("abroad_later")

        walked = search(double, strict_area=True)

        assert (len(walked.rows), walked.units) == (20, 20)
        assert walked.coverage.dropped_out_of_area == 1
        assert walked.coverage.dropped_duplicates == 4


def test_a_strict_circle_is_a_box_to_a_source_that_knows_no_circles_and_a_circle_to_the_caller():
    with running("google_places") as double:
        walked = search(double, location=FROM, strict_area=True)

        (asked,) = {str(request.body["locationRestriction"]) for request in double.requests}
        assert "rectangle" in asked
        assert walked.rows
        assert all(row.distance_m <= 500 for row in walked.rows)
        assert walked.coverage.dropped_out_of_area == 45 - len(walked.rows)


def test_a_box_over_the_antimeridian_is_asked_for_as_every_source_wants_it():
    pacific = {"south": -20, "west": 170, "north": -10, "east": -170}
    with sources("google_places", "osm") as (google, osm):
        search(google, location=pacific)
        search(osm, location=pacific)

        corner = google.requests[0].body["locationBias"]["rectangle"]
        assert (corner["low"]["longitude"], corner["high"]["longitude"]) == (170, -170)
        data = osm.requests[0].asked["data"]
        assert "(-20.0,170.0,-10.0,180.0)" in data
        assert "(-20.0,-180.0,-10.0,-170.0)" in data
        assert google.refusals == osm.refusals == []


def test_a_strict_area_that_is_only_a_name_needs_a_source_that_knows_where_it_is():
    with sources("google_places", "osm") as (google, osm):
        alone = search(google, location="Exampleton", strict_area=True)
        both = search(google, osm, location="Exampleton", strict_area=True)

        assert alone.error.code == "NO_ELIGIBLE_PROVIDER"
        assert "strict_name" in str(alone.error.details)
        assert {row.provider for row in both.rows} == {"osm"}
        assert google.requests == []


# ---- filters


def test_a_rating_is_asked_for_in_halves_and_kept_to_exactly():
    with running("google_places") as double:
        walked = search(double, min_rating=4.2)

        assert {request.body["minRating"] for request in double.requests} == {4.0}
        assert names(walked) == ["Lantern Quay Cafe"]
        assert walked.coverage.dropped_by_filter == 44
        assert walked.units == 1


def test_prices_are_asked_for_in_the_sources_words_and_kept_to():
    with running("google_places") as double:
        walked = search(double, price_levels=[2])

        assert double.requests[0].body["priceLevels"] == ["PRICE_LEVEL_MODERATE"]
        assert names(walked) == ["Lantern Quay Cafe"]


def test_what_is_free_is_no_filter_of_the_source_but_is_one_of_ours():
    with running("google_places") as double:
        walked = search(double, price_levels=[0, 2])

        assert "priceLevels" not in double.requests[0].body
        assert names(walked) == ["Lantern Quay Cafe"]


@pytest.mark.parametrize("wanted", [{"open_now": True}, {"min_rating": 4}, {"price_levels": [1]}])
def test_a_filter_that_a_source_cannot_honour_is_not_asked_of_it(wanted):
    with running("osm") as double:
        walked = search(double, **wanted)

        assert walked.error.code == "NO_ELIGIBLE_PROVIDER"
        assert next(iter(wanted)) in walked.error.details["providers"]["osm"]
        assert double.requests == []


# ---- what a call costs


@pytest.mark.parametrize(
    ("detail", "fields"),
    [("basic", BASIC), ("standard", (*BASIC, *STANDARD)), ("full", (*BASIC, *STANDARD, *FULL))],
)
def test_the_mask_holds_what_was_asked_for_and_the_token(detail, fields):
    with running("google_places") as double:
        search(double, detail=detail, max_places=1)

        mask = double.requests[0].headers["X-Goog-FieldMask"].split(",")
        assert mask == ["nextPageToken", *(f"places.{name}" for name in fields)]


def test_a_filter_costs_the_one_field_it_is_checked_by():
    with running("google_places") as double:
        search(double, detail="basic", min_rating=4, max_places=1)

        mask = double.requests[0].headers["X-Goog-FieldMask"]
        assert mask.endswith(",places.rating")


def test_fields_that_were_not_asked_for_are_named_as_missing():
    with running("google_places") as double:
        (row,) = search(double, detail="basic", max_places=1).rows

        assert {"rating", "hours", "phone", "price_level"} <= set(row.missing)


def test_a_cost_is_the_vendors_own_word_or_unknown():
    with sources("google_places", "osm") as (google, osm):
        paid, free = search(google, max_places=1), search(osm, max_places=1)

        assert (paid.portions[0].vendor_cost_micros, paid.portions[0].unknown_costs) == (None, 1)
        assert (free.portions[0].vendor_cost_micros, free.portions[0].unknown_costs) == (0, 0)


def test_open_data_may_be_kept_and_the_rest_only_briefly_unless_the_operator_may():
    with sources("google_places", "osm") as (google, osm):
        allowed = [ProviderRow("google_places", "google_places", allow_caching=True)]

        assert search(osm, max_places=1).portions[0].keep_s is None
        assert search(google, max_places=1).portions[0].keep_s == 900
        assert search(google, max_places=1, rows=allowed).portions[0].keep_s is None


# ---- rows


def test_fields_that_are_null_or_gone_are_missing_and_never_an_error():
    with running("google_places") as double:
        double.will("bare")

        first, second, third = search(double).rows

        assert (first.name, first.lat, first.rating, first.categories) == (None, None, None, None)
        assert (second.lat, second.lng, second.rating) == (59.5, 22.5, 4.5)
        assert (third.hours, third.address_parts) == (None, None)
        assert {"name", "lat", "lng", "rating", "hours"} <= set(first.missing)


def test_a_place_that_never_closes_says_so():
    with running("google_places") as double:
        double.will("always_open")

        (row,) = search(double).rows

        assert row.hours.always_open is True
        assert [(period.day, period.close) for period in row.hours.periods] == [(1, None)]


def test_prices_as_signs_become_levels_beside_their_text():
    with running("serpapi") as double:
        double.will("prices")

        walked = search(double)

        assert [(row.price_level, row.price_text) for row in walked.rows] == [
            (1, "$"), (2, "$$"), (3, "€€€"), (4, "££££"), (None, "$10–20"), (0, "Free"), (None, None), (None, None),
            (None, None),
        ]  # fmt: skip


def test_hours_that_are_missing_or_odd_are_no_error():
    with running("serpapi") as double:
        double.will("odd_hours")

        hours = [row.hours for row in search(double).rows]

        assert hours[0].always_open is True
        assert len(hours[1].periods) == 7
        assert (hours[2].periods, hours[2].text) == (None, ["monday: 8 AM–6 PM"])
        assert hours[3].periods is None
        assert hours[4:] == [None, None]


@pytest.mark.parametrize("name", ["google_places", "serpapi", "osm"])
def test_two_runs_of_the_same_differ_in_nothing_but_the_time(name):
    with running(name) as double:
        one, other = search(double), search(double)

        changing = {"fetched_at"}
        assert [row.model_dump(exclude=changing) for row in one.rows] == [
            row.model_dump(exclude=changing) for row in other.rows
        ]
