"""What a user does with the product, over HTTP alone: the same calls to a laptop and to a deployment."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from tests.contract.waiting import ended, until
from verbena.catalog import CATALOG

SCRAPE = "/v1/web/scrape"
MANY = 40


@pytest.fixture
def pages(page):
    """More addresses than are read within a request; each is an item of its own, and new to the target."""
    return [f"{page}?{uuid.uuid4().hex}" for _ in range(MANY)]


@pytest.fixture
def price(client):
    (price,) = {
        verb["price_micros"] for verb in client.get("/v1/verbs").json()["verbs"] if verb["name"] == "web.scrape"
    }
    return price


def wallet(client):
    told = client.get("/v1/wallet").json()
    return told["available_micros"], told["held_micros"]


def billed(client):
    """What the ledger's facts sum up to since yesterday; none of them leaves this span while a test runs."""
    since = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    return client.get("/v1/usage", params={"from": since}).json()["charge_micros"]


def rows(client, location):
    return client.get(location, params={"limit": 1000}).json()["results"]


def test_anybody_learns_that_the_service_answers(client):
    answer = client.get("/health", headers={"Authorization": ""})

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("headers", [{"Authorization": ""}, {"Authorization": "Bearer vb_nobody"}])
def test_nobody_calls_without_a_key(client, headers):
    answer = client.post(SCRAPE, json={"urls": ["https://e.invalid"]}, headers=headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_catalog_and_the_description_have_every_verb(client):
    verbs = {verb["name"]: verb["path"] for verb in client.get("/v1/verbs").json()["verbs"]}
    paths = client.get("/openapi.json").json()["paths"]

    assert verbs == {verb.name: verb.path for verb in CATALOG}
    assert set(verbs.values()) <= set(paths)


def test_a_page_is_read_within_the_request_and_paid_for(client, page, price):
    before, _ = wallet(client)

    answer = client.post(SCRAPE, json={"urls": [page, "ftp://e.invalid"]})

    assert answer.status_code == 200
    read, refused = answer.json()["results"]
    assert (read["status"], read["url"], read["metadata"]["http_status"]) == ("success", page, 200)
    assert read["content"]
    assert (refused["status"], refused["error"]["code"]) == ("failed", "invalid_url")
    assert answer.json()["usage"]["charge_micros"] == price
    assert wallet(client) == (before - price, 0)


def test_a_question_for_the_price_costs_nothing(client, pages, price):
    before = wallet(client)

    told = client.post(SCRAPE, json={"urls": pages, "dry_run": True}).json()

    assert told["meta"]["quote"] == {"units": {"web_crawl": MANY}, "max_charge_micros": MANY * price}
    assert told["results"] == []
    assert wallet(client) == before


def test_a_call_that_could_cost_more_than_its_bound_is_refused(client, pages, price):
    before = wallet(client)

    answer = client.post(SCRAPE, json={"urls": pages, "max_charge_micros": MANY * price - 1})

    assert (answer.status_code, answer.json()["error"]["code"]) == (402, "over_max_charge")
    assert wallet(client) == before


def test_a_call_sent_again_with_its_key_is_the_same_call(client, page, price):
    before, _ = wallet(client)
    headers = {"Idempotency-Key": uuid.uuid4().hex}

    first = client.post(SCRAPE, json={"urls": [page]}, headers=headers)
    again = client.post(SCRAPE, json={"urls": [page]}, headers=headers)
    other = client.post(SCRAPE, json={"urls": [page], "format": "text"}, headers=headers)

    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_mismatch")
    assert wallet(client) == (before - price, 0)


def test_a_job_has_every_row_in_order_page_by_page(client, pages, price):
    before, _ = wallet(client)

    answer = client.post(SCRAPE, json={"urls": pages})

    assert (answer.status_code, answer.json()["status"]) == (202, "pending")
    location = answer.headers["Location"]
    told = ended(client, location)
    assert told["progress"] == {"done": MANY, "total": MANY}
    seen, target = [], f"{location}?limit=15"
    while target:
        told = client.get(target).json()
        seen += told["results"]
        target = told.get("next")
    assert [(row["index"], row["url"], row["status"]) for row in seen] == [
        (index, url, "success") for index, url in enumerate(pages)
    ]
    assert wallet(client) == (before - MANY * price, 0)


def test_one_page_becomes_a_job_when_asked_and_the_list_shows_it(client, page):
    job = client.post(SCRAPE, json={"urls": [page], "async": True}).json()["job_id"]

    ended(client, f"/v1/jobs/{job}")

    (listed,) = [each for each in client.get("/v1/jobs").json()["jobs"] if each["job_id"] == job]
    assert (listed["verb"], listed["status"], listed["items"]) == ("web.scrape", "completed", 1)


def test_what_a_cancelled_job_left_is_resumed_and_nothing_is_paid_twice(client, pages, price):
    before, _ = wallet(client)
    location = client.post(SCRAPE, json={"urls": pages}).headers["Location"]

    cancelled = client.delete(location).json()
    resumed = client.post(f"{location}/resume")

    assert (cancelled["status"], cancelled["error"]["code"]) == ("completed", "cancelled")
    kept = {row["url"] for row in rows(client, location) if row["status"] == "success"}
    assert resumed.status_code in {200, 202}
    job = f"/v1/jobs/{resumed.json()['job_id']}"
    ended(client, job)
    assert [row["url"] for row in rows(client, job)] == [url for url in pages if url not in kept]
    assert wallet(client) == (before - MANY * price, 0)


def test_what_leaves_the_wallet_is_what_the_usage_shows(client, page, pages):
    (funds, _), charged = wallet(client), billed(client)

    client.post(SCRAPE, json={"urls": [page, "ftp://e.invalid"]})
    ended(client, client.post(SCRAPE, json={"urls": pages}).headers["Location"])

    spent = funds - wallet(client)[0]
    assert spent > 0
    assert until(lambda: billed(client) - charged, lambda shown: shown >= spent) == spent
