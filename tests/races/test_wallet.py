"""Races for one wallet: nobody spends what is not there, and no charge is lost."""

import pytest

from tests.races.world import codes, parallel


@pytest.mark.parametrize(("callers", "funded"), [(50, 10), (20, 5)])
def test_parallel_calls_spend_a_wallet_to_the_last_micro_and_no_further(world, callers, funded):
    world.fund(funded * 1000)

    with world.watched():
        answers = parallel(callers, lambda n: world.call([f"ok/{n}"]))

    assert codes(answers) == {"completed": funded, "insufficient_balance": callers - funded}
    assert world.wallet().available == 0
    facts = world.reconciled(funded * 1000)
    assert len(facts) == funded


def test_parallel_calls_that_take_what_is_left_never_take_more(world):
    world.fund(7000)

    with world.watched():
        answers = parallel(6, lambda n: world.call([f"ok/{n}-{m}" for m in range(3)], partial=True))

    rows = [row["status"] for answer in answers for row in answer.results]
    assert (rows.count("success"), len(rows)) == (7, 18)
    world.reconciled(7000)


def test_two_workers_settling_one_wallet_lose_no_charge(world):
    each = 500
    world.fund(2_000_000)

    with world.watched():
        parallel(2, lambda n: [world.call([f"ok/{n}-{m}"]) for m in range(each)])

    assert world.wallet().available == 2_000_000 - 2 * each * 1000
    world.reconciled(2_000_000)
