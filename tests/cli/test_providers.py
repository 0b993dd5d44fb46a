"""What operators do with providers from the command line, on a deploy that nobody has used yet."""

import json
from contextlib import ExitStack

import pytest

from local.stack import Stack
from tests.doubles import running
from verbena.catalog import VERBS

from .conftest import caller

CANARY = "canary-key-3141"


@pytest.fixture(scope="module")
def fresh():
    """A deploy that nobody has used yet."""
    with Stack() as deployed:
        yield deployed


@pytest.fixture
def operator(fresh, monkeypatch):
    """Runs `verbena providers`; what it prints as JSON, once it went well."""
    for driver in (driver for verb in VERBS.values() for driver in verb.load_drivers()):
        for name in driver.needs:
            monkeypatch.delenv(name, raising=False)
    run = caller(fresh.env)

    def providers(*words, code=0, **more):
        result = run("providers", *words, **more)
        assert result.exit_code == code, result.stderr
        return json.loads(result.stdout) if code == 0 else result

    return providers


@pytest.fixture
def vendor(operator):
    """Brave, played on this machine, and the provider that asks it."""
    with ExitStack() as end:
        double = end.enter_context(running("brave"))
        config = json.dumps({"base_url": double.base_url})
        operator("set", "here", "--driver", "brave", "--config", config, "--secret", *double.key, env=double.key)
        end.callback(operator, "delete", "here")
        yield double


def order(listed):
    return [provider["name"] for provider in listed]


def test_seeding_makes_one_for_every_driver_and_never_twice(operator):
    """C31."""
    first, second = operator("seed"), operator("seed")

    assert first == second
    searching = {driver.name for driver in VERBS["web.discover"].load_drivers()}
    searchers = [name for name in order(first) if name in searching]
    assert searchers[:3] == ["brave", "tavily", "perplexity"]
    assert searchers[-1] == "duckduckgo"


def test_what_is_not_said_stays_as_it_is(operator, vendor):
    (changed,) = operator("set", "HERE", "--comments", "the good one", "--max-results", "5")
    (again,) = operator("set", "here", "--priority", "3")

    assert (again["comments"], again["max_results"], again["priority"]) == ("the good one", 5, 3)
    assert changed["config"] == again["config"] == {"base_url": vendor.base_url}
    assert again["credential"] == "stored"


def test_an_order_puts_some_first_and_leaves_the_others_as_they_were(operator):
    operator("seed")
    before = order(operator("list"))

    after = order(operator("order", "Exa", "duckduckgo"))

    assert after[:2] == ["exa", "duckduckgo"]
    assert after[2:] == [name for name in before if name not in {"exa", "duckduckgo"}]


def test_a_live_call_says_what_came_back(operator, vendor):
    told = operator("test", "here", "--query", "lighthouse")

    assert told["error"] is None
    assert told["attempts"][0]["ok"] is True
    assert told["results"][0]["provider"] == "here"
    assert vendor.requests[0].query["q"] == ["lighthouse"]
    assert not vendor.refusals


def test_a_live_call_that_fails_says_why_and_never_the_key(operator, vendor):
    vendor.will("bad_key")
    secret = next(iter(vendor.key.values()))

    result = operator("test", "here", code=1)

    assert "ALL_PROVIDERS_FAILED" in result.stderr
    assert "auth" in result.stdout
    assert secret not in result.stdout + result.stderr


def test_a_secret_is_asked_for_without_showing_it_where_no_variable_has_it(operator):
    (made,) = operator("set", "asked", "--driver", "brave", "--secret", "BRAVE_SEARCH_API_KEY", input=f"{CANARY}\n")
    listed = operator("list")
    (bare,) = operator("set", "asked", "--no-secrets")

    assert made["credential"] == "stored"
    assert CANARY not in json.dumps([made, listed])
    assert bare["credential"] is None
    operator("delete", "asked")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", "x", "--driver", "nobody"), "there is no such driver"),
        (("set", "x", "--driver", "brave", "--config", "{"), "not JSON"),
        (("set", "x", "--driver", "brave", "--config", "[]"), "config"),
        (("set", "x", "--driver", "brave", "--status", "off"), "off"),
        (("set", "-", "--driver", "brave"), "name"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_is_made(operator, words, said):
    refused = operator(*words, code=2)

    assert said in refused.stderr
    assert "x" not in order(operator("list"))


@pytest.mark.parametrize("words", [("delete", "nobody"), ("test", "nobody"), ("order", "nobody")])
def test_a_name_nobody_has_is_said_with_where_names_are(operator, words):
    refused = operator(*words, code=1)

    assert "nobody" in refused.stderr
    assert "verbena providers list" in refused.stderr
