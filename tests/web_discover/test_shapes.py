"""One odd field of one hit costs, at the worst, that hit: every field of every vendor's answer, made odd in turn."""

import copy

import pytest
from pydantic_core import to_json

from tests.doubles import VENDORS
from tests.doubles.contract import Request
from tests.web_discover.searching import LASTING, TODAY, setup
from verbena.providers import Failure, VendorResponse, classify
from web_discover.hits import rows

ODD = (None, "", 5, -1.5, True, [], {}, ["x"], {"x": "y"}, [None], "\u0000")


def success_of(name):
    """The body of a vendor's success."""
    vendor = VENDORS[name]
    endpoint = vendor.endpoints[0]
    counts = {key: int(value) for key, value in endpoint.example.items() if key in {"num", "count", "pageno"}}
    request = Request(endpoint.method, endpoint.path, {}, {}, asked=endpoint.example | counts)
    return vendor.success(request, endpoint).body


def place_of_hits(body):
    """The longest list of objects in a body, and where it is."""
    places = [((name, *path), hits) for name, value in body.items() for path, hits in lists_in(value)]
    return max(places, key=lambda place: len(place[1]))[0]


def lists_in(value):
    if isinstance(value, dict):
        yield from (((name, *path), hits) for name, inner in value.items() for path, hits in lists_in(inner))
    if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
        yield (), value


def put(body, path, value):
    """The body with another value at the end of the path."""
    body = copy.deepcopy(body)
    *outer, name = path
    inside = body
    for key in outer:
        inside = inside[key]
    inside[name] = value
    return body


def without(entry, name):
    return {key: value for key, value in entry.items() if key != name}


def found_in(name, body):
    response = VendorResponse(200, {}, to_json(body))
    outcome = classify(LASTING[name], response) or LASTING[name].read(response, setup(name))
    assert not isinstance(outcome, Failure)
    return {hit.url for hit in rows(outcome.items, name, TODAY)}


def first_hit(body):
    *path, name = place_of_hits(body)
    inside = body
    for key in path:
        inside = inside[key]
    return inside[name][0]


@pytest.mark.parametrize("name", VENDORS)
def test_an_odd_or_missing_field_of_one_hit_leaves_the_others(name):
    body = success_of(name)
    urls, place, first = found_in(name, body), (*place_of_hits(body), 0), first_hit(body)

    odd = [first | {field: value} for field in first for value in ODD] + [without(first, field) for field in first]
    for hit in odd:
        assert len(urls - found_in(name, put(body, place, hit))) <= 1


@pytest.mark.parametrize("name", VENDORS)
def test_an_entry_that_is_no_hit_leaves_the_others(name):
    body = success_of(name)
    urls, place = found_in(name, body), (*place_of_hits(body), 0)

    for value in ODD:
        assert len(urls - found_in(name, put(body, place, value))) <= 1


@pytest.mark.parametrize("name", VENDORS)
def test_an_odd_field_beside_the_hits_loses_none_of_them(name):
    body = success_of(name)
    urls = found_in(name, body)

    for field in body.keys() - {place_of_hits(body)[0]}:
        assert len(urls - found_in(name, without(body, field))) <= 1
        for value in ODD:
            assert len(urls - found_in(name, body | {field: value})) <= 1
