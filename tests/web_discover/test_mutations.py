"""The doubles are judges: with any one name of a request changed, in any driver, no search succeeds."""

import copy
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from pydantic_core import from_json, to_json

from tests.doubles import VENDORS, running
from tests.web_discover.searching import LASTING, searched, setup, tried, wanted
from verbena.capability import Portion
from verbena.providers import Found

# Filters that may come together, so that every parameter a driver knows is in one of its requests.
TOGETHER = {
    "freshness": {"answer": True, "include_domains": ["a.example"], "freshness": "week", "region": "gb"}
    | {"language": "en", "safe_search": "strict"},
    "days": {"exclude_domains": ["b.example"], "published_after": "2026-02-03", "published_before": "2026-03-04"},
}
FEATURES_OF = {"published_after": "date_range", "published_before": "date_range"}


def claimed(name, filters):
    driver = LASTING[name]
    return {field: value for field, value in filters.items() if FEATURES_OF.get(field, field) in driver.can}


QUERIES = [
    pytest.param(name, claimed(name, filters), id=f"{name}-{label}")
    for name in VENDORS
    for label, filters in TOGETHER.items()
]


def paths_in(value, path=()):
    """Every name inside a JSON value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if isinstance(value, dict):
            yield (*path, key)
        yield from paths_in(inner, (*path, key))


def names_of(request):
    """Where a request says names: in its path, its query, its headers, its body."""
    _, _, query = request.url.partition("?")
    yield "path", ()
    yield from (("query", (name,)) for name, _ in parse_qsl(query))
    yield from (("header", (name,)) for name in request.headers)
    yield from (("body", path) for path in (paths_in(from_json(request.body)) if request.body else ()))


def renamed(request, place, path):
    """The request with one name changed."""
    address, mark, query = request.url.partition("?")
    if place == "path":
        return replace(request, url=f"{address.rstrip('/')}/x{mark}{query}")
    if place == "query":
        pairs = [(f"{name}_x" if name == path[0] else name, value) for name, value in parse_qsl(query)]
        return replace(request, url=f"{address}?{urlencode(pairs)}")
    if place == "header":
        headers = {(f"{name}-x" if name == path[0] else name): value for name, value in request.headers.items()}
        return replace(request, headers=headers)
    return replace(request, body=to_json(without(from_json(request.body), path)))


def without(body, path):
    body = copy.deepcopy(body)
    *outer, name = path
    inside = body
    for key in outer:
        inside = inside[key]
    inside[f"{name}_x"] = inside.pop(name)
    return body


def mutants_of(request_of):
    """Every change of one name in the requests of a driver."""
    requests = [(query, request_of(*query.values)) for query in QUERIES]
    return [
        pytest.param(*query.values, place, path, id=f"{query.id}-{place}-{'.'.join(map(str, path))}")
        for query, request in requests
        if request is not None
        for place, path in names_of(request)
    ]


def search_request(name, filters):
    return LASTING[name].request(wanted(**filters), setup(name))


def answer_request(name, filters):
    step = LASTING[name].then
    return step.request(wanted(**filters), setup(name), Found()) if step and filters.get("answer") else None


@pytest.mark.parametrize(("name", "filters", "place", "path"), mutants_of(search_request))
def test_a_search_with_a_name_changed_does_not_succeed(name, filters, place, path):
    driver = LASTING[name]
    mutant = replace(driver, request=lambda asked, lent: renamed(driver.request(asked, lent), place, path))

    with running(name) as double:
        outcome = searched(double, drivers=[mutant], **filters)

        assert len(double.refusals) == 1
        assert tried(outcome)[0][1] != "ok"
        assert not isinstance(outcome, Portion)


@pytest.mark.parametrize(("name", "filters", "place", "path"), mutants_of(answer_request))
def test_an_answer_with_a_name_changed_is_not_written(name, filters, place, path):
    driver = LASTING[name]
    step = replace(driver.then, request=lambda *told: renamed(driver.then.request(*told), place, path))

    with running(name) as double:
        outcome = searched(double, drivers=[replace(driver, then=step)], **filters)

        assert len(double.refusals) == 1
        assert [kind == "ok" for _, kind in tried(outcome)] == [True, False]
        assert outcome.meta.answer is None


@pytest.mark.parametrize(("name", "filters"), QUERIES)
def test_unchanged_the_same_search_succeeds(name, filters):
    with running(name) as double:
        outcome = searched(double, **filters)

        assert double.refusals == []
        assert {kind for _, kind in tried(outcome)} == {"ok"}
