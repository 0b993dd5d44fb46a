"""firecrawl-py as it is installed, with another base URL."""

import asyncio
import uuid

import pytest
from firecrawl import AsyncFirecrawl, Firecrawl
from firecrawl.v2.types import ScrapeOptions
from firecrawl.v2.utils.error_handler import (
    BadRequestError,
    DNSResolutionError,
    FirecrawlError,
    InternalServerError,
    UnauthorizedError,
    WebsiteNotSupportedError,
)


@pytest.fixture(scope="module")
def client(service):
    return Firecrawl(api_key=service.key, api_url=service.url)


def test_a_page_is_scraped_in_every_format_that_is_served(client, site):
    page = client.scrape(f"{site}/article", max_age=0, formats=["markdown", "html", "rawHtml", "links", "images"])

    assert page.markdown.startswith("# Harbour")
    assert "<h1>Harbour</h1>" in page.html
    assert page.raw_html.startswith("<!doctype html>")
    assert page.links == [f"{site}/fares"]
    assert page.images == [f"{site}/pier.png"]
    about = page.metadata
    assert (about.title, about.description, about.language) == ("Harbour", "When the ferries leave", "en")
    assert (about.source_url, about.url, about.status_code) == (f"{site}/article", f"{site}/article", 200)
    assert (about.credits_used, page.warning) == (1, None)


def test_only_the_formats_that_were_asked_for_are_there(client, site):
    html = client.scrape(site, formats=["html"])
    links = client.scrape(site, formats=[{"type": "links"}])

    assert (html.markdown, html.links) == (None, None)
    assert "<h1>Harbour</h1>" in html.html
    assert (links.markdown, links.links) == (None, [f"{site}/fares"])


def test_navigation_comes_with_the_whole_page(client, site):
    assert "Home" not in client.scrape(site).markdown
    assert "Home" in client.scrape(site, only_main_content=False).markdown


def test_a_page_that_is_young_enough_is_given_again_for_free(client, site):
    url = f"{site}/{uuid.uuid4().hex}"

    pages = [client.scrape(url, max_age=60_000), client.scrape(url, max_age=60_000), client.scrape(url, max_age=0)]

    assert [page.metadata.credits_used for page in pages] == [1, 0, 1]
    assert [page.metadata.cache_state for page in pages] == [None, "hit", None]
    assert pages[1].metadata.cached_at is not None


def test_what_a_server_answers_with_an_errors_status_is_said_in_the_metadata(client, site):
    page = client.scrape(f"{site}/missing")

    assert page.metadata.status_code == 404
    assert "does not exist" in page.metadata.error
    assert (page.markdown, page.metadata.credits_used) == (None, 0)


def test_an_option_that_cannot_be_honoured_is_said_with_the_page(client, site):
    page = client.scrape(site, wait_for=500, mobile=True, timeout=60_000)

    assert page.markdown
    assert [part.partition(":")[0] for part in page.warning.split("; ")] == ["mobile", "waitFor", "timeout"]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"formats": ["summary"]}, "formats.0"),
        ({"formats": ["screenshot"]}, "formats.0"),
        ({"include_tags": ["article"]}, "includeTags"),
        ({"headers": {"Cookie": "a=b"}}, "headers"),
        ({"actions": [{"type": "wait", "milliseconds": 5}]}, "actions"),
    ],
)
def test_what_would_change_the_page_and_is_not_served_is_refused_by_its_name(client, site, options, field):
    with pytest.raises(BadRequestError) as refused:
        client.scrape(site, **options)

    assert refused.value.code == "BAD_REQUEST"
    assert field in str(refused.value)


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("http://nowhere.invalid/", DNSResolutionError),
        ("http://10.0.0.1/", WebsiteNotSupportedError),
        ("ftp://example.com/", BadRequestError),
        ("{site}/broken", InternalServerError),
    ],
)
def test_a_page_that_cannot_be_had_is_the_error_of_its_reason(client, site, url, error):
    with pytest.raises(FirecrawlError) as failed:
        client.scrape(url.format(site=site))

    assert type(failed.value) is error


def test_nobody_scrapes_without_a_key(service, site):
    with pytest.raises(UnauthorizedError):
        Firecrawl(api_key="fc-nobody", api_url=service.url).scrape(site)


def test_a_batch_of_thirteen_has_twelve_documents_and_one_error(client, batch):
    job = client.batch_scrape(batch, formats=["markdown", "links"], poll_interval=1, wait_timeout=60)

    assert (job.status, job.completed, job.total, job.credits_used) == ("completed", 13, 13, 12)
    assert [page.metadata.source_url for page in job.data] == [url for url in batch if "/missing" not in url]
    assert all(page.markdown.startswith("# Harbour") and page.links for page in job.data)
    assert job.next is None


def test_the_errors_of_a_batch_name_each_url_and_why(client, batch, site):
    started = client.start_batch_scrape([*batch, f"{site}/private/pier"])
    while client.get_batch_scrape_status(started.id).status == "scraping":
        pass

    told = client.get_batch_scrape_errors(started.id)

    missing, private = told.errors
    assert (missing.url, missing.code) == (batch[5], "SCRAPE_SITE_ERROR")
    assert "does not exist" in missing.error
    assert missing.timestamp is not None
    assert (private.url, private.code) == (f"{site}/private/pier", "UNSUPPORTED_SITE")
    assert told.robots_blocked == [f"{site}/private/pier"]


def test_urls_that_are_none_are_named_and_cost_the_others_nothing(client, site):
    started = client.start_batch_scrape([site, "http://"])

    assert uuid.UUID(started.id)
    assert started.invalid_urls == ["http://"]
    with pytest.raises(BadRequestError):
        client.start_batch_scrape([site, "http://"], ignore_invalid_urls=False)


def test_a_batch_started_again_with_its_key_is_the_same_batch(client, batch):
    key = uuid.uuid4().hex

    first = client.start_batch_scrape(batch, idempotency_key=key)
    again = client.start_batch_scrape(batch, idempotency_key=key)

    assert first.id == again.id
    with pytest.raises(FirecrawlError) as other:
        client.start_batch_scrape(batch[:3], idempotency_key=key)
    assert (other.value.status_code, other.value.code) == (409, "idempotency_mismatch")


def test_a_batch_can_be_cancelled_and_says_so(client, site):
    urls = [f"{site}/slow/{uuid.uuid4().hex}" for _ in range(300)]
    started = client.start_batch_scrape(urls)

    is_cancelled = client.cancel_batch_scrape(started.id)

    assert client.get_batch_scrape_status(started.id).status == ("cancelled" if is_cancelled else "completed")


def test_a_batch_that_is_not_there_is_not_found(client):
    with pytest.raises(FirecrawlError) as refused:
        client.get_batch_scrape_status(str(uuid.uuid4()))

    assert refused.value.status_code == 404


def test_a_search_has_hits_under_web(client):
    found = client.search("heat pump", limit=3, include_domains=["housing.example.org"], tbs="qdr:y")

    assert 0 < len(found.web) <= 3
    assert all(hit.url and hit.title and hit.description for hit in found.web)
    assert [hit.position for hit in found.web] == list(range(1, len(found.web) + 1))


def test_a_search_that_reads_its_hits_has_documents(client):
    found = client.search("heat pump", limit=2, scrape_options=ScrapeOptions(formats=["markdown"]))

    assert len(found.web) == 2
    assert all(page.metadata.source_url and (page.markdown or page.metadata.error) for page in found.web)


@pytest.mark.parametrize(
    "options", [{"sources": ["news"]}, {"tbs": "qdr:h"}, {"location": "Germany"}, {"categories": ["github"]}]
)
def test_a_filter_of_a_search_that_is_not_served_is_refused(client, options):
    with pytest.raises(BadRequestError):
        client.search("heat pump", **options)


def test_a_call_that_is_not_served_says_which_are(client, site):
    with pytest.raises(FirecrawlError, match="not served here"):
        client.map(site)


def test_the_asynchronous_client_does_the_same(service, batch):
    async def calls():
        client = AsyncFirecrawl(api_key=service.key, api_url=service.url)
        page = await client.scrape(batch[0])
        job = await client.batch_scrape(batch, poll_interval=1)
        return page, job, await client.search("heat pump", limit=1)

    page, job, found = asyncio.run(calls())

    assert page.markdown.startswith("# Harbour")
    assert (job.status, len(job.data), len(found.web)) == ("completed", 12, 1)
