"""A process dies at any step: a redelivery, a repeat or the sweeper mends what it left."""

import pytest

from tests.races.dying import Step, die
from tests.races.world import codes
from verbena import settings
from verbena.jobs import ROOT

FUNDS = 1_000_000
AFTER_COMMIT = Step("transactions", "commit", "after")
BEFORE_SENDING = Step("queue", "send", "before")


@pytest.mark.parametrize(
    "step",
    [
        Step("objects", "put", "before"),
        Step("objects", "put", "after"),
        AFTER_COMMIT,
        Step("transactions", "commit", "before", 2),
        Step("transactions", "commit", "after", 2),
        Step("transactions", "commit", "after", 3),
    ],
    ids=[
        "before its rows are put",
        "after its rows are put",
        "after its commit",
        "before closing",
        "between the closing transactions",
        "after settling",
    ],
)
def test_the_redelivery_of_a_worker_that_died_ends_the_job(world, step):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1", "failed/2", "empty/3", "ok/1"])

    die(world, step, "work")
    world.drain()

    assert world.statuses(job_id) == ["success", "failed", "empty", "success"]
    facts = world.reconciled(FUNDS)
    assert [marker.part_id for marker in facts[job_id]] == ["0000", ROOT]


@pytest.mark.parametrize(
    "step",
    [AFTER_COMMIT, BEFORE_SENDING, Step("queue", "send", "after"), Step("jobs", "mark_planned", "after")],
    ids=["after its commit", "before it sends the slices", "after it sent them", "after it said so"],
)
def test_the_redelivery_of_a_planner_that_died_sends_every_slice(world, step):
    world.fund(FUNDS)
    job_id = world.job([f"ok/{n}" for n in range(35)])

    die(world, step, "work")
    world.drain()

    assert world.statuses(job_id) == ["success"] * 35
    world.reconciled(FUNDS)


@pytest.mark.parametrize("step", [AFTER_COMMIT, BEFORE_SENDING], ids=["after its commit", "before it sends the rest"])
def test_the_redelivery_of_a_worker_that_died_with_some_rows_sends_the_rest(world, step):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1", "alone/2", "ok/3"])

    die(world, step, "work")
    world.drain()

    assert world.statuses(job_id) == ["success"] * 3
    facts = world.reconciled(FUNDS)
    assert [marker.part_id for marker in facts[job_id]] == ["0000", "0000.1", ROOT]


def test_the_redelivery_of_a_page_that_died_before_the_next_was_sent_turns_it(world):
    world.fund(FUNDS)
    job_id = world.planned_job({"last": 4}, "test.paged")

    die(world, BEFORE_SENDING, "work")
    world.drain()

    assert [row["page"] for row in world.rows(job_id)] == [1, 2, 3, 4]
    world.reconciled(FUNDS)


@pytest.mark.parametrize(
    "step", [AFTER_COMMIT, BEFORE_SENDING], ids=["after its commit", "before it sends the singles"]
)
def test_the_redelivery_of_a_dead_letter_that_was_half_buried_ends_the_job(world, step):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1", "boom/2", "ok/3"])
    world.drain(dead_too=False)

    die(world, step, "bury")
    world.drain()

    assert world.statuses(job_id) == ["success", "failed", "success"]
    world.reconciled(FUNDS)


def test_the_sweeper_sends_the_root_of_a_job_whose_maker_died(world):
    world.fund(FUNDS)

    die(world, BEFORE_SENDING, "call", [f"ok/{n}" for n in range(12)], {})
    world.later(settings.REPLAN_S + 1).sweep()
    world.drain()

    (job,) = world.jobs.of_owner(world.owner, "9999", 10)
    assert world.statuses(job.job_id) == ["success"] * 12
    world.reconciled(FUNDS)


def test_the_sweeper_sends_the_rest_of_an_inline_call_that_died_when_it_had_become_a_job(world):
    world.fund(FUNDS)

    die(world, BEFORE_SENDING, "call", ["ok/1", "late/2", "ok/3"], {})
    world.later(settings.REPLAN_S + 1).sweep()
    world.drain()

    (job,) = world.jobs.of_owner(world.owner, "9999", 10)
    assert world.statuses(job.job_id) == ["success"] * 3
    world.reconciled(FUNDS)


def test_the_sweeper_settles_a_job_that_nobody_comes_back_to_between_the_closing_transactions(world):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1", "failed/2"])
    die(world, Step("transactions", "commit", "after", 2), "work")
    world.next_part()
    assert world.jobs.job(job_id).status == "closing"

    world.sweep()

    assert world.statuses(job_id) == ["success", "failed"]
    world.reconciled(FUNDS)


@pytest.mark.parametrize("nth", [1, 2], ids=["after closing", "after settling"])
def test_a_sweeper_that_died_at_a_deadline_is_followed_by_the_next(world, nth):
    world.fund(FUNDS)
    job_id = world.planned_job(["ok/1"])
    late = world.later(settings.JOB_DEADLINE_S + 1)

    die(late, Step("transactions", "commit", "after", nth), "sweep")
    late.sweep()

    assert world.read(job_id).error.code == "deadline_exceeded"
    assert world.statuses(job_id) == ["failed"]
    world.reconciled(FUNDS)


def test_the_sweeper_gives_back_what_a_dead_inline_call_held(world):
    world.fund(FUNDS)

    die(world, AFTER_COMMIT, "call", ["ok/1", "ok/2"], {})
    assert world.wallet().held == 2000
    world.sweep()
    assert world.wallet().held == 2000
    world.later(60).sweep()

    assert world.wallet().available == FUNDS
    world.reconciled(FUNDS)


def test_a_call_that_died_with_its_answer_unsettled_is_run_anew_when_its_lease_is_over(world):
    world.fund(FUNDS)
    keyed = {"idempotency_key": "k"}

    die(world, Step("objects", "put", "after"), "call", ["ok/1"], keyed)
    at_once = world.call(["ok/1"], **keyed)
    anew = world.later(60).call(["ok/1"], **keyed)

    assert codes([at_once, anew]) == {"in_progress": 1, "completed": 1}
    assert world.wallet().available == FUNDS - 1000
    world.reconciled(FUNDS)


def test_a_call_that_died_once_it_was_settled_is_answered_from_its_record(world):
    world.fund(FUNDS)
    keyed = {"idempotency_key": "k"}

    die(world, Step("transactions", "commit", "after", 2), "call", ["ok/1"], keyed)
    first = world.call(["ok/1"], **keyed)
    again = world.call(["ok/1"], **keyed)

    assert first.results[0]["status"] == "success"
    assert again == first
    facts = world.reconciled(FUNDS)
    assert len(facts) == 1
