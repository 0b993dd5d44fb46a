"""How jobs end: finished, cancelled, past their deadline; and how the sweeper sees to it."""

import pytest

from tests.calls.world import Killed
from verbena import settings
from verbena.errors import Unavailable


def test_cancelling_stops_fan_out_and_billing(world):
    """D04"""
    job_id = world.job([f"ok/{n}" for n in range(25)])
    world.work(*world.take())
    first, *others = world.take()
    world.work(first)

    view = world.cancel(job_id)

    for part in others:
        world.work(part)
    assert (view.status, view.error.code, view.progress.done, view.progress.total) == ("completed", "cancelled", 25, 25)
    rows = world.rows(job_id)
    assert [row["status"] for row in rows] == ["success"] * 10 + ["failed"] * 15
    assert {row["error"]["code"] for row in rows[10:]} == {"not_attempted"}
    assert len(world.stage.ran) == 10
    assert world.charged() == 10_000


def test_a_part_in_flight_while_its_job_is_cancelled_is_dropped_unbilled(world):
    job_id = world.job(["ok/1"])
    world.work(*world.take())
    (part,) = world.take()
    world.meanwhile("commit marker progress", lambda: world.cancelling(job_id))

    world.work(part)

    assert [row["error"]["code"] for row in world.rows(job_id)] == ["not_attempted"]
    assert world.charged() == 0


def test_cancelling_twice_or_after_the_end_changes_nothing(world):
    job_id = world.job(["ok/1"])
    world.drain()
    before = world.view(job_id)

    assert world.cancel(job_id) == before == world.cancel(job_id)


def test_a_cancelled_job_that_was_not_settled_is_settled_by_the_sweeper(world):
    job_id = world.job(["ok/1"])
    world.break_before("commit job hold wallet")
    with pytest.raises(Killed):
        world.cancel(job_id)
    assert (world.view(job_id).status, world.wallet.held) == ("pending", 7000)

    world.sweep()

    assert world.view(job_id).error.code == "cancelled"
    assert world.charged() == 0


def test_a_job_past_its_deadline_is_ended_by_the_sweeper_with_the_rows_it_has(world):
    """D03"""
    job_id = world.job([f"ok/{n}" for n in range(15)])
    world.work(*world.take())
    world.work(world.take()[0])
    assert world.sweep() == 0

    world.pass_time(settings.JOB_DEADLINE_S)
    assert world.sweep() == 1

    view = world.view(job_id)
    assert (view.status, view.error.code, view.progress.done) == ("completed", "deadline_exceeded", 15)
    assert [row["status"] for row in world.rows(job_id)] == ["success"] * 10 + ["failed"] * 5
    assert world.charged() == 10_000
    assert world.sweep() == 0


def test_a_part_that_meets_the_deadline_first_ends_the_job(world):
    job_id = world.job(["ok/1"])
    (root,) = world.take()
    world.pass_time(settings.JOB_DEADLINE_S)

    world.work(root)

    assert world.view(job_id).error.code == "deadline_exceeded"
    assert not world.messages()


def test_a_part_has_no_more_time_than_its_job(world):
    world.job(["ok/1"])
    world.work(*world.take())
    world.pass_time(settings.JOB_DEADLINE_S - 5)

    world.drain()

    assert world.stage.calls[0].remaining() <= 5


def test_what_breaks_over_one_job_is_raised_once_the_others_are_mended(world):
    jobs = [world.job([f"ok/{n}"]) for n in range(3)]
    world.take()
    world.pass_time(61)
    world.break_before("send", ConnectionError)

    with pytest.raises(ConnectionError):
        world.sweep()

    assert len({part.job_id for part in world.take()} & set(jobs)) == 2


def test_the_sweeper_leaves_alone_what_is_not_due(world):
    world.job(["ok/1"])
    world.work(*world.take())
    world.take()

    world.pass_time(settings.REPLAN_S)
    world.sweep()

    assert not world.messages()


def test_the_sweeper_reads_again_what_a_stale_index_proposes(world):
    """The index only proposes: what it names may have moved on since."""
    job_id = world.job(["ok/1"])
    world.call(items=["ok/2"])
    before = dict(world.memory.items)
    world.proposed = {"due_jobs": [job_id, "gone"], "due_holds": [job_id, "id2", "gone"]}

    world.sweep()

    assert world.memory.items == before


def test_one_job_that_cannot_be_mended_keeps_no_other_waiting(world):
    first, second = world.job(["ok/1"]), world.job(["ok/2"])
    world.take()
    world.pass_time(settings.REPLAN_S)
    world.break_before("send", Unavailable)

    with pytest.raises(Unavailable):
        world.sweep()

    assert [part.job_id for part in world.messages()] == [second]
    world.sweep()
    assert {part.job_id for part in world.messages()} == {first, second}
