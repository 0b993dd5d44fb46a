"""A job over REST, from 202 to its last row."""

import base64
import json
from urllib.parse import urlsplit

import pytest
from pydantic_core import to_json

from tests.doors.conftest import FUNDS
from tests.doors.gateway import HOST
from verbena import settings
from verbena.doors.http import HttpAnswer

LAMBDA_TAKES_BYTES = 6_291_556


def relative(url):
    """The path and query of an absolute URL of this API."""
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc) == ("https", HOST)
    return f"{parts.path}?{parts.query}".rstrip("?")


@pytest.fixture
def urls(site):
    return [f"{site}/{'missing' if n % 10 == 7 else 'page'}/{n}" for n in range(25)]


def pages(caller, target):
    while target:
        told = caller.get(relative(target)).json
        yield told
        target = told.get("next")


def test_a_big_call_is_a_job_that_says_where_it_is(caller, urls):
    answer = caller.scrape(urls)

    told = answer.json
    assert (answer.status, told["status"]) == (202, "pending")
    assert answer.headers["Location"] == f"https://{HOST}/v1/jobs/{told['job_id']}"
    assert told["progress"] == {"done": 0, "total": 25}
    assert "results" not in told
    assert caller.wallet == (FUNDS - 25_000, 25_000)


def test_a_worked_job_has_every_row_in_order_page_by_page(caller, urls, work):
    location = caller.scrape(urls).headers["Location"]

    work()

    told = caller.get(relative(location)).json
    assert told["status"] == "completed"
    assert told["progress"] == {"done": 25, "total": 25}
    assert told["usage"]["units"] == {"web_crawl": 23}
    seen = list(pages(caller, told["next"].replace("limit=100", "limit=7")))
    rows = [row for page in seen for row in page["results"]]
    assert [len(page["results"]) for page in seen] == [7, 7, 7, 4]
    assert [(row["index"], row["url"]) for row in rows] == list(enumerate(urls))
    assert [row["index"] for row in rows if row["status"] == "failed"] == [7, 17]
    assert caller.wallet == (FUNDS - 23_000, 0)


def test_links_are_built_from_the_host_and_scheme_the_caller_used(caller, urls):
    answer = caller.send(
        "POST", "/v1/web/scrape", json.dumps({"urls": urls}), Host="verbena.example:8443", X_Forwarded_Proto="http"
    )

    assert answer.headers["Location"].startswith("http://verbena.example:8443/v1/jobs/")
    assert answer.json["next"].startswith("http://verbena.example:8443/v1/jobs/")


def test_the_view_of_the_biggest_job_is_under_two_kilobytes(caller):
    answer = caller.scrape([f"https://e.invalid/{n}" for n in range(10_000)], dry_run=False, partial=True)
    job = answer.json["job_id"]
    viewed = [caller.get(f"/v1/jobs/{job}"), caller.delete(f"/v1/jobs/{job}"), caller.get(f"/v1/jobs/{job}")]

    assert answer.status == 202
    assert max(len(each.body) for each in [answer, *viewed]) < 2048


def test_while_a_job_is_pending_its_finished_prefix_can_be_read(caller, urls, work):
    told = caller.scrape(urls).json
    target = f"/v1/jobs/{told['job_id']}?limit=100"
    assert caller.get(target).json["results"] == []

    work(most=2)
    part_way = caller.get(target).json
    work()

    assert part_way["status"] == "pending"
    assert [row["index"] for row in part_way["results"]] == list(range(len(part_way["results"])))
    assert part_way["next"].endswith(f"cursor={len(part_way['results'])}")
    done = list(pages(caller, part_way["next"]))
    assert len(part_way["results"]) + sum(len(page["results"]) for page in done) == 25


def test_reading_beyond_the_end_is_an_empty_page_without_a_next(caller, urls, work):
    job = caller.scrape(urls).json["job_id"]
    work()

    told = caller.get(f"/v1/jobs/{job}?limit=5&cursor=25").json

    assert told["results"] == []
    assert "next" not in told


def test_a_cancelled_job_ends_at_once_keeps_its_rows_and_gives_the_rest_back(caller, urls, work):
    job = caller.scrape(urls).json["job_id"]

    answer = caller.delete(f"/v1/jobs/{job}")
    again = caller.delete(f"/v1/jobs/{job}")
    work()

    assert (answer.status, again.status) == (200, 200)
    assert answer.json["error"]["code"] == "cancelled"
    told = caller.get(f"/v1/jobs/{job}?limit=100").json
    assert told["progress"] == {"done": 25, "total": 25}
    assert {row["error"]["code"] for row in told["results"]} == {"not_attempted"}
    assert [row["index"] for row in told["results"]] == list(range(25))
    assert caller.wallet == (FUNDS, 0)


def test_cancelling_a_completed_job_changes_nothing(caller, urls, work):
    job = caller.scrape(urls).json["job_id"]
    work()
    before = caller.get(f"/v1/jobs/{job}?limit=100").body

    assert caller.delete(f"/v1/jobs/{job}").status == 200

    assert caller.get(f"/v1/jobs/{job}?limit=100").body == before


def test_what_failed_or_was_not_attempted_is_resumed_as_a_new_job(caller, urls, work):
    job = caller.scrape([*urls, "javascript:alert(1)"]).json["job_id"]
    pending = caller.post(f"/v1/jobs/{job}/resume")
    work()

    answer = caller.post(f"/v1/jobs/{job}/resume")
    again = caller.post(f"/v1/jobs/{job}/resume")
    work()

    assert (pending.status, pending.code) == (409, "not_completed")
    assert (answer.status, answer.json["progress"]["total"]) == (202, 2)
    assert again.json["job_id"] == answer.json["job_id"] != job
    listed = {each["job_id"]: each for each in caller.get("/v1/jobs").json["jobs"]}
    assert listed[answer.json["job_id"]]["resumed_from"] == job
    rows = caller.get(f"/v1/jobs/{answer.json['job_id']}?limit=10").json["results"]
    assert [row["url"] for row in rows] == [urls[7], urls[17]]
    assert caller.wallet == (FUNDS - 23_000, 0)


def test_a_job_of_successes_leaves_nothing_to_resume(caller, site, work):
    job = caller.scrape([f"{site}/1"], **{"async": True}).json["job_id"]
    work()

    answer = caller.post(f"/v1/jobs/{job}/resume")

    assert (answer.status, answer.code) == (409, "nothing_to_resume")


def test_jobs_are_listed_newest_first_page_by_page(caller):
    made = [caller.scrape(["https://e.invalid"], **{"async": True}).json["job_id"] for _ in range(5)]

    first = caller.get("/v1/jobs?limit=2").json
    second = caller.get(relative(first["next"])).json
    last = caller.get(relative(second["next"])).json

    listed = [job["job_id"] for page in (first, second, last) for job in page["jobs"]]
    assert sorted(listed) == sorted(made)
    moments = [job["created_at"] for page in (first, second, last) for job in page["jobs"]]
    assert moments == sorted(moments, reverse=True)
    assert last["next"] is None


def test_a_repeated_key_finds_the_job_pending_and_then_its_rows(caller, urls, work):
    def send():
        return caller.post("/v1/web/scrape", {"urls": urls}, Idempotency_Key="k")

    first, again = send(), send()
    work()
    done = send()

    assert (first.status, again.status, done.status) == (202, 202, 200)
    assert first.json["job_id"] == again.json["job_id"] == done.json["job_id"]
    assert [row["index"] for row in done.json["results"]] == list(range(25))
    assert caller.wallet == (FUNDS - 23_000, 0)


def test_rows_over_the_cap_are_cut_and_whole_where_they_say(caller, site):
    answer = caller.scrape([f"{site}/big/{n}" for n in range(4)])

    told = answer.json
    assert (answer.status, told["status"]) == (200, "completed")
    assert len(answer.body) < 6 * 1024 * 1024
    row = told["results"][1]
    assert row["truncated"] is True
    assert len(json.dumps(row)) <= 1024 * 1024
    whole = caller.get(row["content_ref"])
    assert len(whole.json["content"]) > len(row["content"])
    assert whole.json["content"].startswith(row["content"])
    assert whole.json["index"] == 1
    part = caller.get(row["content_ref"], Range="bytes=10-19")
    assert (part.status, part.body) == (206, whole.body[10:20])
    assert part.headers["Content-Range"] == f"bytes 10-19/{len(whole.body)}"
    assert caller.get(row["content_ref"], Range=f"bytes={'9' * 5000}-").body == whole.body
    assert caller.wallet == (FUNDS - 4000, 0)


def test_a_row_that_is_not_there_is_not_found(caller, urls):
    job = caller.scrape(urls).json["job_id"]

    for index in ("0", "25", "-1", "x", "9999999", "\u0661"):
        assert caller.get(f"/v1/jobs/{job}/rows/{index}").status == 404


@pytest.mark.parametrize("text", ["x", '"', "\n", "\u4f8b", "\U0001f600"])
@pytest.mark.parametrize("size", [settings.ANSWER_CAP_BYTES, settings.ANSWER_CAP_BYTES // 2])
def test_no_answer_is_more_than_lambda_hands_on_whatever_it_says(text, size):
    body = to_json([text])
    body = to_json([text * (size // (len(body) - 4))])

    event = HttpAnswer(200, body).event("id")

    # As Lambda's runtime for Python 3.13 writes it.
    assert len(json.dumps(event, ensure_ascii=False).encode()) < LAMBDA_TAKES_BYTES
    told = base64.b64decode(event["body"]) if event["isBase64Encoded"] else event["body"].encode()
    assert told == body
