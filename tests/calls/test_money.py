"""Quotes, holds and charges: nothing runs unpaid, nothing is paid unrun, and the sums agree to the micro."""

import pytest

from tests.calls.world import OWNER, Killed, World
from tests.fakes import CAPTCHA, CRAWL, PAGE, PRICES

EACH = 1000 + 2 * 3000
"""The most one item of test.list can cost: its page and two captchas."""


def test_a_dry_run_quotes_the_upper_bound_and_runs_nothing(world):
    """D05"""
    answer = world.call(items=["ok/1", "ok/1", "ok/2", "javascript:1"], dry_run=True)

    assert (answer.status, answer.results, answer.usage) == ("completed", [], None)
    assert answer.meta.quote.units == {CRAWL: 2, CAPTCHA: 4}
    assert answer.meta.quote.max_charge_micros == 2 * EACH
    assert (world.stage.ran, world.charged()) == ([], 0)


def test_a_dry_run_needs_no_money():
    assert World(funds=0).call(items=["ok/1"], dry_run=True).meta.quote.max_charge_micros == EACH


def test_a_call_that_could_cost_more_than_its_maximum_is_refused_before_it_runs(world):
    """A36"""
    answer = world.call(items=["ok/1", "ok/2"], max_charge_micros=2 * EACH - 1)

    assert answer.error.code == "over_max_charge"
    assert answer.error.details == {"required_micros": 2 * EACH, "max_charge_micros": 2 * EACH - 1}
    assert (world.stage.ran, world.charged()) == ([], 0)
    assert world.call(items=["ok/1", "ok/2"], max_charge_micros=2 * EACH).error is None


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_above_the_balance_is_refused_whole_before_it_runs(is_async):
    """A36"""
    world = World(funds=2 * EACH - 1)

    answer = world.call(items=["ok/1", "ok/2"], **{"async": is_async})

    assert answer.error.code == "insufficient_balance"
    assert answer.error.details == {"balance_micros": 2 * EACH - 1, "required_micros": 2 * EACH}
    assert not world.stage.ran
    assert not world.messages()
    assert {key[0] for key in world.memory.items} == {"wallet"}


def test_an_owner_without_a_wallet_has_a_balance_of_nothing():
    world = World(funds=None)

    answer = world.call(items=["ok/1"])

    assert answer.error.details == {"balance_micros": 0, "required_micros": EACH}


def test_while_a_call_runs_its_upper_bound_is_held(world):
    seen = []
    work = world.stage.work

    async def watched(wanted, call):
        seen.append(world.wallet)
        return await work(wanted, call)

    world.stage.work = watched

    world.call(items=["ok/1", "ok/2"])

    assert [(wallet.available, wallet.held) for wallet in seen] == [(100_000_000 - 2 * EACH, 2 * EACH)]
    assert world.charged() == 2000


def test_a_row_from_a_cache_costs_nothing_in_the_request(world):
    answer = world.call(items=["kept/1", "ok/1", "kept/1", "kept/2"])

    assert [row["status"] for row in answer.results] == ["success"] * 4
    assert answer.usage.units == {CRAWL: 1}
    assert answer.usage.charge_micros == world.charged() == PRICES[CRAWL]
    assert [fact.charge for fact in world.facts().values()] == [PRICES[CRAWL]]


def test_rows_from_a_cache_cost_nothing_in_a_job_and_all_accounts_agree(world):
    items = [f"{kind}/{number}" for number in range(30) for kind in ("kept", "ok", "failed")] * 2

    job_id = world.call(items=items, **{"async": True}).job_id
    world.drain()

    usage = world.view(job_id).usage
    assert [row["status"] for row in world.rows(job_id)] == ["success", "success", "failed"] * 60
    assert usage.units == {CRAWL: 30}
    assert usage.charge_micros == world.charged() == 30 * PRICES[CRAWL]


def test_a_call_that_a_cache_answers_is_quoted_and_held_like_any_other():
    world = World(funds=EACH - 1)

    assert world.call(items=["kept/1"]).error.code == "insufficient_balance"


def test_units_beside_the_row_are_billed_up_to_the_quoted_bound(world):
    answer = world.call(items=["captcha/1", "captcha/9"])

    assert answer.usage.units == {CRAWL: 2, CAPTCHA: 3}
    assert world.charged() == 2 * 1000 + 3 * 3000


def test_shared_units_and_those_of_items_stay_below_one_bound(world):
    """Once charged twice the hold: the two were capped apart."""
    work = world.stage.work

    async def greedy(wanted, call):
        portion = await work(wanted, call)
        return type(portion)(answers=portion.answers, units={CAPTCHA: 2})

    world.stage.work = greedy

    assert world.call(items=["captcha/2"]).usage.units == {CRAWL: 1, CAPTCHA: 2}
    assert world.charged() == EACH


def test_a_captcha_tried_for_an_item_without_an_answer_is_not_paid_until_it_has_one(world):
    async def once_late(wanted, call):
        portion = await type(world.stage).work(world.stage, wanted, call)
        return portion if len(world.stage.calls) > 1 else type(portion)(answers=(), units={CAPTCHA: 2})

    world.stage.work = once_late
    job_id = world.call(items=["captcha/2"]).job_id

    world.drain()

    assert world.view(job_id).usage.units == {CRAWL: 1, CAPTCHA: 2}
    assert world.charged() == EACH


def test_with_partial_the_affordable_items_run_and_the_others_are_failed_unrun_and_unpaid():
    """A38; case bill-balance-ends-mid-batch"""
    world = World(funds=3 * EACH)

    answer = world.call(items=[f"ok/{n}" for n in range(10)], partial=True)

    world.drain()
    rows = world.rows(answer.job_id)
    assert [row["status"] for row in rows] == ["success"] * 3 + ["failed"] * 7
    assert {row["error"]["code"] for row in rows[3:]} == {"insufficient_balance"}
    assert world.stage.ran == ["ok/0", "ok/1", "ok/2"]
    assert world.charged() == 3000


def test_partial_works_in_the_request_too_down_to_nothing():
    world = World(funds=EACH)

    answer = world.call(items=["ok/1", "ok/2"], partial=True)

    assert [row["status"] for row in answer.results] == ["success", "failed"]
    poor = World(funds=EACH - 1)
    answer = poor.call(items=["ok/1", "ok/2"], partial=True)
    assert [row["error"]["code"] for row in answer.results] == ["insufficient_balance"] * 2
    assert (poor.stage.ran, poor.charged()) == ([], 0)


def test_a_partial_job_of_which_nothing_is_affordable_ends_with_all_its_rows():
    world = World(funds=0)

    rows = world.finished(["ok/1", "javascript:1", "ok/1"], partial=True)

    assert [row["error"]["code"] for row in rows] == ["insufficient_balance", "invalid_url", "insufficient_balance"]


def test_one_thing_cannot_be_had_in_part():
    """Once answered 503: the hold was tried again and again for the same amount."""
    answer = World(funds=1).call("test.thing", thing="a", partial=True)

    assert answer.error.code == "insufficient_balance"
    assert answer.error.details == {"balance_micros": 1, "required_micros": 3500}


def test_parallel_calls_take_what_the_wallet_holds_and_no_more():
    """A37; case bill-parallel-overspend"""
    world = World(funds=5 * 3500)

    answers = world.together(*(world.calling("test.thing", thing=f"{n}") for n in range(20)))

    codes = [answer.error.code if answer.error else None for answer in answers]
    assert (codes.count(None), codes.count("insufficient_balance")) == (5, 15)
    assert len(world.stage.ran) == 5
    assert world.wallet.available == 0
    assert world.charged() == 5 * 3500


def test_settling_in_parallel_loses_no_charge(world):
    """case bill-lost-update"""

    async def one_after_another():
        for _ in range(50):
            await world.calling("test.thing", thing="a")

    world.together(one_after_another(), one_after_another())

    assert world.charged() == 100 * 3500


def test_parallel_partial_calls_share_what_is_there():
    world = World(funds=7 * EACH)

    items = ["captcha/2", "captcha/02", "captcha/002"]
    answers = world.together(*(world.calling(items=items, partial=True) for _ in range(3)))

    ran = sum(row["status"] == "success" for answer in answers for row in answer.results)
    assert ran == len(world.stage.ran) == 7
    assert world.charged() == 7 * EACH


def test_the_price_is_frozen_when_the_call_is_held(world):
    """A31"""
    job_id = world.job(["ok/1", "ok/2"])
    world.prices[CRAWL] = 999_999

    world.drain()

    assert world.view(job_id).usage.charge_micros == 2000
    assert world.charged() == 2000
    assert world.call(items=["ok/1"], max_charge_micros=EACH).error.code == "over_max_charge"


def test_a_price_is_configuration():
    """A31"""
    world = World(prices=dict(PRICES) | {CRAWL: 7})

    world.call(items=["ok/1"])

    assert world.charged() == 7


def test_what_costs_nothing_needs_no_wallet():
    world = World(funds=None, prices=dict.fromkeys(PRICES, 0))

    answer = world.call(items=["ok/1"])

    assert (answer.error, answer.usage.units, answer.usage.charge_micros) == (None, {CRAWL: 1}, 0)


@pytest.mark.parametrize("is_async", [False, True])
def test_with_billing_off_facts_are_written_and_no_wallet_is_needed(is_async):
    """A35"""
    world = World(funds=None, prices=None)

    answer = world.call(items=["ok/1", "ok/2"], max_charge_micros=0, **{"async": is_async})

    world.drain()
    assert answer.error is None
    assert sum(fact.units.get(CRAWL, 0) for fact in world.facts().values()) == 2
    assert {fact.charge for fact in world.facts().values()} == {0}
    assert not [key for key in world.memory.items if key[0] in {"wallet", "hold"}]


def test_two_moneys_are_kept_apart_and_unknown_costs_are_counted(world):
    job_id = world.call("test.pages", pages=3, **{"async": True}).job_id
    world.drain()
    usage = world.view(job_id).usage

    assert (usage.charge_micros, usage.vendor_cost_micros, usage.unknown_costs) == (3 * PRICES[PAGE], 21, 0)
    listed = world.call(items=["ok/1"]).usage
    assert (listed.vendor_cost_micros, listed.unknown_costs) == (None, 1)


def test_facts_job_and_wallet_agree_to_the_micro(world):
    """D05"""
    items = ["ok/1", "captcha/1", "captcha/5", "failed/1", "empty/1", "late/1/a", "ok/1", "javascript:1", "ok/9"]

    job_id = world.job(items)
    world.drain()

    view = world.view(job_id)
    assert view.usage.units == {CRAWL: 5, CAPTCHA: 3}
    assert view.usage.charge_micros == world.charged() == 5 * 1000 + 3 * 3000
    assert world.ledger.hold(job_id).amount == 8 * EACH - EACH


def test_a_hold_outlives_its_call_by_no_more_than_its_lifetime(world):
    """A37: the sweeper settles what a killed function left behind."""
    world.break_before("commit marker hold wallet")
    with pytest.raises(Killed):
        world.call(items=["ok/1"])
    assert world.wallet.held == EACH

    world.sweep()
    assert world.wallet.held == EACH

    world.pass_time(31)
    world.sweep()
    assert world.charged() == 0


def test_another_owners_wallet_is_untouched(world):
    world.ledger.top_up("other", 50_000)

    world.call(items=["ok/1"], owner="other")

    assert world.ledger.wallet("other").available == 49_000
    assert world.ledger.wallet(OWNER).available == 100_000_000
