"""Against the deployed product: calls, jobs, money, and failures a user meets."""

import json
import signal

import pytest

from .conftest import caller
from .terminal import Terminal


@pytest.fixture(scope="module")
def account(stack, api):
    return {"VERBENA_URL": stack.base_url, "VERBENA_KEY": api.headers["Authorization"].removeprefix("Bearer ")}


@pytest.fixture(scope="module")
def verbena(account):
    return caller(account)


def test_a_call_shows_its_rows_and_what_they_cost(verbena, site):
    result = verbena("call", "web.scrape", *site.pages(2), "-o", "text")

    assert result.exit_code == 0
    assert "Line 0 of page 1" in result.stdout
    assert result.stderr == "2 success · 2 web_crawl · $0.002\n"


def test_a_call_that_becomes_a_job_is_followed_to_all_of_its_rows(verbena, site):
    urls = [*site.pages(101), f"{site.base}/missing"]

    result = verbena("call", "web.scrape", "urls=@-", input="\n".join(urls))

    answer = json.loads(result.stdout)
    assert result.exit_code == 1
    assert answer["usage"]["charge_micros"] == 101_000
    assert [row["url"] for row in answer["results"]] == urls
    assert [row["status"] for row in answer["results"]] == ["success"] * 101 + ["failed"]
    assert answer["job_id"] in result.stderr


def test_a_job_is_listed_waited_for_read_and_resumed(verbena, site):
    job_id = verbena("call", "web.scrape", site.pages(1)[0], f"{site.base}/missing", "--async", "-o", "text").stdout
    job_id = job_id.strip()

    waited = verbena("jobs", "wait", job_id, "-o", "text")
    shown = json.loads(verbena("jobs", "show", job_id).stdout)
    listed = verbena("jobs", "list", "-o", "text")
    second = verbena("jobs", "rows", job_id, "--cursor", "1", "--limit", "1", "-o", "jsonl")
    resumed = json.loads(verbena("jobs", "resume", job_id).stdout)

    assert waited.exit_code == 0
    assert "2 of 2" in waited.stdout
    assert f"verbena jobs rows {job_id}" in waited.stderr
    assert (shown["status"], shown["usage"]["units"]) == ("completed", {"web_crawl": 1})
    assert any(line.split()[:3] == [job_id, "web.scrape", "completed"] for line in listed.stdout.splitlines())
    assert json.loads(second.stdout)["error"]["code"] == "page_not_found"
    assert second.exit_code == 1
    assert resumed["progress"]["total"] == 1


def test_a_job_is_cancelled_and_says_how_to_go_on(verbena, site):
    job_id = json.loads(verbena("call", "web.scrape", *site.pages(1, "held"), "--async").stdout)["job_id"]

    cancelled = verbena("jobs", "cancel", job_id, "-o", "text")
    waited = verbena("jobs", "wait", job_id)

    assert cancelled.exit_code == 0
    assert "cancelled: The job was cancelled." in cancelled.stdout
    assert f"verbena jobs resume {job_id}" in cancelled.stderr
    assert waited.exit_code == 1


def test_ctrl_c_leaves_the_job_running_and_says_how_to_follow_and_cancel_it(started, verbena, account, site):
    with Terminal() as terminal:
        words = ("call", "web.scrape", *site.pages(8), *site.pages(1, "held"))
        process = started(*words, stderr=terminal.inside, env=terminal.env | account)
        job_id = terminal.wait_for("/9").partition("job ")[2].split()[0]

        process.send_signal(signal.SIGINT)

        assert process.wait(20) == 130
        told = terminal.wait_for(f"verbena jobs cancel {job_id}")
    assert f"verbena jobs wait {job_id}" in told
    assert json.loads(verbena("jobs", "show", job_id).stdout)["status"] == "pending"
    site.released.set()
    assert verbena("jobs", "wait", job_id).exit_code == 0


def test_a_row_too_big_for_a_page_of_results_comes_whole(verbena, site):
    result = verbena("call", "web.scrape", f"{site.base}/big/1", "--async", "-o", "json")
    job_id = json.loads(result.stdout)["job_id"]
    verbena("jobs", "wait", job_id)

    (row,) = json.loads(verbena("jobs", "rows", job_id).stdout)["results"]

    assert len(row["content"]) > 1024 * 1024
    assert "Line 29999 of page 1" in row["content"]


def test_wallet_and_usage_agree_with_what_was_charged(verbena, site):
    before = json.loads(verbena("wallet").stdout)
    verbena("call", "web.scrape", *site.pages(3))
    after = json.loads(verbena("wallet").stdout)
    usage = json.loads(verbena("usage").stdout)

    assert before["available_micros"] - after["available_micros"] == 3_000
    assert any(line["verb"] == "web.scrape" for line in usage["days"])
    assert "total" in verbena("usage", "-o", "text").stdout
    assert verbena("wallet", "-o", "text").stdout.startswith("available  $")


def test_the_verbs_of_the_server_are_listed_with_prices(verbena):
    table = verbena("verbs", "-o", "text").stdout

    assert ["web.scrape", "$0.001"] in [[line.split()[0], line.split()[-1]] for line in table.splitlines()]


def test_a_refused_call_says_the_error_its_fix_and_the_request(verbena, site):
    result = verbena("call", "web.scrape", *site.pages(2), "--max-charge-micros", "1999")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["code"] == "over_max_charge"
    assert "required_micros: 2000" in result.stderr
    assert "Raise --max-charge-micros" in result.stderr
    assert "request id: " in result.stderr
    assert site.seen == []


def test_a_wrong_key_is_told_where_a_key_goes_and_never_repeated(verbena):
    result = verbena("wallet", "--key", "vb_wrong")

    assert result.exit_code == 1
    assert "VERBENA_KEY" in result.stderr
    assert "vb_wrong" not in result.output


def test_an_unknown_job_is_told_where_jobs_are(verbena):
    result = verbena("jobs", "show", "0" * 32)

    assert result.exit_code == 1
    assert "verbena jobs list" in result.stderr


def test_a_query_the_server_refuses_names_the_option(verbena):
    result = verbena("jobs", "list", "--limit", "many")

    assert result.exit_code == 1
    assert "limit: Input should be a valid integer" in result.stderr
