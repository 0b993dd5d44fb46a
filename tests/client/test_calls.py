"""Against the deployed product: rows come typed and in order, whether the call was answered at once or is a job."""

import pytest

from verbena import Client
from verbena.catalog.web import ScrapedPage
from verbena.client import Overdue
from verbena.errors import AllProvidersFailed, InvalidInput, NotFound, OverMaxCharge, Unauthorized


def test_a_call_gives_typed_rows_in_input_order(client, site):
    result = client.web.scrape([*site.pages(1), f"{site.base}/missing"], format="text")

    first, second = result.rows
    assert isinstance(first, ScrapedPage)
    assert (first.status, first.metadata.http_status, first.metadata.title) == ("success", 200, "Page 0")
    assert (second.index, second.status, second.error.code) == (1, "failed", "page_not_found")
    assert result.usage.units == {"web_crawl": 1}
    assert (result.job_id, result.error, result.meta, result.attempts) == (None, None, None, [])


def test_rows_of_a_job_come_while_it_runs(client, site):
    urls = [*site.pages(20), *site.pages(1, "held"), *site.pages(40)[21:]]
    result = client.web.scrape(urls)
    rows = iter(result)

    ready = [next(rows) for _ in range(20)]
    status = client.jobs.get(result.job_id).status
    site.released.set()
    rest = list(rows)

    assert status == "pending"
    assert [row.url for row in [*ready, *rest]] == urls
    assert {row.status for row in [*ready, *rest]} == {"success"}
    assert result.usage.charge_micros == 40_000


def test_a_job_of_several_pages_gives_all_its_rows_as_often_as_asked(client, site):
    urls = site.pages(121)
    result = client.web.scrape(urls)

    assert [row.url for row in result] == urls
    assert [row.url for row in result.rows] == urls
    assert result.rows is result.rows


def test_a_row_too_big_for_a_page_of_results_comes_whole(client, site):
    (row,) = client.web.scrape(site.pages(1, "big"), async_=True).rows

    assert len(row.content) > 1024 * 1024
    assert (row.truncated, row.content_ref) == (None, None)


def test_a_call_that_is_not_waited_for_gives_a_handle(client, site):
    job = client.web.scrape([*site.pages(1), *site.pages(1, "held")], wait=False)

    seen = job.status
    cancelled = job.cancel()
    site.released.set()
    resumed = job.resume()

    assert (seen, cancelled.status, cancelled.error.code) == ("pending", "completed", "cancelled")
    assert resumed.job_id != job.job_id
    assert {row.status for row in resumed.results()} == {"success"}
    assert (resumed.refresh().status, resumed.progress.done) == ("completed", resumed.progress.total)
    assert job.results().error.code == "cancelled"


def test_a_job_is_found_again_by_its_id(client, site):
    job_id = client.web.scrape(site.pages(1), wait=False).job_id

    (typed,) = client.jobs.get(job_id, "web.scrape").results()
    (plain,) = client.jobs.get(job_id).results()

    assert typed.url == plain["url"]
    assert job_id in {job.job_id for job in client.jobs.list(limit=100)}


def test_more_jobs_are_listed_than_the_server_lists_at_once(played):
    def listed(numbers, following):
        facts = {
            "verb": "web.scrape",
            "status": "completed",
            "created_at": "2026-01-01T00:00:00Z",
            "completed_at": None,
        }
        rest = {"items": 1, "usage": None, "error": None, "resumed_from": None}
        return 200, {"jobs": [{"job_id": f"{number}", **facts, **rest} for number in numbers], "next": following}

    following = f"{played.url}/v1/jobs?limit=100&before=2026-01-01T00%3A00%3A00Z%2F99"
    played.answers = [listed(range(100), following), listed(range(100, 130), None)]

    with Client(played.url) as client:
        jobs = client.jobs.list(limit=500)

    assert [job.job_id for job in jobs] == [f"{number}" for number in range(130)]
    assert [line for line, _ in played.requests] == [
        "GET /v1/jobs?limit=100",
        "GET /v1/jobs?before=2026-01-01T00%3A00%3A00Z%2F99&limit=100",
    ]


def test_a_quote_is_asked_without_running_anything(client, site):
    result = client.web.scrape(site.pages(7), dry_run=True)

    assert (result.rows, result.meta.quote.max_charge_micros) == ([], 7_000)
    assert site.seen == []


def test_a_call_that_takes_longer_than_its_timeout_names_the_job_that_goes_on(client, site):
    job = client.web.scrape(site.pages(1, "held"), wait=False)

    with pytest.raises(Overdue) as overdue:
        _ = job.results(timeout=0.3).rows

    site.released.set()
    assert overdue.value.job_id == job.job_id
    (row,) = job.results()
    assert row.status == "success"


def test_a_refused_call_raises_its_error_with_the_request_to_ask_about(client, site):
    with pytest.raises(OverMaxCharge) as refused:
        client.web.scrape(site.pages(2), max_charge_micros=1_999)

    assert refused.value.details["required_micros"] == 2_000
    assert refused.value.request_id
    assert site.seen == []


def test_a_wrong_key_raises_and_is_never_repeated(account):
    with Client(account["base_url"], "vb_wrong") as stranger, pytest.raises(Unauthorized) as refused:
        stranger.wallet()

    assert "vb_wrong" not in f"{refused.value!r} {stranger!r}"


def test_a_call_that_fails_whole_raises_the_same_error_as_a_job(client):
    with pytest.raises(AllProvidersFailed):
        client.web.discover("cafe")

    with pytest.raises(AllProvidersFailed):
        _ = client.web.discover("cafe", async_=True).rows


def test_an_unknown_job_is_not_found(client):
    with pytest.raises(NotFound):
        client.jobs.get("0" * 32)


def test_wallet_and_usage_agree_with_what_was_charged(client, site):
    before = client.wallet()

    charged = client.web.scrape(site.pages(3)).usage.charge_micros

    assert before.available_micros - client.wallet().available_micros == charged == 3_000
    assert any(line.verb == "web.scrape" for line in client.usage().days)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"urls": []}, "urls"),
        ({"urls": ["https://e.invalid"], "formt": "text"}, "formt"),
        ({"urls": ["https://e.invalid"], "max_charge_micros": -1}, "max_charge_micros"),
        ({}, "urls"),
    ],
)
def test_a_wrong_field_is_named_before_anything_is_sent(played, said, field):
    with Client(played.url) as client, pytest.raises(InvalidInput) as wrong:
        client.web.scrape(**said)

    assert wrong.value.details["fields"][0]["field"] == field
    assert played.requests == []
