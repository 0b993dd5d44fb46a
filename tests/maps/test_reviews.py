"""maps.reviews: pages with something new are billed, ids come once, authors only if asked for."""

import pytest
from pydantic import ValidationError

from tests.doubles.maps import running, town
from tests.maps.asking import ids, read_reviews, sources
from verbena.catalog.maps import ReviewsInput

PLACE = f"google:{town.LANTERN.google}"


def test_a_walk_reads_all_reviews_and_bills_the_pages():
    """A15"""
    with running("serpapi") as double:
        walked = read_reviews(double)

        assert ids(walked) == [f"ChReview{number:03}" for number in range(30)]
        assert [portion.units for portion in walked.portions] == [{"maps_reviews_page": 1}] * 3
        assert [request.asked.get("num") for request in double.requests] == [None, 20, 20]
        assert double.refusals == []


@pytest.mark.parametrize("limit", [1, 8, 9, 30])
def test_the_limit_is_a_total_over_all_pages(limit):
    with running("serpapi") as double:
        walked = read_reviews(double, max_reviews=limit)

        assert len(walked.rows) == limit


def test_the_last_page_again_is_not_read_and_not_billed():
    with running("serpapi") as double:
        double.will("last_page_again")

        walked = read_reviews(double)

        assert (len(walked.rows), walked.units, len(double.requests)) == (30, 3, 3)


def test_a_page_that_repeats_what_was_seen_is_not_billed_and_ends_the_walk():
    with running("serpapi") as double:
        double.will("overlapping")

        walked = read_reviews(double)

        assert (len(walked.rows), walked.units) == (8, 1)
        assert walked.coverage.dropped_duplicates == 8
        assert walked.coverage.capped_by == "repeated_page"


def test_a_source_of_thin_pages_ends_at_the_pages_that_were_quoted_and_says_so():
    with running("serpapi") as double:
        double.will("thin_pages")

        walked = read_reviews(double, max_reviews=40)

        assert (len(walked.rows), walked.units) == (5, 5)
        assert walked.coverage.capped_by == "quoted_pages"


def test_a_page_that_fails_once_is_read_again():
    with running("serpapi") as double:
        double.will("success", "search_ended_in_error", "success")

        walked = read_reviews(double)

        assert (len(walked.rows), walked.units, walked.error) == (30, 3, None)


def test_reviews_since_a_day_stop_there():
    with running("serpapi") as double:
        walked = read_reviews(double, since="2026-10-24")

        assert [row.published_at[:10] for row in walked.rows] == ["2026-10-28", "2026-10-26", "2026-10-24"]
        assert len(double.requests) == 1
        assert walked.coverage.dropped_by_filter == 5


def test_since_goes_with_the_newest_first_alone():
    with pytest.raises(ValidationError, match="leave sort unset"):
        ReviewsInput(place=PLACE, since="2026-10-24", sort="highest")


@pytest.mark.parametrize(
    ("sort", "word"),
    [("newest", "newestFirst"), ("relevant", "qualityScore"), ("highest", "ratingHigh"), ("lowest", "ratingLow")],
)
def test_the_order_is_asked_for_in_the_sources_words(sort, word):
    with running("serpapi") as double:
        read_reviews(double, sort=sort, max_reviews=1)

        assert double.requests[0].asked["sort_by"] == word


def test_a_review_has_its_original_its_translation_and_the_answer_of_the_place():
    with running("serpapi") as double:
        row = read_reviews(double, max_reviews=1).rows[0]

        assert (row.text, row.translation) == ("Hyvää keittoa.", "Good soup.")
        assert (row.published_at, row.relative_time) == ("2026-10-28T09:00:00Z", "a month ago")
        assert (row.owner_reply.text, row.owner_reply.at) == ("Thank you.", "2026-10-29T09:00:00Z")
        assert (row.place_id, row.likes, row.missing) == (PLACE, 0, ["language", "images"])


@pytest.mark.parametrize("name", ["google_places", "serpapi"])
def test_authors_are_told_only_if_asked_for(name):
    with running(name) as double:
        without = read_reviews(double, sort="relevant", max_reviews=1).rows[0]
        within = read_reviews(double, sort="relevant", max_reviews=1, personal_data=True).rows[0]

        assert "A. Tester" not in without.model_dump_json()
        assert "example.invalid" not in without.model_dump_json()
        assert within.author["name"] == "A. Tester"


def test_the_official_source_has_five_by_relevance_and_says_that_there_are_no_more():
    with running("google_places") as double:
        walked = read_reviews(double, sort="relevant", max_reviews=20)

        assert (len(walked.rows), walked.units) == (5, 1)
        assert walked.coverage.capped_by == "source_limit"
        assert double.requests[0].headers["X-Goog-FieldMask"] == "id,reviews"
        assert (walked.rows[0].language, walked.rows[0].translation) == ("fi", "Good soup.")


def test_an_order_that_the_official_source_has_not_is_left_to_others():
    with sources("google_places", "serpapi") as (google, serpapi):
        walked = read_reviews(google, serpapi, max_reviews=1)

        assert walked.tried == [("serpapi", "ok")]
        assert google.requests == []


def test_a_link_with_a_name_alone_has_candidates():
    with running("serpapi") as double:
        walked = read_reviews(double, place="https://www.google.com/maps/place/Lantern+Quay+Cafe")

        assert walked.rows == []
        assert walked.units == 0
        assert walked.portions[0].meta.candidates[0].name == town.LANTERN.name


def test_a_place_without_reviews_costs_nothing():
    with running("serpapi") as double:
        double.will("empty")

        walked = read_reviews(double)

        assert (walked.rows, walked.units, walked.error) == ([], 0, None)
