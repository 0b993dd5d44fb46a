"""Paged verbs: each page is an input that continues the work, worked by one part after the other."""

from tests.calls.world import World
from tests.fakes import PAGE
from verbena.capability import Portion

PRICE = 3500


def pages(rows):
    return [row["page"] for row in rows]


def test_one_page_ends_in_the_request(world):
    """A13, A15"""
    answer = world.call("test.pages", pages=1)

    assert (answer.status, pages(answer.results)) == ("completed", [1, 1])
    assert answer.attempts[0].provider == "source"
    assert answer.meta.warnings == ["w"]
    assert world.charged() == PRICE


def test_what_is_left_after_the_first_page_becomes_a_job(world):
    answer = world.call("test.pages", pages=3)

    assert (answer.status, answer.progress.done, answer.progress.total) == ("pending", 2, None)
    world.drain()
    page = world.page(answer.job_id)
    assert (page.status, pages(page.results)) == ("completed", [1, 1, 2, 2, 3, 3])
    assert (page.progress.done, page.progress.total) == (6, 6)
    assert len(page.attempts) == 3
    assert page.meta.warnings == ["w"]
    assert page.usage.units == {PAGE: 3}
    assert world.stage.ran == ["1", "2", "3"]
    assert world.charged() == 3 * PRICE


def test_pages_of_a_job_follow_each_other_in_one_line_of_parts(world):
    job_id = world.call("test.pages", pages=3, **{"async": True}).job_id

    world.drain()

    assert [marker.part_id for marker in world.ledger.markers(job_id)] == ["0000", "0001", "0002", "root"]


def test_a_paged_call_ends_at_the_pages_it_was_quoted(world):
    answer = world.call("test.pages", pages=9, most=2)

    world.drain()

    view = world.view(answer.job_id)
    assert (view.status, view.usage.units, view.error) == ("completed", {PAGE: 2}, None)
    assert world.charged() == 2 * PRICE


def test_a_page_that_claims_more_than_is_left_is_capped(world):
    turn = world.stage.turn

    async def greedy(wanted, call):
        portion = await turn(wanted, call)
        return Portion(portion.answers, {PAGE: 2}, rest=portion.rest)

    world.stage.turn = greedy

    answer = world.call("test.pages", pages=9, most=3)

    world.drain()
    assert world.view(answer.job_id).usage.units == {PAGE: 3}
    assert world.stage.ran == ["1", "2"]
    assert world.charged() == 3 * PRICE


def test_a_page_with_nothing_new_is_not_billed(world):
    turn = world.stage.turn

    async def stale(wanted, call):
        portion = await turn(wanted, call)
        return Portion(rest=portion.rest) if wanted.page == 2 else portion

    world.stage.turn = stale
    answer = world.call("test.pages", pages=3)

    world.drain()

    page = world.page(answer.job_id)
    assert (pages(page.results), page.usage.units) == ([1, 1, 3, 3], {PAGE: 2})


def test_a_source_that_gives_nothing_three_times_in_a_row_is_left(world):
    async def empty(wanted, _call):
        world.stage.ran.append(str(wanted.page))
        return Portion(rest=wanted)

    world.stage.turn = empty
    job_id = world.call("test.pages", pages=3, **{"async": True}).job_id

    world.drain()

    assert world.stage.ran == ["1"] * 3
    assert world.view(job_id).status == "completed"
    assert world.charged() == 0


def test_a_page_delivered_twice_is_turned_once(world):
    answer = world.call("test.pages", pages=3)
    (part,) = world.take()

    world.together(world.calls.parts.work(part), world.calls.parts.work(part))
    world.drain()

    assert pages(world.rows(answer.job_id)) == [1, 1, 2, 2, 3, 3]
    assert world.charged() == 3 * PRICE


def test_a_cancelled_paged_job_is_resumed_at_the_page_it_stopped_at(world):
    """D04"""
    answer = world.call("test.pages", pages=4)
    world.work(*world.take())
    world.cancel(answer.job_id)

    resumed = world.resume(answer.job_id)

    world.drain()
    assert pages(world.rows(answer.job_id)) == [1, 1, 2, 2]
    assert pages(world.rows(resumed.job_id)) == [3, 3, 4, 4]
    assert world.charged() == 4 * PRICE


def test_a_paged_job_that_was_never_worked_is_resumed_from_its_start(world):
    job_id = world.call("test.pages", pages=1, **{"async": True}).job_id
    world.cancel(job_id)

    resumed = world.resume(job_id)

    world.drain()
    assert pages(world.rows(resumed.job_id)) == [1, 1]


def test_the_whole_of_the_pages_is_held_before_the_first(world):
    """A36"""
    answer = World(funds=4 * PRICE).call("test.pages", pages=1)

    assert answer.error.details == {"balance_micros": 4 * PRICE, "required_micros": 5 * PRICE}


def test_rows_are_numbered_through_all_pages(world):
    job_id = world.call("test.pages", pages=4).job_id
    world.drain()

    walked = [world.page(job_id, cursor, 3) for cursor in (0, 3, 6)]

    assert [pages(page.results) for page in walked] == [[1, 1, 2], [2, 3, 3], [4, 4]]
    assert [page.next is None for page in walked] == [False, False, True]
