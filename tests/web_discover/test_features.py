"""What a driver claims, its vendor takes; what it does not claim, it is never asked (C05, C09)."""

import pytest

from tests.doubles import VENDORS, running
from tests.web_discover.filters import VALUES
from tests.web_discover.searching import LASTING, hits, searched, tried, wanted
from web_discover.executor import features

CLAIMED = [
    pytest.param(name, more, id=f"{name}-{'-'.join(f'{key}-{value}' for key, value in more.items())[:60]}")
    for name, driver in LASTING.items()
    if name in VENDORS
    for feature in sorted(driver.can)
    for more in VALUES[feature]
]


@pytest.mark.parametrize(("name", "more"), CLAIMED)
def test_a_vendor_takes_every_value_that_its_driver_does_not_refuse(name, more):
    with running(name) as double:
        outcome = searched(double, **more)

        assert double.refusals == []
        if double.requests:
            assert tried(outcome)[0] == (name, "ok")
            assert hits(outcome)
        else:
            assert tried(outcome) == [(name, "vendor_param")]


def test_the_features_of_a_call_are_the_filters_it_has():
    found = {feature for values in VALUES.values() for more in values for feature in features(wanted(**more))}

    assert found == set(VALUES)
    assert features(wanted(top_k=3)) == frozenset()


def test_the_next_provider_serves_what_the_first_cannot_honour():
    with running("linkup") as linkup, running("brave") as brave:
        outcome = searched(linkup, brave, language="fi")

        assert tried(outcome) == [("brave", "ok")]
        assert linkup.requests == []


def test_a_query_too_long_for_one_vendor_is_served_by_the_next():
    with running("brave") as brave, running("tavily") as tavily:
        outcome = searched(brave, tavily, query="x" * 450)

        assert tried(outcome) == [("brave", "vendor_param"), ("tavily", "ok")]
        assert "400 characters" in outcome.attempts[0].message
        assert brave.requests == []


def test_a_country_that_one_vendor_has_not_in_its_list_is_served_by_the_next():
    with running("brave") as brave, running("serper") as serper:
        outcome = searched(brave, serper, region="vn")

        assert tried(outcome) == [("brave", "vendor_param"), ("serper", "ok")]
        assert brave.requests == []
