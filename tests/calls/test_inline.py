"""Small calls end in their request: one row per item, in order, whatever happened to it."""

import pytest

from tests.calls.world import World
from tests.fakes import CRAWL, THING, VERBS
from verbena import settings
from verbena.capability import Call
from verbena.errors import Blocked


def outcomes(rows):
    return [(row["index"], row["item"], row["status"], row.get("error", {}).get("code")) for row in rows]


def test_one_item_is_a_list_of_one(world):
    """A03, A04, A20"""
    answer = world.call(items=["ok/1"])

    assert answer.wire() == {
        "status": "completed",
        "results": [{"item": "ok/1", "index": 0, "status": "success", "content": "ok/1", "made": "1"}],
        "usage": {"units": {CRAWL: 1}, "charge_micros": 1000, "vendor_cost_micros": None, "unknown_costs": 1},
    }


def test_a_failing_item_fails_alone_and_rows_keep_the_order_of_the_input(world):
    """A05, A07"""
    answer = world.call(items=["ok/1", "failed/2", "empty/3"])

    assert answer.error is None
    assert outcomes(answer.results) == [
        (0, "ok/1", "success", None),
        (1, "failed/2", "failed", "connect_error"),
        (2, "empty/3", "empty", "empty_page"),
    ]


def test_only_success_is_billed(world):
    """A08, A33"""
    answer = world.call(items=["ok/1", "failed/2", "empty/3"])

    assert answer.usage.units == {CRAWL: 1}
    assert world.charged() == 1000


def test_duplicates_are_run_once_billed_once_and_each_echo_their_own_item(world):
    """A06"""
    answer = world.call(items=["ok/1", "ok/1#part", "ok/2", "ok/1"])

    assert world.stage.ran == ["ok/1", "ok/2"]
    assert [row["item"] for row in answer.results] == ["ok/1", "ok/1#part", "ok/2", "ok/1"]
    assert [row["index"] for row in answer.results] == [0, 1, 2, 3]
    assert world.charged() == 2000


def test_the_inline_limit_counts_distinct_items(world):
    assert world.call(items=["ok/1", "ok/2", "ok/3", "ok/1", "ok/1#x"]).status == "completed"
    assert world.call(items=["ok/1", "ok/2", "ok/3", "ok/4"]).status == "pending"


def test_an_item_that_is_none_has_its_row_but_is_neither_run_nor_billed(world):
    answer = world.call(items=["javascript:1", "ok/1", "javascript:secret"])

    assert outcomes(answer.results) == [
        (0, "javascript:1", "failed", "invalid_url"),
        (1, "ok/1", "success", None),
        (2, "javascript:***", "failed", "invalid_url"),
    ]
    assert world.stage.ran == ["ok/1"]
    assert world.charged() == 1000


def test_a_call_of_nothing_but_invalid_items_runs_nothing_and_costs_nothing(world):
    answer = world.call(items=["javascript:1"])

    assert outcomes(answer.results) == [(0, "javascript:1", "failed", "invalid_url")]
    assert (world.stage.ran, world.charged()) == ([], 0)


def test_a_call_that_ends_in_its_request_leaves_no_job(world):
    """A20, A26"""
    world.call(items=["ok/1"])
    world.call("test.thing", thing="a")

    assert not [key for key in world.memory.items if key[0] in {"job", "progress"}]
    assert not world.messages()


def test_a_call_keeps_nothing_but_its_hold_and_its_fact(world):
    """A02"""
    first = world.call(items=["ok/1"])
    fresh = World().call(items=["ok/1"])

    assert first == fresh
    assert {key[0] for key in world.memory.items} == {"wallet", "hold", "part"}
    assert not world.backend.objects.bodies


def test_a_verb_without_a_list_answers_its_rows(world):
    """A14, A24"""
    answer = world.call("test.thing", thing="a")

    assert (answer.status, answer.results) == ("completed", [{"thing": "a"}])
    assert (answer.usage.charge_micros, answer.usage.vendor_cost_micros) == (3500, 3)
    assert world.charged() == 3500


def test_async_makes_a_job_of_any_verb(world):
    """A23"""
    calls = [("test.list", {"items": ["ok/1"]}), ("test.thing", {"thing": "a"}), ("test.pages", {"pages": 1})]

    answers = [world.call(verb, **body, **{"async": True}) for verb, body in calls]

    assert [answer.status for answer in answers] == ["pending"] * 3
    assert not world.stage.ran


def test_the_inline_limit_is_a_setting():
    """A22"""
    world = World(inline_limits={"test_list": 1})

    assert world.call(items=["ok/1"]).status == "completed"
    assert world.call(items=["ok/1", "ok/2"]).status == "pending"


def test_an_inline_limit_of_zero_makes_every_list_a_job():
    world = World(inline_limits={"test_list": 0})

    assert world.call(items=["ok/1"]).status == "pending"


def test_an_executor_that_fails_with_a_typed_error_fails_the_call_unbilled(world):
    answer = world.call("test.thing", thing="blocked")

    assert (answer.status, answer.error.code, answer.error.retryable) == ("completed", "blocked", True)
    assert answer.results is None
    assert world.charged() == 0


def test_an_executor_that_breaks_gives_its_hold_back_and_the_key_with_it(world):
    with pytest.raises(RuntimeError):
        world.call("test.thing", thing="boom", idempotency_key="k")

    assert world.charged() == 0
    assert not [key for key in world.memory.items if key[0] == "record"]


def test_an_item_that_breaks_the_executor_fails_alone_in_the_end(world):
    answer = world.call(items=["ok/1", "boom/2", "ok/3"])

    assert answer.status == "pending"
    world.drain()
    assert outcomes(world.rows(answer.job_id)) == [
        (0, "ok/1", "success", None),
        (1, "boom/2", "failed", "internal_error"),
        (2, "ok/3", "success", None),
    ]
    assert world.charged() == 2000


def test_what_an_executor_does_not_get_to_in_time_becomes_the_rest_of_a_job(world):
    """A21"""
    answer = world.call(items=["ok/1", "late/1/a", "ok/3"])

    assert (answer.status, answer.progress.done, answer.progress.total) == ("pending", 2, 3)
    assert answer.usage.units == {CRAWL: 2}

    world.drain()
    page = world.page(answer.job_id)
    assert [row["status"] for row in page.results] == ["success"] * 3
    assert world.stage.ran == ["ok/1", "late/1/a", "ok/3", "late/1/a"]
    assert world.charged() == page.usage.charge_micros == 3000


def test_an_executor_that_hangs_is_left_at_the_inline_budget(world):
    started = world.loop.now

    answer = world.call(items=["hang/1"])

    assert answer.status == "pending"
    assert world.loop.now - started <= settings.INLINE_BUDGET_S + 1


def test_a_thing_that_hangs_is_a_timeout(world):
    async def hang(_wanted, _call):
        await world.loop.create_future()

    world.stage.find = hang

    answer = world.call("test.thing", thing="a")

    assert (answer.error.code, answer.error.retryable) == ("timeout", True)
    assert world.charged() == 0


def test_the_executor_knows_its_caller_and_its_time_and_nothing_of_doors(world):
    world.call(items=["ok/1"])

    (call,) = world.stage.calls
    assert (call.owner, call.correlation_id, call.workspace) == ("owner", "correlation", None)
    assert 0 < call.remaining() <= settings.INLINE_BUDGET_S


def test_a_verb_used_by_another_makes_no_call_of_its_own_and_is_billed_with_it(world):
    answer = world.call("test.thing", thing="a", items=["ok/1", "failed/2", "captcha/1"])

    assert answer.usage.units == {"maps_place": 1, CRAWL: 2, "web_crawl_captcha": 1}
    assert answer.usage.unknown_costs == 1
    assert [key for key in world.memory.items if key[0] == "hold"] == [("hold", "id1")]
    assert world.charged() == 3500 + 2 * 1000 + 3000


def test_what_a_used_verb_costs_beyond_the_quote_is_not_charged(world):
    async def greedy(_wanted, call: Call):
        for _ in range(5):
            await call.run("test.list", VERBS["test.list"].input(items=["ok/1"]))
        raise Blocked

    async def spend(wanted, call):
        try:
            await greedy(wanted, call)
        except Blocked:
            return await type(world.stage).find(world.stage, wanted, call)

    world.stage.find = spend

    answer = world.call("test.thing", thing="a", items=["ok/1"])

    assert answer.usage.units == {"maps_place": 1, CRAWL: 1}
    assert world.charged() == 4500


def test_every_door_and_every_direct_caller_run_the_same_executor():
    """A30"""
    assert VERBS["test.thing"].load is THING.load


def test_a_failed_call_of_a_verb_that_used_another_is_not_billed(world):
    async def fail_late(_wanted, call):
        await call.run("test.list", VERBS["test.list"].input(items=["ok/1"]))
        raise Blocked

    world.stage.find = fail_late

    assert world.call("test.thing", thing="a", items=["ok/1"]).error.code == "blocked"
    assert world.charged() == 0
