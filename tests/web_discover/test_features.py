"""What a driver claims, its vendor takes; what it does not claim, it is never asked (C05, C09)."""

import pytest

from tests.doubles import VENDORS, running
from tests.web_discover.searching import LASTING, hits, searched, setup, tried, wanted
from verbena.errors import NoEligibleProvider
from verbena.providers import Failure
from web_discover.executor import features

SITES = ["a.example", "b.example"]
MANY = [f"site-{number}.example.org" for number in range(50)]
DATES = ({"published_after": "2026-02-03"}, {"published_before": "2026-03-04"})
VALUES = {
    "answer": [{"answer": True}],
    "include_domains": [{"include_domains": SITES[:1]}, {"include_domains": SITES}, {"include_domains": MANY}],
    "exclude_domains": [{"exclude_domains": SITES[:1]}, {"exclude_domains": SITES}, {"exclude_domains": MANY}],
    "freshness": [{"freshness": unit} for unit in ("day", "week", "month", "year")],
    "date_range": [*DATES, DATES[0] | DATES[1], DATES[0] | {"freshness": "year"}],
    "region": [{"region": country} for country in ("gb", "US", "fi", "cn", "VN", "KR", "aq")],
    "language": [
        {"language": tag} for tag in ("en", "en-GB", "pt-BR", "zh", "zh-Hant-TW", "es-419", "nb", "de-1996", "yue")
    ],
    "safe_search": [{"safe_search": level} for level in ("off", "moderate", "strict")],
}
CLAIMED = [
    pytest.param(name, more, id=f"{name}-{'-'.join(f'{key}-{value}' for key, value in more.items())[:60]}")
    for name, driver in LASTING.items()
    for feature in sorted(driver.can)
    for more in VALUES[feature]
]
LACKING = [
    pytest.param(name, feature, id=f"{name}-{feature}")
    for name, driver in LASTING.items()
    for feature in sorted(VALUES.keys() - driver.can)
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


@pytest.mark.parametrize(("name", "feature"), LACKING)
def test_a_provider_that_cannot_honour_a_filter_is_not_asked(name, feature):
    with running(name) as double:
        outcome = searched(double, **VALUES[feature][0])

        assert isinstance(outcome, NoEligibleProvider)
        assert feature in outcome.details["providers"][name]
        assert double.requests == []


@pytest.mark.parametrize("name", VENDORS)
def test_each_claimed_filter_changes_what_is_asked(name):
    driver = LASTING[name]
    steps = {"answer"} if driver.then else set()
    base = {"language": "sv"} if "language" in driver.can else {}
    plain = driver.request(wanted(**base), setup(name))

    for feature in driver.can - steps:
        changed = [driver.request(wanted(**base | more), setup(name)) for more in VALUES[feature]]
        assert all(request != plain for request in changed)
        assert not all(isinstance(request, Failure) for request in changed)


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
