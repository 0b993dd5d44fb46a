"""Messages come twice, at once, or never, and workers die at any step: each item is still worked and billed once."""

import pytest

from tests.calls.world import Killed, World
from tests.fakes import CRAWL
from verbena import settings
from verbena.errors import Unavailable
from verbena.jobs import ROOT


def test_a_part_delivered_five_times_is_counted_and_billed_once(world):
    """A34"""
    job_id = world.job(["ok/1", "captcha/1"])
    world.work(*world.take())
    (part,) = world.take()

    world.together(*(world.calls.parts.work(part) for _ in range(5)))

    assert len(world.stage.ran) == 10
    assert [part_id for _, part_id in world.facts()] == [ROOT, "0000"]
    assert len({row["made"] for row in world.rows(job_id)}) == 1
    assert world.view(job_id).progress.done == 2
    assert world.charged() == 2 * 1000 + 3000


def test_a_losing_delivery_leaves_the_rows_of_the_winner(world):
    """A34"""
    job_id = world.job(["ok/1"])
    world.work(*world.take())
    (part,) = world.take()

    world.together(world.calls.parts.work(part), world.calls.parts.work(part))

    (fact,) = [fact for (_, part_id), fact in world.facts().items() if part_id == "0000"]
    won = world.backend.objects.get(fact.result_key)
    assert world.rows(job_id)[0]["made"].encode() in won
    assert len([key for key in world.backend.objects.bodies if "/parts/0000/" in key]) == 2


def test_a_root_delivered_twice_plans_once(world):
    job_id = world.job([f"ok/{n}" for n in range(12)])
    (root,) = world.take()

    world.together(world.calls.parts.work(root), world.calls.parts.work(root))

    assert {part.part_id for part in world.messages()} == {"0000", "0001"}
    assert world.backend.jobs.progress(job_id).open_parts == 2


@pytest.mark.parametrize("step", ["commit job progress", "commit job hold wallet"])
def test_a_worker_killed_before_the_job_ends_leaves_it_to_the_redelivery(world, step):
    """case job-done-but-pending"""
    job_id = world.job([f"ok/{n}" for n in range(5)])
    world.work(*world.take())
    (part,) = world.take()
    world.break_before(step)
    with pytest.raises(Killed):
        world.work(part)
    assert (world.view(job_id).status, world.view(job_id).progress.done) == ("pending", 5)

    world.work(part)

    assert (world.view(job_id).status, world.view(job_id).progress.done) == ("completed", 5)
    assert world.stage.ran == [f"ok/{n}" for n in range(5)]
    assert world.charged() == 5000


@pytest.mark.parametrize(
    "step", ["put", "commit marker progress", "send", "mark_planned", "commit job progress", "commit job hold wallet"]
)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_worker_killed_at_any_step_is_made_good_by_the_redelivery(step, after):
    """D03"""
    world = World()
    job_id = world.job(["ok/1", "late/1/a", "javascript:1", "ok/1"])
    (world.break_after if after else world.break_before)(step)

    while parts := world.take():
        for part in parts:
            try:
                world.work(part)
            except Killed:
                world.queue.send("", "", [(part, 0)])

    assert not world.hooks
    assert [row["status"] for row in world.rows(job_id)] == ["success", "success", "failed", "success"]
    assert world.backend.jobs.progress(job_id).open_parts == 0
    assert world.view(job_id).usage.charge_micros == world.charged() == 2000


def test_a_job_whose_first_message_was_not_sent_is_pending_and_mended_by_the_sweeper(world):
    """Once answered 503, and ran and was billed all the same."""
    world.break_before("send", Unavailable)
    answer = world.call(items=["ok/1"], **{"async": True})
    assert (answer.status, world.messages()) == ("pending", [])

    world.pass_time(settings.REPLAN_S)
    world.sweep()
    world.drain()

    assert world.view(answer.job_id).status == "completed"


def test_a_converted_call_that_died_before_its_children_were_sent_is_mended_by_the_sweeper(world):
    world.break_before("send")
    with pytest.raises(Killed):
        world.call(items=["ok/1", "late/1/a"])
    assert not world.messages()

    world.pass_time(settings.REPLAN_S)
    world.sweep()
    world.drain()

    assert [row["status"] for row in world.rows("id1")] == ["success"] * 2
    assert world.charged() == 2000


@pytest.mark.parametrize("step", ["progress", "commit job progress", "commit job hold wallet"])
def test_a_converted_call_with_nothing_left_that_died_is_ended_by_the_sweeper(world, step):
    """Once marked as planned first, with no message left to bring anybody back: it hung until its deadline."""
    world.break_before(step)
    with pytest.raises(Killed):
        world.call(items=["ok/1", "ok/2", "ok/3"], size=1_500_000)

    world.pass_time(settings.REPLAN_S)
    world.sweep()
    world.drain()

    view = world.view("id1")
    assert (view.status, view.error) == ("completed", None)
    assert world.charged() == 3000


def test_messages_that_were_sent_twice_change_nothing(world):
    job_id = world.job([f"ok/{n}" for n in range(15)])
    world.work(*world.take())
    world.queue.messages.extend(world.queue.messages)

    world.drain()

    assert world.view(job_id).usage.units == {CRAWL: 15}
    assert world.charged() == 15_000


def test_a_part_of_a_job_that_is_not_there_is_dropped(world):
    world.job()
    (root,) = world.take()
    world.memory.items.pop(("job", root.job_id))

    world.work(root)

    assert not world.stage.ran
