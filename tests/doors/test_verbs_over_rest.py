"""A verb over REST: one envelope, money to the micro, one answer for one key."""

import base64
import json

import pytest

from tests.doors.conftest import FUNDS

SCRAPE = "/v1/web/scrape"


def test_three_urls_are_answered_at_once(caller, site):
    answer = caller.scrape([f"{site}/1", f"{site}/missing", f"{site}/3"])

    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    told = answer.json
    assert told.keys() == {"status", "results", "usage"}
    assert [(row["url"], row["index"], row["status"]) for row in told["results"]] == [
        (f"{site}/1", 0, "success"),
        (f"{site}/missing", 1, "failed"),
        (f"{site}/3", 2, "success"),
    ]
    assert told["results"][0]["content"] == "A page at /1."
    assert told["results"][1]["error"]["code"] == "page_not_found"
    assert told["usage"] == {
        "units": {"web_crawl": 2},
        "charge_micros": 2000,
        "vendor_cost_micros": None,
        "unknown_costs": 0,
    }
    assert caller.wallet == (FUNDS - 2000, 0)


def test_every_answer_carries_its_request_id(caller, gateway, site):
    ids = {answer.headers["X-Request-Id"] for answer in (caller.scrape([site]), caller.get("/x"), caller.scrape([]))}

    assert len(ids) == 3


def test_one_page_given_twice_is_read_and_billed_once_and_has_two_rows(caller, site):
    twice = [f"{site}/same", f"{site}/same#part", f"{site.replace('http', 'HTTP')}/same"]

    rows = caller.scrape(twice).json["results"]

    assert [row["url"] for row in rows] == twice
    assert [row["index"] for row in rows] == [0, 1, 2]
    assert {row["status"] for row in rows} == {"success"}
    assert caller.wallet == (FUNDS - 1000, 0)


def test_a_list_may_come_as_its_json_text(caller, site):
    answer = caller.post(SCRAPE, {"urls": json.dumps([f"{site}/1", f"{site}/2"])})

    assert [row["content"] for row in answer.json["results"]] == ["A page at /1.", "A page at /2."]


def test_a_body_in_base64_is_the_same_body(gateway, caller, site):
    body = json.dumps({"urls": [f"{site}/caf\u00e9"]}, ensure_ascii=False).encode()

    answer = gateway.send("POST", SCRAPE, base64.b64encode(body).decode(), {"X-API-Key": caller.key}, is_base64=True)

    assert answer.json["results"][0]["url"] == f"{site}/caf\u00e9"


def test_a_dry_run_says_the_most_it_can_cost_and_reads_nothing(caller):
    answer = caller.scrape(["https://e.invalid/1", "https://e.invalid/2", "https://e.invalid/2"], dry_run=True)

    assert answer.status == 200
    assert answer.json == {
        "status": "completed",
        "results": [],
        "meta": {"quote": {"units": {"web_crawl": 2}, "max_charge_micros": 2000}},
    }
    assert caller.wallet == (FUNDS, 0)


@pytest.mark.parametrize(("most", "status"), [(1999, 402), (2000, 200)])
def test_a_call_that_could_cost_more_than_its_bound_is_refused(caller, site, most, status):
    answer = caller.scrape([f"{site}/1", f"{site}/2"], max_charge_micros=most)

    assert answer.status == status
    if status == 402:
        assert answer.code == "over_max_charge"
        assert answer.json["error"]["details"] == {"required_micros": 2000, "max_charge_micros": 1999}
        assert caller.wallet == (FUNDS, 0)


def test_a_batch_above_the_balance_is_refused_whole(new_caller, site):
    poor = new_caller(funds=2999)

    answer = poor.scrape([f"{site}/{n}" for n in range(3)])

    assert (answer.status, answer.code) == (402, "insufficient_balance")
    assert answer.json["error"]["details"] == {"balance_micros": 2999, "required_micros": 3000}
    assert poor.wallet == (2999, 0)


def test_an_owner_without_a_wallet_is_told_so(new_caller, site):
    assert new_caller(funds=0).scrape([site]).status == 402


def test_with_partial_what_the_balance_covers_is_read_and_the_rest_has_its_rows(new_caller, site):
    poor = new_caller(funds=2999)

    answer = poor.scrape([f"{site}/{n}" for n in range(4)], partial=True)

    rows = answer.json["results"]
    assert [row["status"] for row in rows] == ["success", "success", "failed", "failed"]
    assert {row["error"]["code"] for row in rows[2:]} == {"insufficient_balance"}
    assert poor.wallet == (999, 0)


def test_a_call_repeated_with_its_key_is_answered_alike_and_billed_once(caller, site):
    headers = {"Idempotency-Key": "k"}

    first, again = (caller.post(SCRAPE, {"urls": [f"{site}/1"]}, **headers) for _ in range(2))

    assert again.body == first.body
    assert caller.wallet == (FUNDS - 1000, 0)


def test_the_key_in_the_header_wins_over_the_one_in_the_body(caller, site):
    body = {"urls": [f"{site}/1"]}
    first = caller.post(SCRAPE, body | {"idempotency_key": "mine"}, Idempotency_Key="theirs")

    in_header = caller.post(SCRAPE, body, Idempotency_Key="theirs")
    in_body = caller.post(SCRAPE, body | {"idempotency_key": "mine"})

    assert in_header.body == first.body
    assert in_body.status == 200
    assert caller.wallet == (FUNDS - 2000, 0)


def test_an_empty_key_in_the_header_is_refused_by_name(caller, site):
    answer = caller.post(SCRAPE, {"urls": [site]}, Idempotency_Key="")

    assert answer.json["error"]["details"]["fields"][0]["field"] == "idempotency_key"


def test_a_body_that_means_the_same_is_the_same_and_another_is_refused(caller, site):
    url = f"{site}/1"
    first = caller.post(SCRAPE, {"urls": [url], "format": "text"}, Idempotency_Key="k")

    same = caller.send("POST", SCRAPE, f'{{"max_chars":null, "format":"text","urls":["{url}"]}}', Idempotency_Key="k")
    other = caller.post(SCRAPE, {"urls": [url]}, Idempotency_Key="k")

    assert same.body == first.body
    assert (other.status, other.code) == (409, "idempotency_mismatch")
    assert caller.wallet == (FUNDS - 1000, 0)


def test_a_call_whose_result_was_refused_leaves_its_key_free(new_caller, site):
    poor = new_caller(funds=0)
    assert poor.post(SCRAPE, {"urls": [site]}, Idempotency_Key="k").status == 402
    rich = new_caller(owner=poor.owner)

    assert rich.post(SCRAPE, {"urls": [site]}, Idempotency_Key="k").status == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/web/discover", {"query": "verbena"}),
        ("/v1/maps/search", {"query": "cafe", "location": "Helsinki"}),
        ("/v1/maps/place", {"place_id": "osm:node/1"}),
        ("/v1/maps/reviews", {"place": "osm:node/1"}),
    ],
)
def test_a_verb_without_providers_says_so_and_bills_nothing(caller, path, body):
    answer = caller.post(path, body)

    assert (answer.status, answer.code) == (503, "NO_PROVIDERS_CONFIGURED")
    assert caller.wallet == (FUNDS, 0)


def test_with_billing_off_nothing_is_held_charged_or_refused_and_facts_are_written(changed, new_caller, site):
    with changed(VERBENA_BILLING="off"):
        poor = new_caller(funds=0)

        told = poor.scrape([f"{site}/1", f"{site}/missing"]).json
        usage = poor.get("/v1/usage").json

    assert told["usage"] == {
        "units": {"web_crawl": 1},
        "charge_micros": 0,
        "vendor_cost_micros": None,
        "unknown_costs": 0,
    }
    assert poor.wallet == (0, 0)
    assert [(line["verb"], line["units"], line["charge_micros"]) for line in usage["days"]] == [
        ("web.scrape", {"web_crawl": 1}, 0)
    ]


def test_other_prices_are_held_and_charged(changed, new_caller, site):
    with changed(VERBENA_PRICES='{"web_crawl": 7}'):
        caller = new_caller()

        assert caller.scrape([f"{site}/1", f"{site}/2"]).json["usage"]["charge_micros"] == 14
        assert caller.wallet == (FUNDS - 14, 0)
