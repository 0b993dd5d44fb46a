"""Resuming runs what is left of a job as a new one."""

import pytest

from tests.calls.world import World
from verbena.errors import NotCompleted, NothingToResume


def test_resuming_runs_what_failed_or_was_not_attempted_as_a_new_job(world):
    """D04"""
    items = ["ok/1", "failed/2", "empty/3", "javascript:4", "failed/2", *(f"ok/{n}" for n in range(5, 20))]
    job_id = world.job(items)
    world.work(*world.take())
    world.work(world.take()[0])
    world.cancel(job_id)

    answer = world.resume(job_id)

    world.drain()
    resumed = world.backend.jobs.job(answer.job_id)
    assert resumed.resumed_from == job_id
    rows = world.rows(answer.job_id)
    assert [row["item"] for row in rows] == ["failed/2", *(f"ok/{n}" for n in range(12, 20))]
    assert world.view(job_id).error.code == "cancelled"


def test_resuming_again_is_the_same_job(world):
    job_id = world.job(["failed/1"])
    world.drain()

    first, again = world.resume(job_id), world.resume(job_id)

    assert first.job_id == again.job_id != job_id


def test_a_pending_job_cannot_be_resumed(world):
    with pytest.raises(NotCompleted):
        world.resume(world.job())


def test_a_job_with_nothing_left_cannot_be_resumed(world):
    job_id = world.job(["ok/1", "empty/2"])
    world.drain()

    with pytest.raises(NothingToResume):
        world.resume(job_id)


def test_a_resumed_job_inherits_its_options():
    world = World(funds=7000)
    job_id = world.job(["failed/1", "failed/2"], partial=True, max_charge_micros=14_000, look="loud")
    world.drain()

    answer = world.resume(job_id)

    job = world.backend.jobs.job(answer.job_id)
    assert job.options == {"partial": True, "max_charge_micros": 14_000}
    source = world.run(world.calls.parts.source(answer.job_id))
    assert source.arguments["look"] == "loud"
    assert (source.items.unique, source.items.funded) == (("failed/1", "failed/2"), 1)


def test_a_thing_that_failed_can_be_resumed(world):
    job_id = world.call("test.thing", thing="blocked", **{"async": True}).job_id
    world.drain()

    answer = world.resume(job_id)

    world.drain()
    assert world.view(answer.job_id).error.code == "blocked"
    assert world.stage.ran == ["blocked"] * 2


def test_what_failed_in_a_job_of_many_pages_is_resumed_from_all_of_them(world):
    items = [f"{'failed' if n % 700 == 0 else 'ok'}/{n}" for n in range(2500)]
    job_id = world.job(items)
    world.drain()

    answer = world.resume(job_id)

    world.drain()
    assert [row["item"] for row in world.rows(answer.job_id)] == [
        "failed/0",
        "failed/700",
        "failed/1400",
        "failed/2100",
    ]
