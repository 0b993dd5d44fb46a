"""Three sources, and everything each is known to answer, through the real engine over real sockets."""

import pytest

from tests.doubles.maps import SOURCES, running
from tests.maps.asking import PATIENCE_S, SHORT_S, read_reviews, search

# These answer only when they are let go.
SLOW = {"hang", "slow_headers", "slow_body"}
ELSEWHERE = {("osm", "json_list"): "vendor_param"}
SCRIPTS = [(name, script) for name, vendor in SOURCES.items() for script in vendor.scripts]


def kind_of(walked):
    """The class of the first attempt, in the words of the contracts."""
    _, kind = walked.tried[0]
    if kind != "ok":
        return kind
    return "success" if walked.rows else "no_results"


@pytest.mark.parametrize(("name", "script"), SCRIPTS)
def test_whatever_a_source_answers_is_understood_as_its_contract_means_it(name, script):
    with running(name) as double:
        double.will(script)
        verb = read_reviews if script in OF_REVIEWS else search

        walked = verb(double, seconds=SHORT_S if script in SLOW else PATIENCE_S)

        expected = ELSEWHERE.get((name, script), double.scripts[script].expected_class)
        assert kind_of(walked) == expected
        assert double.refusals == []


OF_REVIEWS = {"last_page_again", "overlapping", "thin_pages"}


@pytest.mark.parametrize(
    ("script", "kind"),
    [("geocoder_blocked", "quota"), ("geocoder_busy", "transient"), ("no_such_format", "vendor_param")],
)
def test_a_location_that_cannot_be_found_is_the_providers_failure(script, kind):
    with running("osm") as double:
        double.will(script)

        walked = search(double, location="Exampleton")

        assert walked.tried == [("osm", kind)]
        assert walked.rows == []


def test_a_location_that_nobody_knows_says_so():
    with running("osm") as double:
        walked = search(double, location="Nowhere at all")

        assert "no place of the name" in walked.error.attempts[0].message


def test_a_second_question_that_fails_is_the_providers_failure():
    with running("osm") as double:
        double.will("too_busy")

        walked = search(double, location="Exampleton")

        assert walked.tried == [("osm", "ok"), ("osm", "transient")]
        assert walked.error.code == "ALL_PROVIDERS_FAILED"


def test_a_source_that_fails_is_followed_by_the_next_and_both_are_told():
    with running("google_places") as first, running("osm") as second:
        first.will("bad_key")

        walked = search(first, second)

        assert walked.tried == [("google_places", "auth"), ("osm", "ok")]
        assert {row.provider for row in walked.rows} == {"osm"}
        assert "GOOGLE_MAPS_API_KEY" in walked.portions[0].attempts[0].message


def test_no_message_holds_a_key():
    with running("serpapi") as double:
        double.will("bad_key")

        walked = search(double)

        assert double.vendor.key["SERPAPI_API_KEY"] not in str(walked.error.attempts)
