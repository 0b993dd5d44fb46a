"""The operator's door to providers, and searches through it, on the running stack."""

import json
import time
import uuid

import httpx
import pytest

from tests.doubles import running
from verbena.aws.keys import ApiKey, Keys
from verbena.aws.table import Table
from verbena.providers import Driver

CANARY = "canary-key-9907"


@pytest.fixture
def name(api):
    """A provider's name that no other test uses; gone afterwards."""
    unique = f"p{uuid.uuid4().hex[:8]}"
    yield unique
    api.delete(f"/v1/admin/providers/{unique}")


@pytest.fixture
def brave(api, name):
    """A provider of the driver brave that asks a vendor on this machine."""
    with running("brave") as vendor:
        body = {"driver": "brave", "secrets": vendor.key, "config": {"base_url": vendor.base_url}, "priority": 9_000}
        assert api.put(f"/v1/admin/providers/{name}", json=body).status_code == 200
        yield vendor


def search(api, **body):
    return api.post("/v1/web/discover", json={"query": "harbour"} | body)


def listed(api):
    return {provider["name"]: provider for provider in api.get("/v1/admin/providers").json()["providers"]}


def test_a_search_is_served_by_the_provider_that_was_set(api, brave, name):
    """The whole way: REST, the table, KMS, the engine, a vendor's own checks of what it is asked."""
    answer = search(api, provider=name, top_k=3).json()

    assert answer["status"] == "completed", answer
    assert len(answer["results"]) == 3
    assert {hit["provider"] for hit in answer["results"]} == {name}
    assert answer["attempts"][0] | {"ms": 0} == {"provider": name, "driver": "brave", "ok": True, "ms": 0, "hits": 3}
    assert answer["usage"]["units"] == {"web_search": 1}
    assert answer["usage"]["vendor_cost_micros"] is None
    assert answer["usage"]["unknown_costs"] == 1
    assert not brave.refusals


def test_a_search_as_a_job_has_the_same_rows(api, brave, name):
    """A11: a job only because it was asked for."""
    job = search(api, provider=name, top_k=2, **{"async": True}).json()
    assert job["status"] == "pending"

    deadline = time.monotonic() + 60
    while (answer := api.get(f"/v1/jobs/{job['job_id']}", params={"limit": 10}).json())["status"] == "pending":
        assert time.monotonic() < deadline, answer

    assert [hit["provider"] for hit in answer["results"]] == [name, name]
    assert answer["attempts"][0]["ok"]


def test_a_secret_is_written_and_never_read_back(api, name):
    """C17, B08."""
    body = {"driver": "brave", "secrets": {"BRAVE_SEARCH_API_KEY": CANARY}}
    made = api.put(f"/v1/admin/providers/{name}", json=body)
    seen = api.get("/v1/admin/providers")

    assert made.json()["credential"] == "stored"
    assert made.json()["available"] is True
    assert CANARY not in made.text + seen.text


def test_a_provider_without_its_secret_says_what_it_lacks(api, name):
    """C17."""
    made = api.put(f"/v1/admin/providers/{name}", json={"driver": "brave"}).json()

    assert made["available"] is False
    assert "BRAVE_SEARCH_API_KEY" in made["unavailable_reason"]
    assert search(api, provider=name).json()["error"]["code"] == "PROVIDER_UNAVAILABLE"


def test_a_change_keeps_the_secret_and_the_name(api, brave, name):
    made = api.put(f"/v1/admin/providers/{name.upper()}", json={"driver": "brave", "status": "pending"}).json()

    assert (made["name"], made["status"], made["credential"]) == (name, "pending", "stored")
    refused = search(api, provider=name)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "PROVIDER_NOT_ACTIVE")


def test_the_usual_providers_stand_in_the_usual_order(api):
    """C31, C17."""
    providers = listed(api)

    order = ["brave", "tavily", "perplexity", "google_cse", "exa", "serper", "searxng", "linkup", "baidu", "duckduckgo"]
    usual = [each for each in providers if each in order]
    assert usual == order
    assert [providers[each]["priority"] for each in order] == [10, 20, 30, 40, 50, 60, 70, 75, 80, 90]
    assert providers["google_cse"]["status"] == "pending"


def test_drivers_are_listed_once_with_what_they_can_and_need(api):
    """C17, C24: and nothing of it is in a row (C03)."""
    drivers = api.get("/v1/admin/drivers").json()["drivers"]

    names = [(driver["driver"], driver["verb"]) for driver in drivers]
    assert len(names) == len(set(names))
    brave = next(driver for driver in drivers if driver["driver"] == "brave")
    assert brave["needs"] == ["BRAVE_SEARCH_API_KEY"]
    assert "region" in brave["can"]
    assert brave["most"] == 20
    assert {"can", "needs"} <= set(Driver.__dataclass_fields__)


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("fine", {"driver": "nobody"}, "driver"),
        ("fine", {}, "driver"),
        ("fine", {"driver": "brave", "priority": -1}, "priority"),
        ("fine", {"driver": "brave", "secrets": {"OTHER": "x"}}, "secrets.OTHER"),
        ("fine", {"driver": "brave", "config": "text"}, "config"),
        ("fine", {"driver": "brave", "can": []}, "can"),
        ("%20", {"driver": "brave"}, "name"),
    ],
)
def test_a_provider_that_is_wrong_is_refused_by_its_field(api, path, body, field):
    refused = api.put(f"/v1/admin/providers/{path}", json=body)

    assert refused.status_code == 422
    assert [problem["field"] for problem in refused.json()["error"]["details"]["fields"]] == [field]
    assert "fine" not in listed(api)


def test_only_a_key_with_the_scope_opens_this_door(stack, api):
    """A40, C01."""
    secret = f"vb_{uuid.uuid4().hex}"
    table = Table(stack.client("dynamodb"), stack.deployment.outputs["ConfigTable"])
    Keys(table).put(secret, ApiKey(uuid.uuid4().hex, "plain", ("web", "jobs")))
    with httpx.Client(base_url=stack.base_url, headers={"X-API-Key": secret}, timeout=40) as plain:
        for answer in (
            plain.get("/v1/admin/providers"),
            plain.put("/v1/admin/providers/x", json={"driver": "brave"}),
            plain.delete("/v1/admin/providers/brave"),
            search(plain, provider="brave"),
        ):
            assert answer.status_code == 403
    assert api.put("/v1/admin/providers/x", headers={"Authorization": ""}, json={}).status_code == 401


def test_nobody_is_deleted_twice(api, name):
    api.put(f"/v1/admin/providers/{name}", json={"driver": "duckduckgo"})

    assert name not in json.dumps(api.delete(f"/v1/admin/providers/{name}").json())
    assert api.delete(f"/v1/admin/providers/{name}").status_code == 404


def test_a_blank_query_is_an_error_of_its_own(api):
    """C14."""
    refused = search(api, query="  ")

    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "MISSING_QUERY")


def test_pages_of_hits_are_read_and_billed_when_asked(api, brave, name):
    """A hit whose page cannot be read says why, and is not billed as read."""
    answer = search(api, provider=name, top_k=2, include=["content"]).json()

    assert answer["status"] == "completed", answer
    assert all("content" in hit for hit in answer["results"])
    assert all(hit["content"] or hit["content_error"] for hit in answer["results"])
    read = sum(hit["content"] is not None for hit in answer["results"])
    assert answer["usage"]["units"].get("web_crawl", 0) == read
