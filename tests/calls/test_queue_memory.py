"""The queue of one process: its loop is the worker, the redelivery and the dead-letter consumer."""

import asyncio
import logging

import pytest

from verbena import settings
from verbena.memory.queue import AT_ONCE


def test_parts_are_worked_a_few_at_once(world):
    running, most = 0, 0

    async def slow(wanted, call):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(1)
        running -= 1
        return await type(world.stage).work(world.stage, wanted, call)

    world.stage.work = slow
    world.job([f"ok/{n}" for n in range(85)])
    started = world.loop.now

    world.drain()

    assert most == AT_ONCE
    assert world.loop.now - started == 3


def test_a_message_waits_until_it_is_due(world):
    job_id = world.job()
    (part,) = world.take()
    world.queue.send("test.list", "owner", [(part, 30)])
    started = world.loop.now

    world.drain()

    assert world.loop.now - started == 30
    assert world.view(job_id).status == "completed"


def test_what_breaks_a_worker_is_logged_and_its_message_comes_again_soon(world, caplog):
    caplog.set_level(logging.WARNING)
    world.job(["boom/1"])
    started = world.loop.now

    world.drain()

    told = [record.getMessage() for record in caplog.records]
    assert told == ["part 0000 of job id1 failed"] * settings.MAX_RECEIVES
    assert world.loop.now - started == settings.MAX_RECEIVES * settings.RETRY_VISIBILITY_S


def test_a_part_that_cannot_even_be_buried_ends_the_draining(world):
    world.job()

    class Broken(Exception):
        pass

    for _ in range(2 * settings.MAX_RECEIVES + 1):
        world.break_before("job", Broken)

    with pytest.raises(Broken):
        world.drain()
