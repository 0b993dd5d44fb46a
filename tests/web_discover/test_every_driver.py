"""Rules for every driver there is, and there ever will be, whether or not it has a double."""

import asyncio
import json
import re
from typing import get_args

import pytest

from tests.web_discover.filters import VALUES
from tests.web_discover.searching import LASTING, search_with, setup, tried, wanted
from verbena.capability import Portion
from verbena.engine import Engine
from verbena.errors import NoEligibleProvider
from verbena.memory.providers import ProvidersMemory
from verbena.providers import Failure, Kind, ProviderRow, VendorRequest, VendorResponse
from web_discover.drivers import DRIVERS

pytestmark = pytest.mark.parametrize("name", LASTING)

PAGE = b"<!doctype html><title>One moment</title>"
BODIES = [
    b"",
    PAGE,
    b"\xff\xfe",
    b"{",
    b"[]",
    b"[[]]",
    b"null",
    b'"words"',
    b"5",
    b"{}",
    *(
        json.dumps(body).encode()
        for body in (
            {"error": "words"},
            {"error": {"message": None, "code": None}},
            {"error": {"code": ["x"], "meta": {"errors": [{"loc": None}, None, 5]}, "details": "x", "errors": {}}},
            {"errors": [{"code": {}, "reason": 5}], "detail": [{"msg": 5}], "message": {"text": "x"}},
            {"results": 5, "organic": {}, "web": [], "items": "x", "references": None, "RelatedTopics": {}},
            {"results": [None, 5, [], {"url": {}}], "web": {"results": 5}, "code": 10**30, "type": True},
        )
    ),
]


async def searched_with(name, reply, **more):
    """A search at one provider of this driver, whatever is sent gets this answer."""
    sent = []

    async def send(request, *, is_own):
        sent.append(request)
        return reply

    book = ProvidersMemory(lambda: [ProviderRow("only", name)], lambda need: f"value-of-{need}")
    return sent, await search_with(Engine(book, send, {name: "https://vendor.test"}), **more)


def test_it_is_described_as_the_catalog_of_drivers_wants_it(name):
    """C23, C24: once in the tuple, for this verb, with nothing left open."""
    (driver,) = (driver for driver in DRIVERS if driver.name == name)

    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
    assert driver.verb == "web.discover"
    assert driver.title
    assert driver.home.startswith("https://") or driver.home in driver.needs
    assert all(re.fullmatch(r"[A-Z][A-Z0-9_]*", need) for need in driver.needs)
    assert driver.can <= VALUES.keys()
    assert {*driver.faults.values(), *driver.advice} <= set(get_args(Kind))
    assert [other.name for other in DRIVERS if other.priority == driver.priority] == [name]


def test_a_request_goes_to_the_operators_address_with_the_credential_and_depends_on_nothing_else(name):
    driver, lent = LASTING[name], setup(name)

    request = driver.request(wanted(), lent)

    assert isinstance(request, VendorRequest)
    assert request.url.startswith(f"https://{name}.test/")
    told = f"{request.url} {request.headers}"
    assert all(f"value-of-{need}" in told for need in driver.needs if need != driver.home)
    assert driver.request(wanted(), lent) == request


def test_each_claimed_filter_changes_what_is_asked(name):
    """C26: a filter that changes nothing is dropped in silence."""
    driver = LASTING[name]
    steps = {"answer"} if driver.then else set()
    base = {"language": "sv"} if "language" in driver.can else {}
    plain = driver.request(wanted(**base), setup(name))

    for feature in driver.can - steps:
        changed = [driver.request(wanted(**base | more), setup(name)) for more in VALUES[feature]]
        assert all(request != plain for request in changed)
        assert not all(isinstance(request, Failure) for request in changed)
        assert {request.kind for request in changed if isinstance(request, Failure)} <= {"vendor_param"}


def test_a_filter_it_does_not_claim_is_never_asked_of_it(name):
    """C05."""
    for feature in VALUES.keys() - LASTING[name].can:
        sent, outcome = asyncio.run(searched_with(name, VendorResponse(200, {}, b"{}"), **VALUES[feature][0]))

        assert isinstance(outcome, NoEligibleProvider)
        assert feature in outcome.details["providers"]["only"]
        assert sent == []


def test_an_error_is_understood_by_its_status_whatever_its_body(name):
    """C16: no body of an error breaks what reads its code."""
    for status in (400, 401, 402, 403, 404, 422, 429, 500, 503):
        for body in BODIES:
            _, outcome = asyncio.run(searched_with(name, VendorResponse(status, {}, body)))

            ((_, kind),) = tried(outcome)
            assert kind in get_args(Kind)
            assert f"HTTP {status}" in outcome.attempts[0].message


def test_a_success_that_is_none_is_an_attempt_that_failed_or_found_nothing(name):
    """C16: what no vendor should send costs one attempt, and never a hit."""
    for body in BODIES:
        sent, outcome = asyncio.run(searched_with(name, VendorResponse(200, {}, body)))

        assert len(sent) == 1
        assert len(tried(outcome)) == 1
        assert not isinstance(outcome, Portion) or outcome.answers == ()
