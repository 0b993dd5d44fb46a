"""The rules of a search (section C of the requirements), with real drivers at doubles of their vendors."""

import contextlib
from dataclasses import replace

import pytest

from tests.doubles import VENDORS, running
from tests.web_discover.searching import LASTING, hits, searched, tried
from verbena.errors import InvalidRequest


@contextlib.contextmanager
def vendors(*names):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(running(name)) for name in names]


@pytest.mark.parametrize(
    ("name", "script", "kind"),
    [
        ("brave", "rate_limited", "transient"),
        ("tavily", "rate_limited", "transient"),
        ("brave", "server_error", "transient"),
        ("exa", "bad_gateway", "transient"),
        ("linkup", "unavailable", "transient"),
        ("serper", "gateway_timeout", "transient"),
        ("tavily", "reset", "transient"),
        ("tavily", "closed", "transient"),
        ("perplexity", "short_body", "transient"),
        ("exa", "html_200", "transient"),
        ("google_cse", "bad_key", "auth"),
        ("serper", "bad_key", "auth"),
        ("perplexity", "bad_key", "auth"),
        ("linkup", "credits_used", "quota"),
        ("tavily", "plan_used", "quota"),
        ("perplexity", "retired", "config"),
        ("searxng", "json_switched_off", "config"),
        ("exa", "number_refused", "vendor_param"),
    ],
)
def test_a_vendor_that_fails_is_followed_by_the_next(name, script, kind):
    """C06, C13: each cause, and both attempts told on success."""
    with vendors(name, "baidu") as (first, second):
        first.will(script)

        outcome = searched(first, second)

        assert tried(outcome) == [(name, kind), ("baidu", "ok")]
        failed, served = outcome.attempts
        assert (failed.driver, failed.ok, failed.hits) == (name, False, None)
        assert failed.message
        assert failed.ms >= 0
        assert (served.driver, served.ok, served.hits) == ("baidu", True, len(hits(outcome)))
        assert {hit.provider for hit in hits(outcome)} == {"baidu"}


def test_a_vendor_that_cannot_be_reached_is_followed_by_the_next():
    """C06: nobody listens where the first should be."""
    with running("tavily") as gone:
        pass
    with running("exa") as second:
        outcome = searched(gone, second)

        assert tried(outcome) == [("tavily", "transient"), ("exa", "ok")]
        assert "connect" in outcome.attempts[0].message


@pytest.mark.parametrize(
    ("name", "script", "words"),
    [
        ("brave", "bad_value_naming_a_key", "VALIDATION"),
        ("perplexity", "bad_value", "search_recency_filter"),
        ("perplexity", "invalid_body", "at most 20"),
        ("exa", "bad_value", "The body is not valid."),
        ("linkup", "bad_value", "Validation failed"),
        ("serper", "query_missing", "Missing query parameter"),
        ("searxng", "bad_value", "fortnight"),
        ("tavily", "domains_refused", "localhost"),
        ("baidu", "bad_value", "param error"),
    ],
)
def test_a_request_that_is_wrong_everywhere_ends_the_search_with_the_vendors_words(name, script, words):
    """C07: nobody else is asked."""
    with vendors(name, "google_cse") as (first, second):
        first.will(script)

        outcome = searched(first, second)

        assert isinstance(outcome, InvalidRequest)
        assert words in outcome.message
        assert tried(outcome) == [(name, "bad_request")]
        assert second.requests == []


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("brave", "bad_key"),
        ("brave", "missing_key"),
        ("brave", "bad_key_as_documented"),
        ("google_cse", "bad_key"),
        ("google_cse", "bad_key_without_details"),
    ],
)
def test_a_bad_key_is_the_operators_fault_whatever_its_status(name, script):
    """C08: 400 and 422 with the vendor's code of a credential."""
    with vendors(name, "exa") as (first, second):
        first.will(script)

        assert tried(searched(first, second)) == [(name, "auth"), ("exa", "ok")]


@pytest.mark.parametrize("name", ["brave", "perplexity", "exa", "linkup"])
def test_a_query_that_speaks_of_keys_is_no_bad_key(name):
    """C08: the words of a verdict in a caller's text."""
    with vendors(name, "serper") as (first, second):
        first.will("bad_value_naming_a_key")

        assert tried(searched(first, second)) == [(name, "bad_request")]


@pytest.mark.parametrize("name", [name for name in VENDORS if name != "duckduckgo"])
def test_finding_nothing_is_a_success_that_asks_nobody_else(name):
    """C10, whatever a vendor's way to say it is."""
    with vendors(name, "brave" if name != "brave" else "exa") as (first, second):
        first.will("empty")

        outcome = searched(first, second)

        assert tried(outcome) == [(name, "ok")]
        assert outcome.attempts[0].hits == 0
        assert hits(outcome) == []
        assert outcome.units == {"web_search": 1}
        assert second.requests == []


def test_instant_answers_that_know_nothing_let_the_next_provider_search():
    """C10, C21: what is no search of the web proves nothing."""
    with vendors("duckduckgo", "exa") as (first, second):
        first.will("empty")

        outcome = searched(first, second)

        assert tried(outcome) == [("duckduckgo", "ok"), ("exa", "ok")]
        assert {hit.provider for hit in hits(outcome)} == {"exa"}


@pytest.mark.parametrize("part", ["request", "read", "codes"])
def test_a_driver_that_throws_costs_one_attempt(part):
    """C16: a search never throws for what a vendor does."""

    def broken(*_):
        raise ZeroDivisionError

    drivers = [replace(LASTING["brave"], **{part: broken}), LASTING["exa"]]
    with vendors("brave", "exa") as (first, second):
        outcome = searched(first, second, drivers=drivers)

        assert tried(outcome) == [("brave", "transient"), ("exa", "ok")]
        assert "ZeroDivisionError" in outcome.attempts[0].message
