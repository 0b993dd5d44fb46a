"""The deployed product under load, through its front door: gateway, functions, queues and workers as they are."""

import json
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from verbena.aws.keys import ApiKey, Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.table import Table

SCRAPE = "/v1/web/scrape"
FUNDS = 1_000_000
LOGS = "FunctionLogs"
# Each of them takes a function of its own, which starts cold; the crowds are in tests/races.
AT_ONCE = 8


@pytest.fixture
def new_client(stack):
    """Makes HTTP clients of new owners with some funds."""
    dynamodb, outputs = stack.client("dynamodb"), stack.deployment.outputs
    clients = []

    def make(funds=FUNDS):
        owner, secret = uuid.uuid4().hex, f"vb_canary_{uuid.uuid4().hex}"
        Keys(Table(dynamodb, outputs["ConfigTable"])).put(secret, ApiKey(owner, owner, ("web", "jobs")))
        LedgerTable(Table(dynamodb, outputs["LedgerTable"])).top_up(owner, funds)
        headers = {"Authorization": f"Bearer {secret}"}
        clients.append(httpx.Client(base_url=stack.base_url, headers=headers, timeout=40))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


def at_once(count, function):
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(function, range(count)))


def wallet(client):
    told = client.get("/v1/wallet").json()
    return told["available_micros"], told["held_micros"]


def finished(client, location, timeout_s=60):
    """The view of a job once it is completed, and how far it was on the way."""
    deadline, seen = time.monotonic() + timeout_s, []
    while True:
        told = client.get(location).json()
        seen.append(told["progress"]["done"])
        if told["status"] == "completed":
            return told, seen
        assert time.monotonic() < deadline, told
        time.sleep(0.05)


def test_requests_at_once_spend_a_wallet_to_the_last_micro(new_client, site):
    client = new_client(funds=3000)

    answers = at_once(AT_ONCE, lambda n: client.post(SCRAPE, json={"urls": [f"{site}/{n}"]}).status_code)

    assert Counter(answers) == {200: 3, 402: AT_ONCE - 3}
    assert wallet(client) == (0, 0)
    assert client.get("/v1/usage").json()["charge_micros"] == 3000


def test_requests_at_once_with_one_key_are_billed_once(new_client, site):
    client = new_client()
    headers = {"Idempotency-Key": "k"}

    answers = at_once(AT_ONCE, lambda _: client.post(SCRAPE, json={"urls": [f"{site}/1"]}, headers=headers))

    done = {answer.text for answer in answers if answer.status_code == 200}
    refused = [answer for answer in answers if answer.status_code != 200]
    assert len(done) == 1
    assert {answer.json()["error"]["code"] for answer in refused} <= {"in_progress"}
    assert {answer.headers["Retry-After"] for answer in refused} <= {"1"}
    assert wallet(client) == (FUNDS - 1000, 0)


def test_a_job_of_two_hundred_moves_ends_and_adds_up(new_client, site):
    client = new_client()
    urls = [f"{site}/{'missing' if n % 20 == 3 else 'page'}/{n}" for n in range(200)]

    pending = client.post(SCRAPE, json={"urls": urls})
    told, seen = finished(client, pending.headers["Location"])

    assert pending.status_code == 202
    assert told["progress"] == {"done": 200, "total": 200}
    assert seen == sorted(seen)
    rows = client.get(pending.headers["Location"], params={"limit": 1000}).json()["results"]
    assert [(row["index"], row["url"]) for row in rows] == list(enumerate(urls))
    assert Counter(row["status"] for row in rows) == {"success": 190, "failed": 10}
    assert told["usage"]["charge_micros"] == 190_000
    assert client.get("/v1/usage").json()["charge_micros"] == 190_000
    assert wallet(client) == (FUNDS - 190_000, 0)


def test_a_kept_page_is_free_in_the_request_and_in_a_job_and_all_accounts_agree(new_client, site):
    client = new_client()
    urls = [f"{site}/{number}" for number in range(12)]

    first = client.post(SCRAPE, json={"urls": urls[:3], "max_age_s": 600}).json()
    again = client.post(SCRAPE, json={"urls": urls[:3], "max_age_s": 600}).json()
    job = client.post(SCRAPE, json={"urls": urls * 2, "max_age_s": 600, "async": True}).headers["Location"]
    told, _ = finished(client, job)

    assert [answer["usage"]["charge_micros"] for answer in (first, again, told)] == [3000, 0, 9000]
    rows = client.get(f"{job}?limit=100").json()["results"]
    kept = [row["index"] % 12 for row in rows if row["metadata"]["cache_age_s"] is not None]
    assert kept == [0, 1, 2, 0, 1, 2]
    assert client.get("/v1/usage").json()["charge_micros"] == 12_000
    assert wallet(client) == (FUNDS - 12_000, 0)


def test_a_pdf_is_read_by_the_function_as_it_is_deployed(new_client, site):
    (row,) = new_client().post(SCRAPE, json={"urls": [f"{site}/notice"]}).json()["results"]

    assert (row["content"], row["metadata"]["pages"]) == ("Berth 4 is closed.", 1)


def test_a_job_cancelled_while_workers_work_bills_the_rows_it_keeps(new_client, site):
    client = new_client()
    location = client.post(SCRAPE, json={"urls": [f"{site}/{n}" for n in range(1000)]}).headers["Location"]
    while not client.get(location).json()["progress"]["done"]:
        time.sleep(0.02)

    told = client.delete(location).json()

    assert (told["status"], told["error"]["code"]) == ("completed", "cancelled")
    rows = client.get(location, params={"limit": 1000}).json()["results"]
    kept = [row["status"] for row in rows].count("success")
    assert [row["index"] for row in rows] == list(range(1000))
    assert {row["error"]["code"] for row in rows if row["status"] == "failed"} == {"not_attempted"}
    assert 0 < kept < 1000
    assert wallet(client) == (FUNDS - 1000 * kept, 0)


def test_a_body_sent_as_bytes_comes_through_the_gateway(new_client, site):
    client = new_client()
    body = json.dumps({"urls": [f"{site}/caf\u00e9"]}, ensure_ascii=False).encode()

    answer = client.post(SCRAPE, content=body, headers={"Content-Type": "application/octet-stream"})

    assert answer.json()["results"][0]["url"] == f"{site}/caf\u00e9"


def test_a_big_answer_comes_through_the_gateway_whole(new_client, site):
    client = new_client()

    answer = client.post(SCRAPE, json={"urls": [f"{site}/big/{n}" for n in range(2)]})

    assert answer.headers["Content-Type"] == "application/json"
    assert len(answer.content) > 3_000_000
    assert {len(row["content"]) for row in answer.json()["results"]} == {1_600_000}


def test_a_body_of_three_megabytes_is_refused_and_nothing_is_held(new_client):
    client = new_client()

    answer = client.post(SCRAPE, json={"urls": ["https://e.invalid/" + "x" * 3_000_000]})

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "request_too_large")
    assert wallet(client) == (FUNDS, 0)


def test_no_function_ever_logs_a_key(new_client, stack, site):
    client = new_client()
    key = client.headers["Authorization"].removeprefix("Bearer ")
    for answer in (
        client.post(SCRAPE, json={"urls": [f"{site}/1"]}),
        client.post(SCRAPE, content=key),
        client.post(SCRAPE, json={"urls": [f"{site}/1"], "idempotency_key": key, "max_chars": key}),
        client.get("/v1/nowhere"),
        client.get("/v1/wallet", headers={"X-API-Key": key, "Authorization": ""}),
    ):
        assert key not in answer.text
    finished(client, client.post(SCRAPE, json={"urls": [site], "async": True}).headers["Location"])

    group = stack.deployment.physical[LOGS]
    paginator = stack.client("logs").get_paginator("filter_log_events")
    lines = [event["message"] for page in paginator.paginate(logGroupName=group) for event in page["events"]]
    assert any('"path":"/v1/nowhere"' in line for line in lines)
    assert any('"part_id":"0000"' in line for line in lines)
    assert not any(key in line for line in lines)
