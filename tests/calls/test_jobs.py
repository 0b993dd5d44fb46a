"""Jobs: what a call becomes that does not end in its request."""

import pytest
from pydantic_core import to_json

from verbena.errors import NotFound


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


def test_a_job_and_a_request_answer_the_same_rows(world):
    """A24"""
    items = ["ok/1", "failed/2", "javascript:3"]

    inline, job = world.call(items=items).results, world.finished(items)

    assert [row | {"made": ""} for row in job] == [row | {"made": ""} for row in inline]


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
