"""Rows whose driver is unknown, the drivers' order, and the driver that needs no key."""

import ast
import inspect
import re

from pydantic_core import to_json

from local.stack import ROOT
from tests.doubles import running
from tests.web_discover.searching import LASTING, TODAY, hits, searched, tried, wanted
from verbena.errors import ProviderUnavailable
from verbena.providers import ProviderRow, Setup, VendorResponse
from web_discover.drivers import DRIVERS, duckduckgo
from web_discover.hits import rows

CONTRIBUTING = ROOT / "CONTRIBUTING.md"


def test_instant_answers_alone_say_that_a_key_is_missing():
    """C21: the last resort serves without any key, in one call."""
    with running("duckduckgo") as double:
        outcome = searched(double)

        assert hits(outcome)
        assert outcome.meta.warnings == ["no_keyed_provider: give a provider its key for real searches"]
        assert [(request.method, request.path) for request in double.requests] == [("GET", "/")]


def test_instant_answers_are_json_and_nothing_is_scraped():
    """C21: no other address, and no pattern that is laid over a remote page."""
    tree = ast.parse(inspect.getsource(duckduckgo))
    imported = {name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in [node.module]}
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]

    assert imported <= {
        "collections.abc",
        "typing",
        "verbena.catalog.web",
        "verbena.providers",
        "web_discover.answered",
        "web_discover.hits",
    }
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
    assert [text for text in texts if text.startswith("http")] == ["https://api.duckduckgo.com"]
    assert duckduckgo.DRIVER.needs == ()
    assert max(DRIVERS, key=lambda driver: driver.priority) is duckduckgo.DRIVER


def test_the_exercise_for_an_eleventh_driver_is_one():
    """What CONTRIBUTING shows serves a search as it stands."""
    section = CONTRIBUTING.read_text("utf-8").partition("## Add a search provider")[2]
    (source,) = re.findall(r"```python\n(.*?)```", section.partition("\n## ")[0], re.DOTALL)
    module = {}
    exec(compile(source, "harbour.py", "exec"), module)  # noqa: S102 - our own text
    driver = module["DRIVER"]
    page = {
        "link": "https://harbour.example/1",
        "title": "Timetable",
        "snippet": "At seven.",
        "printed_on": "2026-03-04",
    }

    request = driver.request(wanted(include_domains=["a.example"]), setup_of(driver))
    found = driver.read(VendorResponse(200, {}, to_json({"pages": [page]})), setup_of(driver))

    assert request.url == "https://api.harbour.example/v1/search?q=otter+site%3Aa.example&n=10"
    (hit,) = rows(found.items, "harbour", TODAY)
    assert (hit.url, hit.title, hit.published_at) == ("https://harbour.example/1", "Timetable", "2026-03-04")
    assert LASTING.get(driver.name) is None


def setup_of(driver):
    return Setup(driver.home, dict.fromkeys(driver.needs, "made-up"), {}, 10, TODAY)


def test_a_provider_of_an_unknown_driver_says_so():
    """C23."""
    with running("brave") as double:
        rows = [ProviderRow("old", "altavista"), ProviderRow("new", "brave", priority=2)]

        assert tried(searched(double, rows=rows)) == [("new", "ok")]
        pinned = searched(double, rows=rows, provider="old")
        assert isinstance(pinned, ProviderUnavailable)
        assert "no driver of this verb is called 'altavista'" in pinned.message


def test_the_default_order_of_a_new_deployment():
    """C31, of which the order is the drivers' own."""
    expected = {
        "brave": 10,
        "tavily": 20,
        "perplexity": 30,
        "google_cse": 40,
        "exa": 50,
        "serper": 60,
        "searxng": 70,
        "linkup": 75,
        "baidu": 80,
        "duckduckgo": 90,
    }

    assert {driver.name: driver.priority for driver in DRIVERS if driver.name in expected} == expected
    assert LASTING["google_cse"].status == "pending"
    assert {str(driver.ends) for driver in DRIVERS if driver.name == "google_cse"} == {"2027-01-01"}
