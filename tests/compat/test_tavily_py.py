"""tavily-python as it is installed, with another base URL."""

import asyncio
import uuid

import pytest
from requests import HTTPError
from tavily import AsyncTavilyClient, TavilyClient
from tavily.errors import BadRequestError, ForbiddenError, InvalidAPIKeyError

from verbena.aws.keys import ApiKey, Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.table import Table


@pytest.fixture(scope="module")
def client(service):
    with TavilyClient(api_key=service.key, api_base_url=service.url) as made:
        yield made


@pytest.fixture
def poor(stack):
    """A key that may read pages, of an owner who can pay for one."""
    secret, owner = f"vb_{uuid.uuid4().hex}", uuid.uuid4().hex
    dynamodb, outputs = stack.client("dynamodb"), stack.deployment.outputs
    Keys(Table(dynamodb, outputs["ConfigTable"])).put(secret, ApiKey(owner, owner, ("web",)))
    LedgerTable(Table(dynamodb, outputs["LedgerTable"])).top_up(owner, 1_000)
    return secret


def test_a_search_has_results_with_scores(client):
    found = client.search("heat pump", max_results=3, include_domains=["housing.example.org"], time_range="year")

    assert found["query"] == "heat pump"
    assert 0 < len(found["results"]) <= 3
    for hit in found["results"]:
        assert all(hit[name] for name in ("url", "title", "content"))
        assert 0 <= hit["score"] <= 1
        assert hit["raw_content"] is None
    assert (found["answer"], found["images"]) == (None, [])
    assert found["response_time"] >= 0
    assert not {"usage", "warnings"} & set(found)


def test_an_answer_and_the_bill_come_when_they_are_asked_for(client):
    found = client.search("heat pump", include_answer="basic", include_usage=True, max_results=1)

    assert "heat pump" in found["answer"]
    assert found["usage"] == {"credits": 1}


def test_an_older_call_works_too(client):
    with pytest.warns(DeprecationWarning, match="qna_search"):
        assert "heat pump" in client.qna_search("heat pump")


def test_the_pages_of_results_are_read_when_asked(client):
    found = client.search("heat pump", max_results=1, include_raw_content=True)

    assert "raw_content" in found["results"][0]


def test_an_option_that_cannot_be_honoured_is_said_beside_the_results(client):
    found = client.search("heat pump", max_results=1, search_depth="advanced", include_images=True)

    assert [warning.partition(":")[0] for warning in found["warnings"]] == ["include_images", "search_depth"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"topic": "news"}, "topic"),
        ({"country": "finland"}, "country"),
        ({"max_results": 21}, "max_results"),
        ({"start_date": "last week"}, "start_date"),
        ({"novelty": True}, "novelty"),
    ],
)
def test_a_filter_that_is_not_served_is_refused_by_its_name(client, options, field):
    with pytest.raises(BadRequestError, match=field):
        client.search("heat pump", **options)


def test_pages_are_extracted_and_those_that_fail_stand_apart(client, site):
    urls = [f"{site}/page/{number}" for number in range(8)]

    found = client.extract([*urls, f"{site}/missing", "ftp://example.com"], include_images=True, include_usage=True)

    assert [page["url"] for page in found["results"]] == urls
    assert all(page["raw_content"].startswith("# Harbour") for page in found["results"])
    assert found["results"][0]["images"] == [f"{site}/pier.png"]
    assert [page["url"] for page in found["failed_results"]] == [f"{site}/missing", "ftp://example.com"]
    assert [page["error"].partition(":")[0] for page in found["failed_results"]] == ["page_not_found", "invalid_url"]
    assert found["usage"] == {"credits": 8}


def test_one_page_is_extracted_as_text(client, site):
    (page,) = client.extract(site, format="text")["results"]

    assert page["raw_content"].startswith("Harbour\n")


def test_more_pages_than_one_request_holds_are_refused(client, site):
    with pytest.raises(BadRequestError, match="urls"):
        client.extract([f"{site}/{number}" for number in range(21)])


def test_a_key_that_is_none_is_refused(service):
    with pytest.raises(InvalidAPIKeyError):
        TavilyClient(api_key="tvly-nobody", api_base_url=service.url).search("heat pump")


def test_a_wallet_that_is_short_is_a_plan_used_up(service, poor, site):
    with pytest.raises(ForbiddenError, match="balance"):
        TavilyClient(api_key=poor, api_base_url=service.url).extract([f"{site}/a", f"{site}/b"])


def test_a_path_of_theirs_that_is_not_served_is_not_found(client, site):
    with pytest.raises(HTTPError, match="404"):
        client.crawl(site)


def test_the_asynchronous_client_does_the_same(service, site):
    async def calls():
        async with AsyncTavilyClient(api_key=service.key, api_base_url=service.url) as client:
            return await asyncio.gather(client.search("heat pump", max_results=2), client.extract([site]))

    found, read = asyncio.run(calls())

    assert len(found["results"]) == 2
    assert read["results"][0]["raw_content"].startswith("# Harbour")
