"""The loop: who is asked next, what is remembered, and when it ends."""

import asyncio
from dataclasses import replace
from threading import Event

import pytest

from tests.engine.vendors import HANG, market, ok, says, tried, vendor
from verbena.errors import AllProvidersFailed, ConnectFailed, ForbiddenAddress, InvalidRequest, ProviderError
from verbena.providers import Failure, Found, ProviderRow, Step, VendorRequest

NEXT = {
    "too many requests": (says(429), "transient"),
    "a server's failure": (says(503), "transient"),
    "a wrong key": (says(401), "auth"),
    "a plan used up": (says(402), "quota"),
    "an endpoint that is gone": (says(410), "config"),
    "no connection": (ConnectFailed(), "transient"),
    "an address that is refused": (ForbiddenAddress(), "transient"),
    "no JSON": ((200, b"<html>"), "transient"),
    "JSON of another shape": ((200, {"hits": []}), "transient"),
}


@pytest.mark.parametrize(("answer", "kind"), NEXT.values(), ids=NEXT)
def test_the_next_provider_serves_after(answer, kind):
    """C06, C13, C16."""
    world = market(one=answer, two=ok("a"))

    served = world.serve()

    assert served.row.name == "two"
    assert tried(served) == [("one", False, kind), ("two", True, None)]
    assert served.attempts[1].hits == 1
    assert all(attempt.ms >= 0 for attempt in served.attempts)


def test_a_request_that_is_wrong_everywhere_ends_the_call_with_the_vendors_words():
    """C07."""
    world = market(one=says(422, "BAD", "the query has no words"), two=ok("a"))

    with pytest.raises(InvalidRequest, match="the query has no words") as caught:
        world.serve()

    assert world.asked == ["one"]
    assert [attempt.kind for attempt in caught.value.attempts] == ["bad_request"]


def test_a_vendors_own_code_says_more_than_the_status():
    """C08: a rejected key that comes as 422, and a query that merely mentions the words."""
    one = vendor("one", faults={"422 TOKEN_INVALID": "auth"})

    served = market([one, vendor("two")], one=says(422, "TOKEN_INVALID"), two=ok("a")).serve()

    assert tried(served)[0] == ("one", False, "auth")
    with pytest.raises(InvalidRequest):
        market([one, vendor("two")], one=says(422, "VALIDATION", "token invalid"), two=ok("a")).serve()


def test_a_driver_that_cannot_take_the_query_is_passed_over_without_a_call():
    """C09."""
    one = vendor("one", request=lambda asked, setup: Failure("vendor_param", "One takes short queries"))
    world = market([one, vendor("two")], one=ok("a"), two=ok("b"))

    served = world.serve()

    assert world.asked == ["two"]
    assert served.attempts[0].kind == "vendor_param"


def test_finding_nothing_is_a_success():
    """C10."""
    world = market(one=ok(), two=ok("a"))

    served = world.serve()

    assert served.row.name == "one"
    assert served.found.items == []
    assert world.asked == ["one"]


def test_a_vendor_whose_error_means_nothing_was_found_has_served():
    one = vendor("one", faults={"NO_RESULT": "no_results"})

    served = market([one], one=says(400, "NO_RESULT")).serve()

    assert tried(served) == [("one", True, None)]


def test_a_last_resort_that_finds_nothing_lets_the_next_one_try():
    one = vendor("one", is_last_resort=True)
    world = market([one, vendor("two")], one=ok(), two=ok("a"))

    served = world.serve()

    assert served.row.name == "two"
    assert [attempt.provider for attempt in served.attempts] == ["one", "two"]


def test_a_last_resort_has_served_when_nobody_finds_more():
    one = vendor("one", is_last_resort=True)

    served = market([one, vendor("two")], one=ok(), two=says(500)).serve()

    assert served.row.name == "one"
    assert tried(served) == [("one", True, None), ("two", False, "transient")]


def test_when_all_fail_the_error_says_what_each_answered():
    world = market(one=says(500), two=says(429))

    with pytest.raises(AllProvidersFailed) as caught:
        world.serve()

    assert [(each.provider, each.kind) for each in caught.value.attempts] == [
        ("one", "transient"),
        ("two", "transient"),
    ]


def test_a_hanging_vendor_costs_its_bound_and_the_next_one_serves():
    """C27."""
    served = market(one=HANG, two=ok("a")).serve(attempt_s=0.05)

    assert tried(served) == [("one", False, "transient"), ("two", True, None)]
    assert served.attempts[0].ms >= 50


def test_the_deadline_bounds_them_all_together():
    """C27."""
    world = market(one=HANG, two=HANG, three=HANG)

    with pytest.raises(AllProvidersFailed) as caught:
        world.serve(seconds=0.15, attempt_s=0.1)

    assert world.asked == ["one", "two"]
    assert sum(attempt.ms for attempt in caught.value.attempts) <= 250


def test_a_driver_that_throws_costs_one_attempt(caplog):
    """C16; the log shows where, and never a secret."""

    def broken(_asked, setup):
        raise RuntimeError(f"cannot use {setup.secrets['KEY']}")

    one = vendor("one", request=broken, needs=("KEY",))
    world = market([one, vendor("two")], environment={"KEY": "s3cret-77"}, one=ok(), two=ok("a"))

    served = world.serve()

    assert tried(served)[0] == ("one", False, "transient")
    assert "RuntimeError" in caplog.text
    assert "s3cret-77" not in caplog.text
    assert "s3cret-77" not in str(served.attempts)


def test_a_secret_that_a_vendor_echoes_is_not_repeated():
    """C28: as it is, and as it stands in a URL."""
    one = vendor("one", needs=("KEY",))
    echo = says(401, "NO", "no access with key=s3cret/77 (s3cret%2F77)")
    world = market([one], environment={"KEY": "s3cret/77"}, one=echo)

    with pytest.raises(ProviderError) as caught:
        world.serve()

    message = caught.value.attempts[0].message
    assert "77" not in message
    assert message.count("[secret]") == 2


def test_an_endless_message_is_cut_to_one_line():
    world = market(one=says(500, "X", "line\nend " * 1000), two=ok())

    message = world.serve().attempts[0].message

    assert len(message) <= 300
    assert "\n" not in message


# ---- rests


def test_a_vendor_that_refused_the_account_is_not_asked_again_and_attempts_say_so():
    world = market(one=says(402), two=ok("a"))

    world.serve()
    served = world.serve()

    assert world.asked == ["one", "two", "two"]
    assert tried(served) == [("one", False, "resting"), ("two", True, None)]
    assert "not asked before 20" in served.attempts[0].message


def test_a_passing_failure_does_not_keep_a_vendor_out():
    world = market(one=says(503), two=ok("a"))

    world.serve()
    world.serve()

    assert world.asked == ["one", "two", "one", "two"]


def test_a_vendor_that_says_for_how_long_is_believed():
    world = market(one=says(429, **{"Retry-After": "30"}), two=ok("a"))

    world.serve()
    served = world.serve()

    assert tried(served)[0] == ("one", False, "resting")


def test_when_all_rest_nobody_is_asked():
    world = market(one=says(401))

    for _ in range(2):
        with pytest.raises(AllProvidersFailed):
            world.serve()

    assert world.asked == ["one"]


# ---- limits, costs, second calls


@pytest.mark.parametrize(
    ("asked", "override", "most", "sent", "warned"),
    [
        (0, None, 20, 1, False),
        (-1, None, 20, 1, False),
        (50, None, 20, 20, True),
        (50, 5, 20, 5, True),
        (7, 9, 20, 7, False),
    ],
)
def test_a_limit_is_clamped_and_a_clamp_is_said(asked, override, most, sent, warned):
    """C18."""
    row = ProviderRow("one", "one", max_results=override)
    world = market([vendor("one", most=most)], [row], one=ok("a"))

    served = world.serve(limit=asked)

    assert f"n={sent}" in world.sent[0].url
    assert [warning.partition(":")[0] for warning in served.warnings] == (["truncated"] if warned else [])


def second(asked, setup, found):
    return VendorRequest.post(f"{setup.base_url}/more", {"about": list(found.items)})


def joined(response, found):
    return Found([*found.items, *response.json["items"]], cost_micros=response.json.get("cost"))


STEPPED = Step("answer", lambda asked: True, second, joined)


def test_a_second_call_adds_to_what_the_first_found():
    """C20."""
    world = market([vendor("one", then=STEPPED)], one=[ok("a"), ok("b", cost=5)])

    served = world.serve()

    assert served.found.items == ["a", "b"]
    assert [attempt.ok for attempt in served.attempts] == [True, True]


def test_a_second_call_that_fails_leaves_what_was_found_and_a_warning():
    """C20."""
    world = market([vendor("one", then=STEPPED), vendor("two")], one=[ok("a"), says(500)], two=ok("x"))

    served = world.serve()

    assert served.found.items == ["a"]
    assert served.warnings[0].startswith("answer_failed: one: HTTP 500")
    assert world.asked == ["one", "one"]


def test_only_a_target_of_the_operators_own_may_be_a_private_one():
    own = ProviderRow("own", "one", config='{"base_url": "https://one.inside"}', priority=1)
    world = market([vendor("one")], [own, ProviderRow("one", "one")], one=[says(500), ok("a")])

    world.serve()

    assert world.own == [True, False]


@pytest.mark.parametrize("answer", [says(500), says(400), HANG])
def test_an_essential_second_call_that_fails_lets_the_next_provider_serve(answer):
    essential = replace(STEPPED, is_essential=True)
    world = market([vendor("one", then=essential), vendor("two")], one=[ok("a"), answer], two=ok("x"))

    served = world.serve(attempt_s=0.3)

    assert served.found.items == ["x"]
    assert [(provider, is_ok) for provider, is_ok, _ in tried(served)] == [("one", True), ("one", False), ("two", True)]
    assert served.warnings == ()


def test_an_embedded_driver_serves_without_any_request():
    here = vendor("here", is_embedded=True, request=lambda asked, setup: Found([asked] * setup.limit))
    world = market([here], here=ok())

    served = world.serve(limit=2)

    assert served.found.items == ["pier", "pier"]
    assert tried(served) == [("here", True, None)]
    assert world.asked == []


def test_an_embedded_driver_that_hangs_costs_its_bound():
    """Its thread is left behind; the search goes on."""
    end = Event()
    here = vendor("here", is_embedded=True, request=lambda asked, setup: end.wait(30) and Found())
    world = market([here, vendor("two")], here=ok(), two=ok("a"))

    async def served():
        try:
            return await world.serving(attempt_s=0.05)
        finally:
            end.set()

    assert tried(asyncio.run(served())) == [("here", False, "transient"), ("two", True, None)]
