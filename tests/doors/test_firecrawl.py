"""Firecrawl's API as a door: what is refused and how, pages of a batch, and the bill."""

import uuid

import pytest

from verbena import runtime
from verbena.catalog import WEB_SCRAPE
from verbena.catalog.web import PageMetadata
from verbena.doors.access import authenticate
from verbena.doors.calling import run_at_once
from verbena.doors.firecrawl.documents import CODES, METADATA
from verbena.doors.http import HttpRequest
from verbena.errors import every_error
from verbena.providers import ProviderRow

BATCH = "/v2/batch/scrape"


@pytest.fixture
def batch(caller, site, work):
    """The answer of a batch that was started; nothing of it is worked yet."""
    return caller.post(BATCH, {"urls": [f"{site}/{number}" for number in range(13)]}).json


def path(batch, rest=""):
    return f"{BATCH}/{batch['id']}{rest}"


def test_an_error_is_a_sentence_with_a_code_and_what_a_program_can_act_on(caller):
    refused = caller.post("/v2/scrape", {"url": "https://example.com", "formats": ["summary"], "timout": 5})

    assert refused.status == 400
    assert refused.json.keys() == {"success", "code", "error", "details"}
    assert (refused.json["success"], refused.json["code"]) == (False, "BAD_REQUEST")
    assert "markdown, html, rawHtml, links, images" in refused.json["error"]
    assert refused.json["details"]["code"] == "invalid_input"
    assert [problem["field"] for problem in refused.json["details"]["fields"]] == ["formats.0", "timout"]


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("POST", "/v2/scrape"),
        ("POST", "/v2/search"),
        ("POST", BATCH),
        ("GET", f"{BATCH}/{uuid.uuid4()}"),
        ("GET", f"{BATCH}/{uuid.uuid4()}/errors"),
        ("DELETE", f"{BATCH}/{uuid.uuid4()}"),
    ],
)
def test_every_call_needs_a_key_and_its_scope(gateway, new_caller, method, target):
    """A40."""
    nobody = gateway.send(method, target, "{}")
    stranger = new_caller(scopes=("maps",)).send(method, target, "{}")

    assert (nobody.status, nobody.json["code"]) == (401, "unauthorized")
    assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
    assert (stranger.status, stranger.json["code"]) == (403, "forbidden")


@pytest.mark.parametrize("rest", ["", "/errors"])
def test_another_owners_batch_is_not_found(batch, new_caller, rest):
    """A40."""
    other = new_caller()

    assert other.get(path(batch, rest)).status == 404
    assert other.delete(path(batch)).status == 404


@pytest.mark.parametrize("target", ["x", str(uuid.uuid4()), "4c0ffee"])
def test_an_id_that_is_none_is_not_found(caller, target):
    assert caller.get(f"{BATCH}/{target}").status == 404


@pytest.fixture
def embedded(caller):
    """A provider that can serve maps, for who asks for a job must be told at once if nobody can."""
    here = runtime.current().providers
    row = here.put(ProviderRow("osm_extract", "osm_extract"))
    yield
    here.delete(row)


def test_a_job_of_another_verb_is_no_batch(caller, embedded):
    job = caller.post("/v1/maps/place", {"place_id": "osm:node/1", "async": True}).json["job_id"]

    assert caller.get(f"{BATCH}/{job}").status == 404


def test_a_batch_that_runs_is_scraping_and_leads_nowhere_until_there_is_more(caller, batch):
    told = caller.get(path(batch)).json

    assert (told["status"], told["completed"], told["total"]) == ("scraping", 0, 13)
    assert (told["data"], told["next"]) == ([], None)
    assert told["createdAt"] < told["expiresAt"]


def test_the_pages_of_a_batch_lead_through_all_documents_by_absolute_urls(caller, batch, work):
    work()
    told = caller.get(path(batch, "?limit=5")).json
    pages = [told]
    while told["next"]:
        assert told["next"].startswith("https://verbena.test/v2/batch/scrape/")
        told = caller.get(told["next"].removeprefix("https://verbena.test")).json
        pages.append(told)

    assert [len(page["data"]) for page in pages] == [5, 5, 3]
    assert {page["status"] for page in pages} == {"completed"}
    assert len({page["metadata"]["sourceURL"] for told in pages for page in told["data"]}) == 13
    assert told["completedAt"] > told["createdAt"]
    assert told["duration"] > 0


@pytest.mark.parametrize("query", ["skip=-1", "limit=0", "limit=many", "page=2"])
def test_a_page_that_is_none_is_refused(caller, batch, query):
    assert caller.get(path(batch, f"?{query}")).status == 400


def test_a_batch_in_html_is_told_in_html(caller, site, work):
    started = caller.post(BATCH, {"urls": [site], "formats": ["html", {"type": "links"}]}).json
    work()
    (page,) = caller.get(path(started)).json["data"]

    assert page["html"].startswith("<pre>")
    assert page["links"] == []
    assert "markdown" not in page


def test_what_cannot_be_honoured_is_said_with_every_document_of_a_batch(caller, site, work):
    started = caller.post(BATCH, {"urls": [site, f"{site}/2"], "mobile": True}).json
    work()
    told = caller.get(path(started)).json

    assert started["warning"].startswith("mobile: ")
    assert {told["warning"], *(page["warning"] for page in told["data"])} == {started["warning"]}


def test_what_was_not_tried_before_the_end_is_an_error_of_its_own(caller, batch):
    ended = caller.delete(path(batch))
    told = caller.get(path(batch)).json
    errors = caller.get(path(batch, "/errors")).json["errors"]

    assert (ended.status, ended.json["status"]) == (200, "cancelled")
    assert (told["status"], told["data"], told["creditsUsed"]) == ("cancelled", [], 0)
    assert len({error["id"] for error in errors}) == 13


def test_a_batch_that_is_over_cannot_be_cancelled(caller, batch, work):
    work()

    assert caller.delete(path(batch)).json["status"] == "completed"


def test_a_page_costs_what_it_costs_elsewhere_and_a_missing_one_nothing(caller, site):
    before, _ = caller.wallet
    caller.post("/v2/scrape", {"url": site})
    caller.post("/v2/scrape", {"url": f"{site}/missing"})

    assert caller.wallet == (before - 1_000, 0)


def test_a_scrape_sent_again_with_its_key_is_paid_once(caller, site):
    """D02."""
    before, _ = caller.wallet
    key = uuid.uuid4().hex

    first = caller.post("/v2/scrape", {"url": site}, x_idempotency_key=key)
    again = caller.post("/v2/scrape", {"url": site, "blockAds": True}, x_idempotency_key=key)
    other = caller.post("/v2/scrape", {"url": f"{site}/other"}, x_idempotency_key=key)

    assert first.json == again.json
    assert (other.status, other.json["code"]) == (409, "idempotency_mismatch")
    assert caller.wallet == (before - 1_000, 0)


def test_a_wallet_that_is_short_pays_for_no_batch(new_caller, site):
    poor = new_caller(funds=1_000)

    refused = poor.post(BATCH, {"urls": [site, f"{site}/2"]})

    assert (refused.status, refused.json["code"]) == (402, "insufficient_balance")
    assert refused.json["details"]["required_micros"] == 2_000


def test_a_rate_that_is_used_up_says_when_to_come_back(new_caller, site):
    hasty = new_caller(rate_limit="1/h")
    hasty.post("/v2/scrape", {"url": site})

    refused = hasty.post("/v2/scrape", {"url": site})

    assert (refused.status, refused.json["code"]) == (429, "too_many_requests")
    assert int(refused.headers["Retry-After"]) > 0


def test_a_url_without_a_scheme_is_read_by_http(caller, site):
    page = caller.post("/v2/scrape", {"url": site.removeprefix("http://")}).json

    assert page["data"]["metadata"]["sourceURL"] == site


def test_a_page_over_the_cap_says_where_it_is_whole(caller, site):
    page = caller.post("/v2/scrape", {"url": f"{site}/big", "formats": ["markdown", "html", "rawHtml"]}).json["data"]

    assert "/v1/jobs/" in page["warning"]
    assert page["markdown"]


def test_no_key_of_a_body_is_taken_for_an_option_of_ours(caller, site):
    for name in ("async", "dry_run", "urls", "only_main_content", "respect_robots"):
        assert caller.post("/v2/scrape", {"url": site, name: True}).status == 400


def test_what_is_not_done_in_the_request_is_cancelled_and_not_paid(caller, site):
    here = runtime.current()
    request = HttpRequest("", "POST", "/", {"x-api-key": caller.key}, {}, {}, "", is_base64=False, request_id="r")
    before = caller.wallet

    answered = run_at_once(
        WEB_SCRAPE, {"urls": [f"{site}/{n}" for n in range(21)]}, authenticate(request, here), request, here
    )

    assert answered.status == "completed"
    assert {row["error"]["code"] for row in answered.results} == {"not_attempted"}
    assert len(answered.results) == 21
    assert caller.wallet == before


def test_every_word_that_is_translated_is_one_of_ours():
    assert CODES.keys() <= {error.code for error in every_error()}
    assert METADATA.keys() <= PageMetadata.model_fields.keys()
