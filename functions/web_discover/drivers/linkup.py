"""Linkup: hits, or in their place an answer with its sources; it calls it an error to have found nothing."""

from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Found, Setup, VendorRequest, VendorResponse
from web_discover.answered import Names, hits, records, written
from web_discover.asking import first_day

PAGE: Final = Names(title="name", snippet="content")
SOURCE: Final = Names(title="name")


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest:
    asked = {
        "q": query.query.strip(),
        "depth": "standard",
        "outputType": "sourcedAnswer" if query.answer else "searchResults",
        "maxResults": setup.limit,
        "includeDomains": query.include_domains or None,
        "excludeDomains": query.exclude_domains or None,
        "fromDate": first_day(query, setup.today),
        "toDate": query.published_before,
    }
    headers = {"Authorization": f"Bearer {setup.secrets['LINKUP_API_KEY']}"}
    return VendorRequest.post(f"{setup.base_url}/v1/search", asked, headers)


def _read(response: VendorResponse, _: Setup) -> Found:
    body = response.json
    if "answer" in body:
        sources = hits(body.get("sources"), SOURCE)
        return Found(sources, written(body["answer"], sources))
    results = [result for result in records(body["results"]) if result.get("type") != "image"]
    return Found(hits(results, PAGE))


DRIVER = Driver(
    name="linkup",
    verb="web.discover",
    title="Linkup",
    home="https://api.linkup.so",
    needs=("LINKUP_API_KEY",),
    can=frozenset({"answer", "include_domains", "exclude_domains", "freshness", "date_range"}),
    priority=75,
    request=_request,
    read=_read,
    faults={
        "SEARCH_QUERY_NO_RESULT": "no_results",
        "INSUFFICIENT_FUNDS_CREDITS": "quota",
        "EXCEED_BUDGET_LIMIT": "quota",
    },
)
