"""Tavily's API as a door: keys, errors and the bill."""

import pytest


@pytest.mark.parametrize(("target", "body"), [("/search", {"query": "x"}), ("/extract", {"urls": "https://e.invalid"})])
def test_every_call_needs_a_key_and_its_scope(gateway, new_caller, target, body):
    """A40."""
    nobody = gateway.send("POST", target, "{}")
    stranger = new_caller(scopes=("maps", "jobs")).post(target, body)

    assert (nobody.status, nobody.json["detail"]["code"]) == (401, "unauthorized")
    assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
    assert (stranger.status, stranger.json["detail"]["code"]) == (403, "forbidden")


def test_a_key_in_the_body_opens_too_and_is_no_option(gateway, caller, site):
    body = f'{{"api_key": "{caller.key}", "urls": ["{site}"]}}'

    (page,) = gateway.send("POST", "/extract", body).json["results"]

    assert page["url"] == site


@pytest.mark.parametrize("body", ["", "[]", "{", '{"api_key": 7}'])
def test_a_body_that_is_none_is_refused(gateway, caller, body):
    refused = gateway.send("POST", "/search", body, {"Authorization": f"Bearer {caller.key}"})

    assert refused.status == 400
    assert refused.json["detail"]["error"]


def test_a_search_that_nobody_can_serve_says_so(caller):
    """Some clients write every option, those that are not set as null or as an empty text."""
    refused = caller.post("/search", {"query": "harbour", "country": None, "time_range": "", "include_domains": []})

    assert (refused.status, refused.json["detail"]["code"]) == (503, "NO_PROVIDERS_CONFIGURED")


def test_pages_cost_what_they_cost_elsewhere_and_those_that_fail_nothing(caller, site):
    before, _ = caller.wallet

    found = caller.post("/extract", {"urls": [site, f"{site}/missing", site]}).json

    assert (len(found["results"]), len(found["failed_results"])) == (2, 1)
    assert caller.wallet == (before - 1_000, 0)


def test_a_call_sent_again_with_its_key_is_paid_once(caller, site):
    """D02."""
    before, _ = caller.wallet

    first = caller.post("/extract", {"urls": [site]}, idempotency_key="k")
    again = caller.post("/extract", {"urls": [site]}, idempotency_key="k")
    other = caller.post("/extract", {"urls": [f"{site}/2"]}, idempotency_key="k")

    assert first.json["results"] == again.json["results"]
    assert (other.status, other.json["detail"]["code"]) == (409, "idempotency_mismatch")
    assert caller.wallet == (before - 1_000, 0)


def test_pages_that_fill_the_answer_are_cut_or_left_and_both_are_said(caller, site):
    urls = [f"{site}/big/{number}" for number in range(6)]

    found = caller.post("/extract", {"urls": urls}).json

    told = [page["url"] for page in [*found["results"], *found["failed_results"]]]
    assert told == urls
    assert 0 < len(found["failed_results"]) < 6
    *cut, rest = found["warnings"]
    assert len(cut) == len(found["results"])
    assert all("/v1/jobs/" in warning for warning in [*cut, rest])
