"""Written answers: only when asked for, with their sources, and never at the cost of the hits (C20)."""

import pytest

from tests.doubles import VENDORS, running
from tests.web_discover.searching import hits, searched, tried
from verbena.providers import ProviderRow

FIRST = "https://housing.example.org/guides/0"


@pytest.mark.parametrize(("name", "hits_there"), [("tavily", 5), ("linkup", 5), ("perplexity", 3)])
def test_an_answer_comes_with_the_pages_it_is_made_of(name, hits_there):
    with running(name) as double:
        outcome = searched(double, answer=True, top_k=5)

        answer = outcome.meta.answer
        assert answer.text.startswith("In short: otter is measured at the window")
        assert answer.sources[0].url == FIRST
        assert answer.sources[0].title == "otter, part 0"
        assert len(answer.sources) == hits_there
        assert len(hits(outcome)) == 5
        assert outcome.meta.warnings is None


@pytest.mark.parametrize("name", VENDORS)
def test_nobody_writes_an_answer_that_was_not_asked_for(name):
    with running(name) as double:
        outcome = searched(double)

        assert outcome.meta.answer is None
        assert len(double.requests) == 1


@pytest.mark.parametrize("script", ["answer_box", "answer_box_snippet"])
def test_an_answer_that_comes_unasked_is_left_out(script):
    with running("serper") as double:
        double.will(script)

        assert searched(double).meta.answer is None


def test_perplexitys_hits_come_from_its_search_and_its_answer_from_its_agent():
    with running("perplexity") as double:
        outcome = searched(double, answer=True)

        assert [request.path for request in double.requests] == ["/search", "/v1/agent"]
        assert [(attempt.ok, attempt.hits) for attempt in outcome.attempts] == [(True, 10), (True, 10)]
        assert "[1]" in outcome.meta.answer.text


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        ("agent_failed", "transient", "failed: The model failed."),
        ("agent_silent", "transient", "wrote nothing"),
        ("agent_html", "transient", "not understood"),
        ("agent_rate_limited", "transient", "HTTP 429"),
        ("agent_bad_key", "auth", "HTTP 401"),
        ("agent_bad_value", "bad_request", "unknown model"),
        ("agent_hang", "transient", "no answer within"),
    ],
)
def test_an_answer_that_fails_leaves_the_hits_and_a_warning(script, kind, words):
    with running("perplexity") as double, running("tavily") as second:
        double.will(script)

        outcome = searched(double, second, answer=True, **({"seconds": 0.5} if script == "agent_hang" else {}))

        assert len(hits(outcome)) == 10
        assert tried(outcome) == [("perplexity", "ok"), ("perplexity", kind)]
        assert outcome.meta.answer is None
        (warning,) = outcome.meta.warnings
        assert warning.startswith("answer_failed: perplexity: ")
        assert words in warning
        assert second.requests == []


def test_an_answer_of_an_agent_that_did_not_search_has_no_sources():
    with running("perplexity") as double:
        double.will("agent_without_search")

        answer = searched(double, answer=True).meta.answer

        assert answer.text
        assert answer.sources == []


def test_a_vendor_that_wrote_no_answer_is_told():
    with running("tavily") as double:
        double.will("null_answer")

        outcome = searched(double, answer=True)

        assert hits(outcome)
        assert outcome.meta.answer is None
        assert outcome.meta.warnings == ["answer_missing: tavily wrote none"]


COSTS = {
    # vendor: its config, whether an answer is asked for, the known cost, how many calls did not say theirs
    "brave": (None, False, None, 1),
    "tavily": ('{"micros_per_credit": 8000}', False, 8000, 0),
    "perplexity": (None, False, None, 1),
    "google_cse": (None, False, None, 1),
    "exa": (None, False, 7000, 0),
    "serper": ('{"micros_per_credit": 300.5}', False, 300, 0),
    "searxng": (None, False, 0, 0),
    "linkup": (None, False, None, 1),
    "baidu": (None, False, None, 1),
    "duckduckgo": (None, False, 0, 0),
}


def cost_of(name, script="success", config=None, **more):
    with running(name) as double:
        double.will(script)
        outcome = searched(double, rows=[ProviderRow(name, name, config=config)], **more)
        assert hits(outcome)
    return outcome.vendor_cost_micros, outcome.unknown_costs


@pytest.mark.parametrize("name", COSTS)
def test_a_cost_is_the_vendors_own_word_or_unknown(name):
    config, answer, known, unknown = COSTS[name]

    assert cost_of(name, config=config, answer=answer) == (known, unknown)


@pytest.mark.parametrize(
    ("name", "script", "config"),
    [
        ("tavily", "success", None),
        ("tavily", "no_usage", '{"micros_per_credit": 8000}'),
        ("tavily", "success", '{"micros_per_credit": "much"}'),
        ("serper", "success", None),
        ("serper", "no_credits_field", '{"micros_per_credit": 300}'),
        ("exa", "no_cost", None),
    ],
)
def test_a_cost_that_is_not_said_is_unknown_and_never_nothing(name, script, config):
    assert cost_of(name, script, config) == (None, 1)


@pytest.mark.parametrize(("script", "cost"), [("success", (2800, 1)), ("agent_without_cost", (None, 2))])
def test_an_answers_cost_is_told_beside_the_unknown_one_of_its_search(script, cost):
    assert cost_of("perplexity", script, answer=True) == cost
