"""Perplexity: hits of its search, and answers of its agent, which is a second call."""

from typing import Any, Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Failure, Found, Setup, Step, VendorRequest, VendorResponse
from web_discover.answered import Names, hits, inside, micros, records, texts, written
from web_discover.asking import american, first_day, has_dates, refused

MOST_SITES: Final = 20
SNIPPET_TOKENS: Final = 512
"""A snippet's worth of a page; the vendor's default is eight times as much."""
HIT: Final = Names(extras=("last_updated",))


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest | Failure:
    if query.include_domains and query.exclude_domains:
        return refused("Perplexity", "include_domains and exclude_domains", "only one of both")
    if len(query.include_domains) > MOST_SITES or len(query.exclude_domains) > MOST_SITES:
        return refused("Perplexity", "include_domains or exclude_domains", f"at most {MOST_SITES} sites")
    if query.language and len(_language(query.language)) != 2:  # noqa: PLR2004 - ISO 639-1
        return refused("Perplexity", "language", "a language with a code of two letters")
    asked = {
        "query": query.query.strip(),
        "max_results": setup.limit,
        "max_tokens_per_page": SNIPPET_TOKENS,
        "country": query.region.upper() if query.region else None,
        **_filters(query, setup),
    }
    return VendorRequest.post(f"{setup.base_url}/search", asked, _headers(setup))


def _answer_request(query: DiscoverInput, setup: Setup, _: Found) -> VendorRequest:
    """The same filters, and `tool_choice`, for else the agent may answer without having searched."""
    filters = _filters(query, setup)
    narrowed = {"filters": filters} if filters else {}
    located = {"user_location": {"country": query.region.upper()}} if query.region else {}
    asked = {
        "model": "perplexity/sonar",
        "input": query.query.strip(),
        "tools": [{"type": "web_search", **narrowed, **located}],
        "tool_choice": "required",
    }
    return VendorRequest.post(f"{setup.base_url}/v1/agent", asked, _headers(setup))


def _filters(query: DiscoverInput, setup: Setup) -> dict[str, Any]:
    """A recency must not come together with dates."""
    first = first_day(query, setup.today)
    filters = {
        "search_domain_filter": [*query.include_domains, *(f"-{site}" for site in query.exclude_domains)] or None,
        "search_language_filter": [_language(query.language)] if query.language else None,
        "search_recency_filter": None if has_dates(query) else query.freshness,
        "search_after_date_filter": american(first) if first and has_dates(query) else None,
        "search_before_date_filter": american(query.published_before) if query.published_before else None,
    }
    return {name: value for name, value in filters.items() if value is not None}


def _language(tag: str) -> str:
    return tag.partition("-")[0].lower()


def _headers(setup: Setup) -> dict[str, str]:
    return {"Authorization": f"Bearer {setup.secrets['PERPLEXITY_API_KEY']}"}


def _read(response: VendorResponse, _: Setup) -> Found:
    return Found(hits(response.json["results"], HIT))


def _read_answer(response: VendorResponse, found: Found) -> Found | Failure:
    """What it wrote, beside the hits there are; a 200 may be a failure all the same."""
    body = response.json
    if body.get("status") != "completed":
        return Failure("transient", f"its agent says {body.get('status')}: {inside(body, 'error', 'message')}")
    output = records(body.get("output"))
    parts = [part for item in output for part in records(item.get("content")) if part.get("type") == "output_text"]
    sources = [source for item in output for source in hits(item.get("results"), HIT)]
    answer = written("\n".join(texts([part.get("text") for part in parts])), sources)
    if answer is None:
        return Failure("transient", "its agent wrote nothing")
    return Found(found.items, answer, micros(inside(body, "usage", "cost", "total_cost")))


DRIVER = Driver(
    name="perplexity",
    verb="web.discover",
    title="Perplexity",
    home="https://api.perplexity.ai",
    needs=("PERPLEXITY_API_KEY",),
    can=frozenset({"answer", "include_domains", "exclude_domains", "freshness", "date_range", "region", "language"}),
    most=20,
    priority=30,
    request=_request,
    read=_read,
    then=Step("answer", lambda query: query.answer, _answer_request, _read_answer),
    # The chat endpoint was retired; a right key is refused there in these words.
    faults={"chat_completions_not_available": "config", "agent_api_migration_required": "config"},
)
