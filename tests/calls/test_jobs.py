"""Jobs: planned, worked, closed, cancelled, resumed; every one ends with all its rows."""

import pytest
from pydantic_core import to_json

from tests.calls.world import Killed, World
from tests.fakes import CRAWL
from verbena import settings
from verbena.errors import NotCompleted, NotFound, NothingToResume, Unavailable
from verbena.jobs import ROOT


def test_a_big_call_is_a_job_that_can_be_polled_to_its_end(world):
    """A21, D03"""
    items = [f"ok/{n}" for n in range(25)]

    answer = world.call(items=items)

    assert (answer.status, answer.progress.done, answer.progress.total) == ("pending", 0, 25)
    assert answer.next == f"http://verbena.test/v1/jobs/{answer.job_id}?limit=100&cursor=0"
    world.drain()
    view = world.view(answer.job_id)
    assert (view.status, view.progress.done, view.progress.total, view.error) == ("completed", 25, 25, None)
    assert [row["item"] for row in world.rows(answer.job_id)] == items
    assert world.charged() == view.usage.charge_micros == 25_000


def test_two_thousand_items_with_duplicates_far_apart_are_run_once_each(world):
    """A06"""
    items = [f"ok/{n % 1500}" for n in range(2000)]

    rows = world.finished(items)

    assert sorted(world.stage.ran) == sorted(f"ok/{n}" for n in range(1500))
    assert [row["item"] for row in rows] == items[:1000]
    assert [row["index"] for row in rows] == list(range(1000))
    assert world.charged() == 1_500_000
    assert world.ledger.hold("id1").amount == 1500 * 7000


def test_parts_are_contiguous_slices_of_the_distinct_items(world):
    world.job([f"ok/{n % 15}" for n in range(40)])

    world.work(*world.take())

    parts = world.messages()
    assert [(part.part_id, part.indexes) for part in parts] == [
        ("0000", tuple(range(10))),
        ("0001", tuple(range(10, 15))),
    ]
    assert parts[0].weights == (3,) * 10
    assert parts[1].weights == (2,) * 5


def test_progress_counts_positions_of_the_input_and_starts_with_those_that_need_no_work(world):
    job_id = world.job(["ok/0", "javascript:1", "ok/0", *(f"ok/{n}" for n in range(1, 12))])
    assert (world.view(job_id).progress.done, world.view(job_id).progress.total) == (1, 14)

    world.work(*world.take())
    world.work(world.messages()[0])

    assert (world.view(job_id).progress.done, world.view(job_id).status) == (12, "pending")


def test_a_job_row_is_thin_and_holds_no_rows(world):
    """A25; case size-over-400kb"""
    job_id = world.job([f"ok/{n}" for n in range(200)], size=2000)

    world.drain()

    assert len(to_json(world.backend.jobs.job(job_id))) < 2048
    assert "xxx" not in repr(world.memory.items)


def test_pages_bigger_than_a_table_item_may_be_come_back_whole(world):
    """case size-over-400kb"""
    rows = world.finished(["ok/1", "ok/2", "ok/3"], size=600_000)

    assert [len(row["content"]) for row in rows] == [600_000] * 3


def test_a_job_of_one_thing_ends_with_it(world):
    job_id = world.call("test.thing", thing="a", **{"async": True}).job_id
    assert world.view(job_id).progress.total is None

    world.drain()

    page = world.page(job_id)
    assert (page.status, page.results, page.progress.done, page.progress.total) == ("completed", [{"thing": "a"}], 1, 1)
    assert world.charged() == 3500


def test_the_end_of_a_call_is_its_status_and_its_error(world):
    job_id = world.call("test.thing", thing="blocked", **{"async": True}).job_id

    world.drain()

    view = world.view(job_id)
    assert (view.status, view.error.code, view.progress.done) == ("completed", "blocked", 0)
    assert world.charged() == 0


def test_another_owners_job_is_not_found(world):
    """A40"""
    job_id = world.job()

    with pytest.raises(NotFound):
        world.run(world.calls.reading.job("other", job_id))


def test_a_job_is_gone_when_its_time_is_over(world):
    job_id = world.job()
    world.drain()

    world.pass_time(30 * 86_400)

    with pytest.raises(NotFound):
        world.view(job_id)


# ---- deliveries


def test_a_part_delivered_five_times_is_counted_and_billed_once(world):
    """A34"""
    job_id = world.job(["ok/1", "captcha/1"])
    world.work(*world.take())
    (part,) = world.take()

    world.together(*(world.calls.parts.work(part) for _ in range(5)))

    facts = [fact for (call, part_id), fact in world.facts().items() if call == job_id and part_id != ROOT]
    assert len(facts) == 1
    assert {row["made"] for row in world.rows(job_id)} == {facts[0].result_key and world.rows(job_id)[0]["made"]}
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


# ---- ends


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


# ---- resume


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
