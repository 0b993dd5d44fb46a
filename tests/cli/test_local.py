"""`--local`: the same calls in one process, without any server."""

import json
import os
import signal
import subprocess
import sys

from tests.doubles import running
from verbena import settings

from .terminal import Terminal


def test_a_page_is_read_in_this_process(local, site):
    result = local("web.scrape", site.pages(1)[0])

    (row,) = json.loads(result.stdout)["results"]
    assert result.exit_code == 0
    assert row["status"] == "success"
    assert "Line 0 of page 0" in row["content"]


def test_a_call_over_the_inline_limit_is_worked_to_its_end_in_input_order(local, site):
    urls = [*site.pages(23), site.pages(1)[0]]

    result = local("web.scrape", "urls=@-", input="\n".join(urls))

    answer = json.loads(result.stdout)
    assert answer["status"] == "completed"
    assert answer["progress"] == {"done": 24, "total": 24}
    assert [(row["index"], row["url"], row["status"]) for row in answer["results"]] == [
        (index, url, "success") for index, url in enumerate(urls)
    ]
    assert sorted(site.seen) == sorted(["/robots.txt", *(f"/page/{number}" for number in range(23))])


def test_asking_for_a_job_still_ends_with_its_rows_because_the_process_is_the_worker(local, site):
    result = local("web.scrape", site.pages(1)[0], "--async")

    answer = json.loads(result.stdout)
    assert answer["status"] == "completed"
    assert [row["status"] for row in answer["results"]] == ["success"]


def test_a_failed_row_ends_with_exit_code_one_and_the_others_are_there(local, site):
    result = local("web.scrape", site.pages(1)[0], f"{site.base}/missing", "-o", "text")

    assert result.exit_code == 1
    assert "Line 0 of page 0" in result.stdout
    assert "page_not_found" in result.stdout
    assert "1 success, 1 failed (page_not_found 1)" in result.stderr


def test_a_call_that_fails_whole_says_its_error_on_both_streams(local, monkeypatch):
    monkeypatch.delenv("SERPAPI_API_KEY", raising=False)

    result = local("maps.reviews", "place=google:ChIJmadeUpPlace00000")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["code"] == "NO_ELIGIBLE_PROVIDER"
    assert "NO_ELIGIBLE_PROVIDER" in result.stderr


def test_a_search_is_served_by_the_vendors_whose_keys_the_environment_has(local, monkeypatch):
    with running("brave") as vendor:
        monkeypatch.setenv("VERBENA_BRAVE_BASE_URL", vendor.base_url)
        for name, value in vendor.key.items():
            monkeypatch.setenv(name, value)
        settings.current.cache_clear()

        result = local("web.discover", "query=cats", "top_k=2", "provider=brave")

    assert [hit["provider"] for hit in json.loads(result.stdout)["results"]] == ["brave", "brave"], result.stderr


def test_a_job_that_fails_says_its_error(local, monkeypatch):
    monkeypatch.setenv("VERBENA_OSM_BASE_URL", "http://127.0.0.1:9")  # where nothing listens
    settings.current.cache_clear()

    result = local("maps.place", "place_id=osm:node/1", "--async")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["code"] == "ALL_PROVIDERS_FAILED"


def test_a_dry_run_says_the_bound_and_reads_nothing(local, site):
    result = local("web.scrape", *site.pages(3), "--dry-run", "-o", "text")

    assert result.stdout == "This call costs at most $0.00 (3 web_crawl).\n"
    assert site.seen == []


def test_few_rows_are_shown_whole_and_many_a_line_each(local, site):
    few = local("web.scrape", *site.pages(2), "-o", "text")
    many = local("web.scrape", *site.pages(6), "-o", "text")

    assert "    0  success  Page 0\n" in few.stdout
    assert "Line 0 of page 1" in few.stdout
    assert many.stdout.splitlines() == [f"    {number}  success  Page {number}" for number in range(6)]
    assert "-o json" in many.stderr


def test_a_page_cannot_steer_the_terminal(local, site):
    url = f"{site.base}/evil/0"

    text = local("web.scrape", url, "-o", "text").stdout
    raw = local("web.scrape", url, "-o", "json").stdout

    assert "Tidy" in text
    assert not set("\x1b\x9b\u202e") & set(text)
    assert not set("\x1b\x9b") & set(raw)
    assert "\x9b31m" in json.loads(raw)["results"][0]["content"]


def test_letters_that_the_terminal_lacks_end_nothing(started, site):
    env = {**os.environ, "PYTHONIOENCODING": "latin-1", "VERBENA_ALLOW_NETWORKS": "127.0.0.1/32"}
    page = site.pages(1)[0]

    text, _ = started("call", "web.scrape", page, "--local", "-o", "text", env=env).communicate()
    raw, _ = started("call", "web.scrape", page, "--local", "-o", "json", env=env).communicate()

    assert "Sähkö ?? is electricity." in text.decode("latin-1")
    assert "Sähkö 電気 is electricity." in json.loads(raw)["results"][0]["content"]


def test_json_lines_are_one_row_each(local, site):
    result = local("web.scrape", *site.pages(7), "-o", "jsonl")

    assert [json.loads(line)["index"] for line in result.stdout.splitlines()] == list(range(7))


def test_a_wrong_field_is_a_usage_error_and_reads_nothing(local, site):
    result = local("web.scrape", site.pages(1)[0], "timeout=3")

    assert result.exit_code == 2
    assert "did you mean 'timeout_s'?" in result.stderr
    assert site.seen == []


def test_ctrl_c_keeps_the_rows_read_so_far(started, site):
    urls = [*site.pages(10), *site.pages(10, "held")]
    with Terminal() as terminal:
        process = started(
            "call", "web.scrape", *urls, "--local", "-o", "json", stderr=terminal.inside, env=terminal.env
        )
        terminal.wait_for("10/20")

        process.send_signal(signal.SIGINT)
        answer = json.loads(process.stdout.read())

        assert process.wait(20) == 1
        assert answer["error"]["code"] == "cancelled"
        assert [row["status"] for row in answer["results"]] == ["success"] * 10 + ["failed"] * 10
        assert "Interrupted" in terminal.wait_for("success, 10 failed")


def test_what_is_missing_to_run_verbs_here_is_named():
    without = "import sys; sys.modules['aiohttp'] = None; from verbena.doors.cli import main; main()"

    ran = subprocess.run(
        [sys.executable, "-c", without, "call", "web.scrape", "https://e.invalid", "--local"],
        capture_output=True,
        text=True,
    )

    assert ran.returncode == 1
    assert "'aiohttp' is not installed" in ran.stderr
    assert "pip install 'verbena[cli,html,pdf,server]'" in ran.stderr
