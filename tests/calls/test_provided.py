"""Calls that providers serve: who served is in the bill, who was asked in every envelope, and some answers expire."""

import pytest

from tests.calls.world import OWNER
from tests.fakes import REFUSED, SERVED
from verbena.errors import AnswerExpired

THING = "test.thing"


def facts(world, call_id):
    return world.ledger.markers(call_id)


def test_a_fact_names_the_provider_that_served_and_not_the_one_that_did_not(world):
    """C30."""
    world.call(THING, thing="brief")

    (fact,) = facts(world, "id1")
    assert (fact.provider, fact.vendor_cost, fact.unknown_costs) == ("second", None, 1)


def test_attempts_are_in_the_envelope_of_a_call_that_was_served(world):
    """C13."""
    assert world.call(THING, thing="brief").attempts == [REFUSED, SERVED]


def test_attempts_are_in_the_envelope_of_a_call_that_was_not(world):
    answer = world.call(THING, thing="refused")

    assert answer.error.code == "ALL_PROVIDERS_FAILED"
    assert answer.attempts == [REFUSED]
    assert world.charged() == 0


def test_attempts_of_a_job_that_was_not_served_can_be_read(world):
    job = world.call(THING, thing="refused", **{"async": True})
    world.drain()

    answer = world.page(job.job_id)

    assert (answer.status, answer.error.code) == ("completed", "ALL_PROVIDERS_FAILED")
    assert answer.attempts == [REFUSED]


def test_a_key_without_the_scope_may_not_pin_a_provider(world):
    """C01: in the call path, so at every door."""
    refused = world.call(THING, thing="one", provider="second")
    allowed = world.call(THING, thing="one", provider="second", scopes=("pin",))

    assert (refused.error.code, refused.error.details) == ("forbidden", {"scope": "pin"})
    assert allowed.error is None
    assert world.stage.ran == ["one"]


# ---- answers that may not be kept


def test_a_repeat_gets_a_brief_answer_for_a_quarter_of_an_hour(world):
    body = {"thing": "brief", "idempotency_key": "k"}
    first = world.call(THING, **body)
    world.pass_time(899)

    assert world.call(THING, **body).wire() == first.wire()


def test_a_later_repeat_is_told_that_the_answer_is_gone_and_pays_nothing(world):
    """C22."""
    body = {"thing": "brief", "idempotency_key": "k"}
    world.call(THING, **body)
    paid = world.charged()
    world.pass_time(900)

    again = world.call(THING, **body)

    assert again.error.code == "answer_expired"
    assert again.results is None
    assert world.charged() == paid
    assert world.stage.ran == ["brief"]


def test_any_other_answer_is_kept_for_a_day(world):
    body = {"thing": "one", "idempotency_key": "k"}
    first = world.call(THING, **body)
    world.pass_time(23 * 3600)

    assert world.call(THING, **body).wire() == first.wire()


def test_brief_answers_are_put_where_the_bucket_forgets_them(world):
    world.call(THING, thing="brief", idempotency_key="k")
    world.call(THING, thing="one", idempotency_key="l")

    assert sorted(key.partition("/")[0] for key in world.backend.objects.bodies) == ["brief", "calls"]


def test_rows_of_a_job_expire_with_the_providers_answer(world):
    """C22."""
    job = world.call(THING, thing="brief", **{"async": True})
    world.drain()
    assert world.page(job.job_id).results == [{"thing": "brief"}]

    world.pass_time(900)

    with pytest.raises(AnswerExpired):
        world.page(job.job_id)
    assert world.ledger.wallet(OWNER).held == 0
