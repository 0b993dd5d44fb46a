"""Exa: a search by meaning, which tells what each call cost."""

from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Found, Setup, VendorRequest, VendorResponse
from web_discover.answered import Names, hits, inside, micros
from web_discover.asking import first_day, is_filtered

HIT: Final = Names(snippet="highlights", published="publishedDate", extras=("author",))


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest:
    first = first_day(query, setup.today)
    asked = {
        "query": query.query.strip(),
        "type": "auto",
        "numResults": setup.limit,
        "includeDomains": query.include_domains or None,
        "excludeDomains": query.exclude_domains or None,
        "startPublishedDate": f"{first}T00:00:00.000Z" if first else None,
        "endPublishedDate": f"{query.published_before}T23:59:59.999Z" if query.published_before else None,
        "userLocation": query.region.upper() if query.region else None,
        "moderation": is_filtered(query),
        "contents": {"highlights": True},  # without which there is no snippet
    }
    return VendorRequest.post(f"{setup.base_url}/search", asked, {"x-api-key": setup.secrets["EXA_API_KEY"]})


def _read(response: VendorResponse, _: Setup) -> Found:
    return Found(hits(response.json["results"], HIT), cost_micros=micros(inside(response.json, "costDollars", "total")))


DRIVER = Driver(
    name="exa",
    verb="web.discover",
    title="Exa",
    home="https://api.exa.ai",
    needs=("EXA_API_KEY",),
    can=frozenset({"include_domains", "exclude_domains", "freshness", "date_range", "region", "safe_search"}),
    most=100,
    priority=50,
    request=_request,
    read=_read,
    faults={"NUM_RESULTS_EXCEEDED": "vendor_param", "INVALID_NUM_RESULTS": "vendor_param"},
)
