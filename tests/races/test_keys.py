"""Races for one idempotency key: one call is billed, everybody else hears of it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from tests.races.verbs import GATES, STARTED
from tests.races.world import codes, parallel
from verbena.jobs import ROOT

FUNDS = 1_000_000
KEYED = {"idempotency_key": "k"}
LEASE_OVER_S = 60


def test_of_twenty_calls_with_one_key_one_is_billed(world):
    world.fund(FUNDS)

    with world.watched():
        answers = parallel(20, lambda _: world.call(["ok/1", "ok/2"], **KEYED))

    assert set(codes(answers)) <= {"completed", "in_progress"}
    assert len({answer.model_dump_json() for answer in answers if not answer.error}) == 1
    assert world.wallet().available == FUNDS - 2000
    facts = world.reconciled(FUNDS)
    assert len(facts) == 1


def test_of_twenty_calls_with_one_key_that_become_a_job_there_is_one_job(world):
    world.fund(FUNDS)
    items = [f"ok/{n}" for n in range(12)]

    answers = parallel(20, lambda _: world.call(items, **KEYED))
    world.drain()

    assert len({answer.job_id for answer in answers}) == 1
    assert world.wallet().available == FUNDS - 12_000
    facts = world.reconciled(FUNDS)
    assert len(facts) == 1


def test_of_twenty_calls_with_one_key_that_run_out_of_time_there_is_one_job(world):
    world.fund(FUNDS)

    answers = parallel(20, lambda _: world.call(["ok/1", "late/2"], **KEYED))
    world.drain()

    assert set(codes(answers)) <= {"pending", "in_progress", "completed"}
    again = world.call(["ok/1", "late/2"], **KEYED)
    assert [row["status"] for row in again.results] == ["success", "success"]
    assert world.wallet().available == FUNDS - 2000
    facts = world.reconciled(FUNDS)
    assert len(facts) == 1


def test_calls_with_one_key_and_other_bodies_are_refused_however_they_meet(world):
    world.fund(FUNDS)

    answers = parallel(10, lambda n: world.call([f"ok/{n}"], **KEYED))

    assert codes(answers)["completed"] == 1
    assert codes(answers) == {"completed": 1, "idempotency_mismatch": 9}
    assert world.wallet().available == FUNDS - 1000
    world.reconciled(FUNDS)


def test_a_key_is_its_owners_and_its_verbs_alone(world):
    world.fund(FUNDS)

    answers = [world.call(["ok/1"], verb, **KEYED) for verb in ("test.listed", "test.solved")]

    assert codes(answers) == {"completed": 2}
    assert world.wallet().available == FUNDS - 2000
    world.reconciled(FUNDS)


@contextmanager
def still_running(world, *more, **options):
    """Inside, the first call of these items is in its executor; its answer comes at the end."""
    waiting = f"wait/{world.owner}"
    answers = []
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(world.call, [waiting, *more], **options)
        assert STARTED[waiting].wait(20)
        try:
            yield answers
        finally:
            GATES[waiting].set()
        answers.append(running.result())


def test_a_call_whose_key_was_taken_over_answers_for_its_heir_and_is_not_billed(world):
    world.fund(FUNDS)
    heir = world.later(LEASE_OVER_S)

    with still_running(world, **KEYED) as answers:
        heirs = parallel(3, lambda _: heir.call([f"wait/{world.owner}"], **KEYED))

    assert codes(heirs)["completed"] >= 1
    assert answers == [next(answer for answer in heirs if not answer.error)]
    assert world.wallet().available == FUNDS - 1000
    facts = world.reconciled(FUNDS)
    assert sorted(len(markers) for markers in facts.values()) == [0, 1]


def test_a_key_taken_over_after_the_sweeper_closed_its_hold_is_billed_once(world):
    world.fund(FUNDS)
    heir = world.later(LEASE_OVER_S)

    with still_running(world, **KEYED) as answers:
        heir.sweep()
        parallel(3, lambda n: heir.call([f"wait/{world.owner}"], **KEYED) if n else heir.sweep())

    assert not answers[0].error
    assert world.wallet().available == FUNDS - 1000
    world.reconciled(FUNDS)


def test_a_call_whose_key_was_taken_over_while_it_ran_out_of_time_makes_no_second_job(world):
    world.fund(FUNDS)
    heir = world.later(LEASE_OVER_S)
    late = f"late/{world.owner}"

    with still_running(world, late, **KEYED) as answers:
        taken = heir.call([f"wait/{world.owner}", late], **KEYED)
    world.drain()

    assert answers[0].job_id == taken.job_id
    assert world.wallet().available == FUNDS - 2000
    world.reconciled(FUNDS)


@pytest.mark.parametrize("more", [[], ["late/1"]], ids=["in its request", "as a job"])
def test_a_call_whose_hold_expired_is_refused_and_not_billed(world, more):
    world.fund(FUNDS)

    with still_running(world, *more) as answers:
        world.later(LEASE_OVER_S).sweep()

    assert codes(answers) == {"call_expired": 1}
    assert world.wallet().available == FUNDS
    world.reconciled(FUNDS)


@dataclass
class Slow:
    """A ledger of which somebody has read holds when `meanwhile` happens."""

    port: object
    meanwhile: Callable

    def __getattr__(self, name):
        return getattr(self.port, name)

    def hold(self, call_id):
        hold = self.port.hold(call_id)
        self.meanwhile()
        return hold


def test_a_hold_that_stopped_to_expire_once_the_sweeper_had_read_it_stays_open(world):
    world.fund(FUNDS)
    waiting, late = f"wait/{world.owner}", f"late/{world.owner}"
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(world.call, [waiting, late])
        assert STARTED[waiting].wait(20)

        def become_a_job():
            GATES[waiting].set()
            running.result()

        sweeper = world.later(LEASE_OVER_S)
        sweeper.over(ledger=Slow(world.ledger, become_a_job)).sweep()

    assert world.wallet().held == 2000
    world.drain()
    assert world.statuses(running.result().job_id) == ["success", "success"]
    world.reconciled(FUNDS)


def test_a_call_that_failed_whole_frees_its_key(world):
    world.fund(FUNDS)
    with pytest.raises(RuntimeError, match="takes the worker down"):
        world.call({"last": 1, "page": 0}, "test.paged", **KEYED)

    answer = world.call({"last": 1}, "test.paged", **KEYED)

    assert answer.results == [{"page": 1}]
    assert answer.usage.charge_micros == FUNDS - world.wallet().available > 0
    world.reconciled(FUNDS)


def test_a_repeat_of_a_call_sends_a_job_that_is_not_planned_once_more(world):
    world.fund(FUNDS)
    items = [f"ok/{n}" for n in range(12)]
    job_id = world.job(items, **KEYED)
    lost = world.next_part()

    assert world.job(items, **KEYED) == job_id
    world.drain()

    assert lost.part_id == ROOT
    assert world.statuses(job_id) == ["success"] * 12
    world.reconciled(FUNDS)
