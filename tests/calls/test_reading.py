"""Reading a job: small polls, pages in input order that join without a gap, rows of any size."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic_core import to_json

from verbena import settings
from verbena.errors import NotFound


def walk(world, job_id, limit):
    """Every page of a job's rows, following `next` as a client does."""
    pages, cursor = [], 0
    while cursor is not None:
        pages.append(world.page(job_id, cursor, limit))
        link = pages[-1].next
        cursor = int(parse_qs(urlsplit(link).query)["cursor"][0]) if link else None
    return pages


def test_following_next_reads_every_row_once_in_order_duplicates_far_apart(world):
    items = [f"ok/{n % 40}" for n in range(95)]
    job_id = world.job(items)
    world.drain()

    pages = walk(world, job_id, 20)

    assert [len(page.results) for page in pages] == [20, 20, 20, 20, 15]
    rows = [row for page in pages for row in page.results]
    assert [(row["index"], row["item"]) for row in rows] == list(enumerate(items))


def test_next_is_absolute_and_keeps_the_limit(world):
    job_id = world.job([f"ok/{n}" for n in range(9)])
    world.drain()

    assert world.page(job_id, 0, 4).next == f"http://verbena.test/v1/jobs/{job_id}?limit=4&cursor=4"


def test_a_pending_job_shows_its_finished_prefix(world):
    job_id = world.job([f"ok/{n}" for n in range(25)])
    world.work(*world.take())
    first, second, third = world.messages()
    world.work(third)
    assert world.rows(job_id) == []

    world.work(first)
    page = world.page(job_id)
    assert (page.status, len(page.results)) == ("pending", 10)
    assert page.next.endswith("cursor=10")

    world.work(second)
    assert len(world.rows(job_id)) == 25


def test_a_position_that_needs_no_work_does_not_hold_the_prefix_up(world):
    job_id = world.job(["javascript:1", "ok/1"])
    world.work(*world.take())

    page = world.page(job_id)

    assert [row["error"]["code"] for row in page.results] == ["invalid_url"]
    assert page.next.endswith("cursor=1")


def test_a_poll_is_small_whatever_the_job_is(world):
    """case poll-downloads-everything"""
    job_id = world.job([f"ok/{n}" for n in range(200)], size=20_000)
    world.work(*world.take())
    for part in world.take()[:15]:
        world.work(part)
    world.steps.clear()

    view = world.view(job_id)

    assert (view.progress.done, view.progress.total, view.results) == (150, 200, None)
    assert len(to_json(view.wire())) < 2048
    assert "get" not in world.steps


def test_an_answer_too_big_to_send_is_a_completed_job_with_its_first_page(world):
    answer = world.call(items=["ok/1", "ok/2", "ok/3"], size=950_000)
    assert (answer.status, answer.job_id) == ("completed", None)

    big = world.call(items=["ok/1", "ok/2", "ok/3"], size=1_500_000)

    assert (big.status, big.error, big.progress.done, big.progress.total) == ("completed", None, 3, 3)
    assert big.job_id is not None
    assert len(to_json(big.wire())) <= settings.ANSWER_CAP_BYTES
    assert [row["index"] for row in big.results] == [0, 1, 2]
    assert world.charged() == 6000


def test_pages_end_where_the_answer_would_be_too_big(world):
    job_id = world.job([f"ok/{n}" for n in range(9)], size=900_000)
    world.drain()

    pages = walk(world, job_id, 1000)

    assert [len(page.results) for page in pages] == [4, 4, 1]
    assert all(len(to_json(page.wire())) < settings.ANSWER_CAP_BYTES + 4096 for page in pages)


def test_a_page_of_big_rows_is_not_read_further_than_it_can_show(world):
    job_id = world.job([f"ok/{n}" for n in range(100)], size=900_000)
    world.drain()
    world.steps.clear()

    page = world.page(job_id, 0, 100)

    assert len(page.results) == 4
    assert world.steps.count("get") <= 4


def test_a_row_over_its_cap_is_cut_and_says_where_it_is_whole(world):
    job_id = world.job(["ok/0", "ok/1"], size=3_000_000)
    world.drain()

    row = world.rows(job_id)[1]

    assert row["truncated"] is True
    assert row["content_ref"] == f"/v1/jobs/{job_id}/rows/1"
    assert len(to_json(row)) <= settings.ROW_CAP_BYTES
    assert len(row["content"]) > settings.ROW_CAP_BYTES * 0.7
    assert set(row["content"]) == {"x"}


def test_a_cut_row_is_streamed_whole_by_its_position(world):
    job_id = world.job(["ok/0", "ok/1"], size=3_000_000)
    world.drain()

    async def read(position):
        return await world.calls.reading.row(await world.calls.reading.job("owner", job_id), position)

    row = json.loads(world.run(read(1)))
    assert (row["item"], row["index"], len(row["content"])) == ("ok/1", 1, 3_000_000)
    with pytest.raises(NotFound):
        world.run(read(2))


def test_a_cut_row_of_a_verb_without_a_list_says_its_own_position(world):
    """Once every such row said position 0."""

    async def long(wanted, call):
        portion = await type(world.stage).turn(world.stage, wanted, call)
        rows = [answer.row.model_copy(update={"text": "y" * 2_000_000}) for answer in portion.answers]
        answers = tuple(type(answer)(row) for answer, row in zip(portion.answers, rows, strict=True))
        return type(portion)(answers, portion.units)

    world.stage.turn = long
    job_id = world.call("test.pages", pages=1, **{"async": True}).job_id
    world.drain()

    assert [row["content_ref"][-7:] for row in world.rows(job_id)] == ["/rows/0", "/rows/1"]


def test_numbers_come_back_from_a_job_as_they_went_in(world):
    inline = world.call("test.pages", pages=1)
    job_id = world.call("test.pages", pages=1, **{"async": True}).job_id
    world.drain()

    assert to_json(world.rows(job_id)) == to_json(inline.results)


def test_a_page_beyond_the_end_is_empty_and_the_last(world):
    job_id = world.job(["ok/1"])
    world.drain()

    page = world.page(job_id, 5, 10)

    assert (page.results, page.next) == ([], None)
