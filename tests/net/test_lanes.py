"""How much runs at once."""

import asyncio

from verbena.lanes import Lanes


def most_at_once(hosts, *, overall, per_host):
    """The most that ever ran together, in all and for the first host."""
    running, peak, peak_of_first = [], 0, 0

    async def work(lanes, host):
        nonlocal peak, peak_of_first
        async with lanes.lane(host):
            running.append(host)
            peak = max(peak, len(running))
            peak_of_first = max(peak_of_first, running.count(hosts[0]))
            for _ in range(3):
                await asyncio.sleep(0)
            running.remove(host)

    async def all_of_them():
        lanes = Lanes(overall, per_host)
        await asyncio.gather(*(work(lanes, host) for host in hosts))

    asyncio.run(all_of_them())
    return peak, peak_of_first


def test_no_host_gets_more_than_its_share():
    assert most_at_once(["a"] * 20 + ["b"] * 20, overall=32, per_host=4) == (8, 4)


def test_no_more_run_than_there_are_lanes():
    assert most_at_once([f"h{n}" for n in range(50)], overall=32, per_host=4) == (32, 1)


def test_a_crowd_at_one_host_does_not_hold_up_another():
    async def second_host_passes():
        lanes = Lanes(overall=3, per_host=1)
        stuck = asyncio.Event()

        async def wait_at_first():
            async with lanes.lane("busy"):
                await stuck.wait()

        crowd = [asyncio.create_task(wait_at_first()) for _ in range(10)]
        await asyncio.sleep(0)
        async with asyncio.timeout(1), lanes.lane("free"):
            passed = True
        stuck.set()
        await asyncio.gather(*crowd)
        return passed

    assert asyncio.run(second_host_passes())


def test_a_lane_is_free_again_after_an_error_and_a_cancel():
    async def passes():
        lanes = Lanes(overall=1, per_host=1)

        async def fail():
            async with lanes.lane("a"):
                raise ValueError

        async def hold():
            async with lanes.lane("a"):
                await asyncio.Event().wait()

        await asyncio.gather(fail(), return_exceptions=True)
        holding = asyncio.create_task(hold())
        waiting = asyncio.create_task(hold())
        await asyncio.sleep(0)
        waiting.cancel()
        holding.cancel()
        await asyncio.gather(holding, waiting, return_exceptions=True)
        async with asyncio.timeout(1), lanes.lane("a"):
            return lanes._hosts.keys() == {"a"}

    assert asyncio.run(passes())
