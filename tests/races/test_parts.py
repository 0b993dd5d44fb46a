"""Races for the parts of one job: many deliveries of one message, poison, cancels and sweeps in flight."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from tests.races.verbs import GATES, STARTED
from tests.races.world import parallel
from verbena import settings
from verbena.jobs import ROOT

FUNDS = 1_000_000


@dataclass
class Meeting:
    """Objects whose writers wait for each other: so every delivery has run before any commits."""

    port: object
    barrier: threading.Barrier

    def put(self, key, body):
        self.port.put(key, body)
        self.barrier.wait(20)

    def get(self, key):
        return self.port.get(key)


def test_of_one_message_delivered_five_times_at_once_one_delivery_counts(world):
    world.fund(FUNDS)
    job_id = world.planned_job([f"coin/{n}" for n in range(7)] + ["alone/7"])
    part = world.next_part()
    meeting = world.over(objects=Meeting(world.backend.objects, threading.Barrier(5)))

    with world.watched():
        parallel(5, lambda _: meeting.work(part))
    stored = world.aws["s3"].list_objects_v2(Bucket=world.place.bucket, Prefix=f"jobs/{job_id}/parts/0000/")
    assert stored["KeyCount"] == 5
    world.drain()

    facts = world.reconciled(FUNDS)
    assert [marker.part_id for marker in facts[job_id]] == ["0000", "0000.1", ROOT]
    assert len({row["attempt"] for row in world.rows(job_id)[:7]}) == 1


def test_a_delivery_after_the_job_is_over_changes_nothing(world):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1", "ok/2"])
    part = world.next_part()
    world.work(part)
    before = (world.wallet(), world.rows(job_id))

    parallel(3, lambda _: world.work(part))

    assert (world.wallet(), world.rows(job_id)) == before
    world.reconciled(FUNDS)


def test_parts_worked_at_once_by_many_workers_end_the_job_once(world):
    world.fund(FUNDS)
    job_id = world.job([f"ok/{n % 90}" for n in range(120)])

    with world.watched():
        parallel(4, lambda _: world.drain())

    assert world.statuses(job_id) == ["success"] * 120
    assert world.wallet().available == FUNDS - 90_000
    world.reconciled(FUNDS)


def test_an_item_that_takes_its_worker_down_fails_alone_and_the_job_ends(world):
    world.fund(FUNDS)
    job_id = world.job(["ok/1", "ok/2", "boom/3", "ok/4"])

    world.drain(dead_too=False)
    assert world.waiting(world.place.dead) == 1
    world.drain()

    rows = world.rows(job_id)
    assert [row["status"] for row in rows] == ["success", "success", "failed", "success"]
    assert rows[2]["error"]["code"] == "internal_error"
    assert world.wallet().available == FUNDS - 3000
    world.reconciled(FUNDS)


def test_a_call_whose_executor_breaks_becomes_a_job_in_which_the_bad_item_fails_alone(world):
    world.fund(FUNDS)

    answer = world.call(["ok/1", "boom/2", "ok/3"])
    world.drain()

    assert answer.status == "pending"
    rows = world.rows(answer.job_id)
    assert [row["status"] for row in rows] == ["success", "failed", "success"]
    assert rows[1]["error"]["code"] == "internal_error"
    assert world.wallet().available == FUNDS - 2000
    world.reconciled(FUNDS)


def test_a_dead_letter_queue_full_of_parts_is_drained_by_several_consumers(world):
    world.fund(FUNDS)
    items = [f"{'boom' if n % 10 == 3 else 'ok'}/{n}" for n in range(40)]
    jobs = [world.job(items[:20]), world.job(items[20:])]
    world.drain(dead_too=False)
    assert world.waiting(world.place.dead) == 4

    with world.watched():
        parallel(3, lambda _: world.drain())

    for job_id in jobs:
        assert world.statuses(job_id).count("failed") == 2
    assert world.wallet().available == FUNDS - 36_000
    world.reconciled(FUNDS)


def test_a_dead_letter_whose_part_was_worked_after_all_is_only_followed(world):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1", "ok/2"])
    part = world.next_part()

    outcomes = parallel(4, lambda n: world.bury(part) if n % 2 else world.work(part))
    world.drain()

    assert sorted(filter(None, outcomes)) in ([], [True], [True, True])
    assert world.statuses(job_id) == ["success", "success"]
    assert world.wallet().available == FUNDS - 2000
    world.reconciled(FUNDS)


def test_a_job_whose_planning_fails_for_good_ends_with_an_error_and_no_charge(world):
    world.fund(FUNDS)
    job_id = world.job(["ok/1", "ok/2"])

    assert world.bury(world.next_part())

    assert world.read(job_id).error.code == "internal_error"
    assert [row["error"]["code"] for row in world.rows(job_id)] == ["not_attempted"] * 2
    assert world.wallet().available == FUNDS
    world.reconciled(FUNDS)


def test_a_part_in_flight_when_its_job_is_cancelled_is_dropped_unbilled(world):
    world.fund(FUNDS)
    waiting = f"wait/{world.owner}"
    job_id = world.planned_job([*(f"ok/{n}" for n in range(10)), waiting])
    with ThreadPoolExecutor(1) as pool:
        worker = pool.submit(world.drain)
        assert STARTED[waiting].wait(20)
        world.cancel(job_id)
        GATES[waiting].set()
        worker.result()

    rows = world.rows(job_id)
    assert rows[10]["error"]["code"] == "not_attempted"
    assert world.read(job_id).error.code == "cancelled"
    charged = 1000 * [row["status"] for row in rows].count("success")
    assert world.wallet().available == FUNDS - charged
    world.reconciled(FUNDS)


def test_a_job_past_its_deadline_ends_with_what_it_has(world):
    world.fund(FUNDS)
    job_id = world.planned_job([f"ok/{n}" for n in range(30)])
    part = world.next_part()
    world.work(part)

    late = world.later(settings.JOB_DEADLINE_S)
    assert late.sweep() >= 1
    late.drain()

    assert world.statuses(job_id).count("success") == 10
    assert world.read(job_id).error.code == "deadline_exceeded"
    assert world.wallet().available == FUNDS - 10_000
    world.reconciled(FUNDS)


@pytest.mark.parametrize("ending", ["cancel", "deadline", "sweeps"])
def test_workers_cancels_and_sweeps_at_once_leave_the_books_in_order(world, ending):
    world.fund(FUNDS)
    jobs = [world.job([f"ok/{job}-{n}" for n in range(40)]) for job in range(3)]
    meddlers = {
        "cancel": lambda: [world.cancel(job_id) for job_id in jobs],
        "deadline": world.later(settings.JOB_DEADLINE_S).sweep,
        "sweeps": world.later(settings.REPLAN_S + 1).sweep,
    }

    with world.watched():
        parallel(5, lambda n: meddlers[ending]() if n < 2 else world.drain())
    world.drain()

    facts = world.reconciled(FUNDS)
    assert set(facts) == set(jobs)
    if ending == "sweeps":
        assert all(world.statuses(job_id) == ["success"] * 40 for job_id in jobs)


def test_two_cancels_and_the_last_part_at_once_settle_once(world):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1", "ok/2"])
    part = world.next_part()

    with world.watched():
        parallel(4, lambda n: world.work(part) if n % 2 else world.cancel(job_id))

    assert world.wallet().available in (FUNDS, FUNDS - 2000)
    world.reconciled(FUNDS)


def test_what_a_captcha_costs_beyond_its_quote_is_not_charged(world):
    world.fund(FUNDS)
    job_id = world.job(["greedy/1", "captcha/2", "failed/3"], verb="test.solved")

    world.drain()

    assert world.wallet().available == FUNDS - 8000
    assert world.statuses(job_id) == ["success", "success", "failed"]
    world.reconciled(FUNDS)


def test_a_paged_job_cancelled_between_pages_keeps_and_bills_those_it_turned(world):
    world.fund(FUNDS)
    job_id = world.planned_job({"last": 5}, "test.paged")
    for _ in range(2):
        world.work(world.next_part())

    parallel(2, lambda n: world.cancel(job_id) if n else world.drain())
    world.drain()

    pages = [row["page"] for row in world.rows(job_id)]
    assert pages == list(range(1, len(pages) + 1))
    assert world.wallet().available == FUNDS - 3500 * len(pages)
    world.reconciled(FUNDS)
