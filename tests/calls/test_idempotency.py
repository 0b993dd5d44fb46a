"""A key stands for one call: the same body gets the same answer or job, billed once, whoever dies on the way."""

import asyncio

import pytest

from tests.calls.world import Killed, World
from verbena import settings
from verbena.errors import Unavailable


def test_the_same_key_and_body_get_the_same_answer_billed_once(world):
    """D02"""
    first = world.call(items=["ok/1", "failed/2"], idempotency_key="k")
    again = world.call(items=["ok/1", "failed/2"], idempotency_key="k")

    assert again.wire() == first.wire()
    assert world.stage.ran == ["ok/1", "failed/2"]
    assert world.charged() == 1000


def test_a_repeat_gets_its_answer_although_the_call_would_cost_too_much_now(world):
    body = {"items": ["ok/1"], "idempotency_key": "k", "max_charge_micros": 7000}
    first = world.call(**body)
    world.prices = dict.fromkeys(world.prices, 5000)

    assert world.call(**body).wire() == first.wire()
    assert world.call(**body | {"idempotency_key": "other"}).error.code == "over_max_charge"


def test_the_same_key_gets_the_same_job_pending_and_completed(world):
    body = {"items": ["ok/1"], "async": True, "idempotency_key": "k"}

    first, again = world.call(**body), world.call(**body)
    assert (first.job_id, first.status) == (again.job_id, again.status) == ("id1", "pending")

    world.drain()
    over = world.call(**body)
    assert (over.status, over.job_id, len(over.results)) == ("completed", "id1", 1)
    assert world.charged() == 1000


def test_a_call_that_became_a_job_is_that_job_for_its_key(world):
    body = {"items": ["ok/1", "late/1/a"], "idempotency_key": "k"}

    first = world.call(**body)
    world.drain()
    again = world.call(**body)

    assert (first.status, again.status, again.job_id) == ("pending", "completed", first.job_id)
    assert world.charged() == 2000


def test_another_body_is_refused(world):
    """case idem-key-other-body"""
    world.call(items=["ok/1"], idempotency_key="k")

    answer = world.call(items=["ok/2"], idempotency_key="k")

    assert (answer.error.code, answer.error.retryable) == ("idempotency_mismatch", False)
    assert world.stage.ran == ["ok/1"]


@pytest.mark.parametrize(
    "body",
    [
        {"look": "plain", "items": ["ok/1"]},
        {"items": ["ok/1"], "async": False, "dry_run": False, "max_charge_micros": None, "size": 0},
    ],
)
def test_key_order_and_defaults_said_aloud_are_no_other_body(world, body):
    """case idem-key-other-body"""
    first = world.call(items=["ok/1"], idempotency_key="k")

    assert world.call(**body, idempotency_key="k").wire() == first.wire()


@pytest.mark.parametrize("body", [{"look": "loud"}, {"max_charge_micros": 10**6}, {"partial": True}, {"async": True}])
def test_another_option_is_another_body(world, body):
    world.call(items=["ok/1"], idempotency_key="k")

    assert world.call(items=["ok/1"], idempotency_key="k", **body).error.code == "idempotency_mismatch"


def test_keys_are_per_owner_and_verb(world):
    """case idem-key-other-body"""
    world.ledger.top_up("other", 1_000_000)
    world.call(items=["ok/1"], idempotency_key="k")

    assert world.call(owner="other", items=["ok/2"], idempotency_key="k").results[0]["item"] == "ok/2"
    assert world.call("test.thing", thing="a", idempotency_key="k").results == [{"thing": "a"}]


def test_a_duplicate_of_a_running_call_is_told_so_at_once(world):
    body = {"items": ["ok/1"], "idempotency_key": "k"}
    told = []

    async def ask_again():
        told.append(await world.calling(**body))

    world.meanwhile("commit marker record hold wallet", ask_again)

    answer = world.call(**body)

    (busy,) = told
    assert answer.error is None
    assert (busy.error.code, busy.error.retryable, busy.error.details) == ("in_progress", True, {"retry_after_s": 1})
    assert world.stage.ran == ["ok/1"]
    assert world.charged() == 1000


def test_parallel_calls_with_one_key_are_one_call(world):
    answers = world.together(*(world.calling(items=["ok/1"], idempotency_key="k") for _ in range(20)))

    assert {answer.error.code for answer in answers if answer.error} <= {"in_progress"}
    assert len({repr(answer) for answer in answers if answer.error is None}) == 1
    assert world.stage.ran == ["ok/1"]
    assert world.charged() == 1000


def test_the_key_of_a_call_that_died_is_taken_over_when_its_lease_is_over(world):
    world.break_before("commit marker record hold wallet")
    with pytest.raises(Killed):
        world.call(items=["ok/1"], idempotency_key="k")
    assert world.call(items=["ok/1"], idempotency_key="k").error.code == "in_progress"

    world.pass_time(31)
    answer = world.call(items=["ok/1"], idempotency_key="k")

    assert answer.error is None
    assert world.charged() == 1000


def test_a_takeover_needs_no_more_money_than_the_call_it_replaces():
    world = World(funds=7000)
    world.break_before("commit marker record hold wallet")
    with pytest.raises(Killed):
        world.call(items=["ok/1"], idempotency_key="k")
    assert world.wallet.available == 0

    world.pass_time(31)

    assert world.call(items=["ok/1"], idempotency_key="k").error is None
    assert world.charged() == 1000


def test_a_takeover_after_the_sweeper_released_the_hold_works_too(world):
    world.break_before("commit marker record hold wallet")
    with pytest.raises(Killed):
        world.call(items=["ok/1"], idempotency_key="k")
    world.pass_time(31)
    world.sweep()

    assert world.call(items=["ok/1"], idempotency_key="k").error is None
    assert world.charged() == 1000


@pytest.mark.parametrize(
    ("prices", "step"),
    [({}, "commit marker record hold wallet"), ({"prices": None}, "commit marker record")],
    ids=["billing on", "billing off"],
)
def test_who_lost_its_key_discards_its_rows_and_says_what_the_key_stands_for(prices, step):
    world = World(**prices)
    taken_over = []

    async def take_over():
        world.pass_time(31)
        taken_over.append(await world.calling(items=["ok/1"], idempotency_key="k"))

    world.meanwhile(step, take_over)

    answer = world.call(items=["ok/1"], idempotency_key="k")

    assert answer.wire() == taken_over[0].wire()
    assert answer.results[0]["made"] == "2"
    assert len([fact for fact in world.facts().values() if fact.units]) == 1


def test_who_lost_its_key_to_a_call_that_still_runs_is_told_so(world):
    told = []

    async def take_over():
        world.pass_time(31)
        world.break_before("commit marker record hold wallet")
        with pytest.raises(Killed):
            await world.calling(items=["ok/1"], idempotency_key="k")
        told.append(True)

    world.meanwhile("commit marker record hold wallet", take_over)

    assert world.call(items=["ok/1"], idempotency_key="k").error.code == "in_progress"
    assert told


def test_a_call_that_is_too_late_for_its_own_hold_is_an_error_and_not_billed(world):
    async def overrun():
        world.pass_time(31)
        await world.sweeping()

    world.meanwhile("commit marker hold wallet", overrun)

    answer = world.call(items=["ok/1"])

    assert (answer.error.code, answer.results) == ("call_expired", None)
    assert world.charged() == 0


def test_a_call_that_converts_under_the_sweepers_hands_keeps_its_hold(world):
    """The sweeper read an expiry that the call has removed since: its condition compares it."""
    sweeper_is_about_to_release, call_has_converted = asyncio.Event(), asyncio.Event()
    sweeps = []

    async def begin_to_sweep():
        world.pass_time(31)
        world.meanwhile("commit hold wallet", let_the_call_convert)
        sweeps.append(world.loop.create_task(world.sweeping()))
        await sweeper_is_about_to_release.wait()

    async def let_the_call_convert():
        sweeper_is_about_to_release.set()
        await call_has_converted.wait()

    async def let_the_sweeper_go_on():
        call_has_converted.set()
        await sweeps[0]

    world.meanwhile("commit job progress marker hold", begin_to_sweep)
    world.meanwhile("send", let_the_sweeper_go_on)

    job_id = world.call(items=["ok/1", "late/1/a"]).job_id

    world.drain()
    assert (world.view(job_id).error, world.charged()) == (None, 2000)


def test_a_call_refused_for_money_leaves_its_key_free():
    world = World(funds=0)
    assert world.call(items=["ok/1"], idempotency_key="k").error.code == "insufficient_balance"

    world.ledger.top_up("owner", 7000)

    assert world.call(items=["ok/1"], idempotency_key="k").error is None


def test_a_call_that_failed_whole_may_be_tried_again_with_its_key(world):
    world.call("test.thing", thing="blocked", idempotency_key="k")
    world.stage.ran.clear()

    world.call("test.thing", thing="blocked", idempotency_key="k")

    assert world.stage.ran == ["blocked"]


def test_a_dry_run_takes_no_key(world):
    world.call(items=["ok/1"], dry_run=True, idempotency_key="k")

    assert world.call(items=["ok/2"], idempotency_key="k").error is None


def test_a_key_is_free_again_after_a_day(world):
    world.call(items=["ok/1"], idempotency_key="k")

    world.pass_time(settings.IDEMPOTENCY_KEPT_S - 1)
    assert world.call(items=["ok/2"], idempotency_key="k").error.code == "idempotency_mismatch"
    world.pass_time(1)
    assert world.call(items=["ok/2"], idempotency_key="k").error is None


@pytest.mark.parametrize(
    ("prices", "body", "step"),
    [
        ({}, {}, "commit record hold wallet"),
        ({}, {"async": True}, "commit record job progress hold wallet"),
        ({"prices": None}, {}, "commit record"),
        ({"prices": None}, {"async": True}, "commit record job progress"),
    ],
)
def test_a_hold_whose_reply_was_lost_is_not_a_second_call(prices, body, step):
    world = World(funds=7000, **prices)
    world.break_after(step, Unavailable)

    answer = world.call(items=["ok/1"], idempotency_key="k", **body)

    world.drain()
    assert not world.hooks
    assert answer.error is None
    assert len([fact for fact in world.facts().values() if fact.units]) == 1


def test_a_settlement_whose_reply_was_lost_has_happened(world):
    world.break_after("commit marker record hold wallet", Unavailable)

    answer = world.call(items=["ok/1"], idempotency_key="k")

    assert answer.error is None
    assert world.call(items=["ok/1"], idempotency_key="k").wire() == answer.wire()
    assert world.charged() == 1000


def test_a_store_that_stays_busy_is_told_and_nothing_is_billed(world):
    world.break_before("commit hold wallet", Unavailable)

    answer = world.call(items=["ok/1"])

    assert (answer.error.code, answer.error.retryable) == ("unavailable", True)
    assert (world.stage.ran, world.charged()) == ([], 0)
