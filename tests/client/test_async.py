"""The same product on an event loop."""

import asyncio

import pytest

from verbena import AsyncClient
from verbena.client import Overdue
from verbena.errors import AllProvidersFailed, OverMaxCharge


@pytest.fixture
def run(account):
    """Runs what a test does with a client, to its end."""

    async def within(use):
        async with AsyncClient(**account) as client:
            return await use(client)

    return lambda use: asyncio.run(within(use))


def test_an_awaited_call_has_all_of_its_rows(run, site):
    async def use(client):
        return await client.web.scrape([*site.pages(1), f"{site.base}/missing"])

    result = run(use)

    assert [row.status for row in result.rows] == ["success", "failed"]
    assert (result.usage.charge_micros, result.error) == (1_000, None)


def test_rows_of_a_job_come_while_it_runs(run, site):
    urls = [*site.pages(20), *site.pages(1, "held"), *site.pages(40)[21:]]

    async def use(client):
        result = client.web.scrape(urls)
        seen = []
        async for row in result:
            seen.append(row.url)
            if len(seen) == 20:
                status = (await client.jobs.get(result.job_id)).status
                site.released.set()
        return status, seen, result.usage.charge_micros

    assert run(use) == ("pending", urls, 40_000)


def test_calls_run_at_the_same_time(run, site):
    async def use(client):
        return await asyncio.gather(*(client.web.scrape([url]) for url in site.pages(4)))

    results = run(use)

    assert [result.rows[0].url for result in results] == site.pages(4)


def test_a_handle_looks_ends_and_resumes(run, site):
    async def use(client):
        job = await client.web.scrape([*site.pages(1), *site.pages(1, "held")], wait=False)
        await job.cancel()
        site.released.set()
        resumed = await job.resume()
        rows = (await resumed.results()).rows
        listed = await client.jobs.list(limit=100)
        return job, await resumed.refresh(), rows, listed

    job, resumed, rows, listed = run(use)

    assert job.error.code == "cancelled"
    assert (resumed.status, {row.status for row in rows}) == ("completed", {"success"})
    assert {job.job_id, resumed.job_id} <= {each.job_id for each in listed}


def test_failures_are_the_typed_errors(run, site):
    async def refused(client):
        await client.web.scrape(site.pages(2), max_charge_micros=1)

    async def failed(client):
        await client.web.discover("cafe", async_=True)

    async def late(client):
        await client.web.scrape(site.pages(1, "held"), async_=True, timeout=0.3)

    for use, error in ((refused, OverMaxCharge), (failed, AllProvidersFailed), (late, Overdue)):
        with pytest.raises(error):
            run(use)


def test_money_and_verbs_are_read(run):
    async def use(client):
        return await client.wallet(), await client.usage(), await client.verbs()

    wallet, usage, verbs = run(use)

    assert wallet.available_micros > 0
    assert usage.charge_micros >= 0
    assert "web.scrape" in {verb.name for verb in verbs.verbs}


def test_a_result_that_was_not_awaited_says_so(run, site):
    async def use(client):
        return client.web.scrape(site.pages(1))

    result = run(use)

    with pytest.raises(RuntimeError, match="await"):
        _ = result.rows
    with pytest.raises(RuntimeError, match="await"):
        _ = result.usage
    assert site.seen == []
