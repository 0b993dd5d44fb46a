"""What nobody can work: it is tried, then taken out of the way, and costs its neighbours nothing."""

import pytest

from tests.fakes import CRAWL
from verbena import settings
from verbena.jobs import ROOT


def test_an_item_that_breaks_every_worker_fails_alone(world):
    """D03; case job-failed-item-blocks"""
    job_id = world.job(["ok/1", "ok/2", "boom/3", "ok/4"])

    world.drain()

    view = world.view(job_id)
    assert (view.status, view.progress.done, view.progress.total, view.error) == ("completed", 4, 4, None)
    rows = world.rows(job_id)
    assert [row["status"] for row in rows] == ["success", "success", "failed", "success"]
    assert rows[2]["error"]["code"] == "internal_error"
    assert view.usage.units == {CRAWL: 3}
    assert world.charged() == 3000


def test_a_part_is_tried_as_often_as_the_queue_delivers_it(world):
    world.job(["boom/1"])

    world.drain()

    assert world.stage.ran == ["boom/1"] * settings.MAX_RECEIVES


def test_a_part_of_several_items_is_buried_as_parts_of_one(world):
    job_id = world.job(["ok/1", "boom/2", "ok/2"])
    world.work(*world.take())
    (part,) = world.take()

    assert world.bury(part) is True

    parts = world.messages()
    assert [(child.part_id, child.indexes) for child in parts] == [("0000.1", (0,)), ("0000.2", (1,)), ("0000.3", (2,))]
    assert world.backend.jobs.progress(job_id).open_parts == 3
    assert world.ledger.marker(job_id, "0000").rows == 0


def test_a_part_that_was_worked_after_all_is_followed_and_not_buried(world):
    job_id = world.job(["ok/1", "ok/2"])
    world.work(*world.take())
    (part,) = world.take()
    world.work(part)

    assert world.bury(part) is False
    assert [row["status"] for row in world.rows(job_id)] == ["success"] * 2


def test_burying_twice_is_burying_once(world):
    job_id = world.job(["boom/1"])
    world.work(*world.take())
    (part,) = world.take()

    world.together(world.calls.parts.bury(part), world.calls.parts.bury(part))

    assert (world.view(job_id).status, world.view(job_id).progress.done) == ("completed", 1)


def test_a_root_that_cannot_be_planned_ends_its_job_and_all_its_rows_are_not_attempted(world):
    job_id = world.job(["ok/1", "ok/2"])
    (root,) = world.take()

    assert world.bury(root) is True

    view = world.view(job_id)
    assert (view.status, view.error.code, view.progress.done) == ("completed", "internal_error", 2)
    assert [row["error"]["code"] for row in world.rows(job_id)] == ["not_attempted"] * 2
    assert world.charged() == 0
    world.resume(job_id)
    world.drain()
    assert world.charged() == 2000


def test_a_buried_root_of_pages_is_resumed_from_the_start(world):
    """Once resumed from an empty input."""
    job_id = world.call("test.pages", pages=2, **{"async": True}).job_id
    world.bury(*world.take())

    answer = world.resume(job_id)

    world.drain()
    assert world.view(answer.job_id).error is None
    assert world.stage.ran == ["1", "2"]


def test_a_page_that_breaks_every_worker_ends_the_job_with_the_pages_before_it(world):
    turn = world.stage.turn

    async def break_at_three(wanted, call):
        if wanted.page == 3:
            raise RuntimeError
        return await turn(wanted, call)

    world.stage.turn = break_at_three
    job_id = world.call("test.pages", pages=5, **{"async": True}).job_id

    world.drain()

    view = world.view(job_id)
    assert (view.status, view.error.code, view.progress.done) == ("completed", "internal_error", 4)
    world.stage.turn = turn
    answer = world.resume(job_id)
    world.drain()
    assert [row["page"] for row in world.rows(answer.job_id)] == [3, 3, 4, 4, 5, 5]
    assert world.charged() == 5 * 3500


def test_an_executor_that_fails_a_part_with_a_typed_error_fails_its_items_at_once(world):
    job_id = world.job(["ok/1", "blocked/2", "javascript:3"])

    world.drain()

    assert [row["error"]["code"] for row in world.rows(job_id)] == ["blocked", "blocked", "invalid_url"]
    assert world.stage.ran == ["ok/1", "blocked/2"]
    assert world.charged() == 0


@pytest.mark.parametrize(("late", "status"), [(2, "success"), (3, "failed")])
def test_an_item_nobody_gets_to_is_tried_three_times_with_a_pause(world, late, status):
    job_id = world.job([f"late/{late}/a"])
    started = world.loop.now

    world.drain()

    (row,) = world.rows(job_id)
    assert (row["status"], row.get("error", {}).get("code")) == (status, None if status == "success" else "timeout")
    assert len(world.stage.ran) == 3
    assert world.loop.now - started == 2 * settings.BARREN_DELAY_S


def test_a_part_that_gets_somewhere_is_not_barren(world):
    items = [f"late/{n}/a" for n in range(8)]
    job_id = world.job(items)

    world.drain()

    assert [row["status"] for row in world.rows(job_id)] == ["success"] * 8
    assert world.charged() == 8000


def test_a_part_that_goes_on_and_on_ends_at_the_depth_bound(world):
    async def one_at_a_time(wanted, call):
        portion = await type(world.stage).work(world.stage, wanted, call)
        return type(portion)(answers=portion.answers[:1])

    world.inline_limits["test_list"] = 0
    world.stage.work = one_at_a_time
    items = [f"ok/{n}" for n in range(settings.PART_ITEMS * 2)]
    job_id = world.job(items)

    world.drain()

    assert world.view(job_id).status == "completed"
    assert {row["status"] for row in world.rows(job_id)} == {"success"}


def test_an_executor_that_hangs_is_left_at_the_part_budget(world):
    job_id = world.job(["hang/1"])
    world.work(*world.take())
    (part,) = world.take()
    started = world.loop.now

    world.work(part)

    assert world.loop.now - started == settings.PART_BUDGET_S + 1
    assert world.ledger.marker(job_id, "0000").children[0].barren == 1


def test_a_root_is_dropped_once_its_job_is_over(world):
    job_id = world.job(["ok/1"])
    (root,) = world.take()
    world.cancel(job_id)

    world.work(root)

    assert (world.messages(), world.ledger.marker(job_id, ROOT)) == ([], None)
    assert world.bury(root) is False
