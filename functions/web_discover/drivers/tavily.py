"""Tavily: a search for language models that also writes answers; countries by their English names."""

from collections.abc import Iterable
from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Failure, Found, Json, Setup, VendorRequest, VendorResponse, said, vendor_codes
from web_discover.answered import Names, credit_micros, hits, inside, written
from web_discover.asking import first_day, has_dates, refused
from web_discover.countries import NAMES

HIT: Final = Names(snippet="content", published="published_date")


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest | Failure:
    country = NAMES.get(query.region.upper()) if query.region else None
    if query.region and country is None:
        return refused("Tavily", "region", "a country of its list")
    asked = {
        "query": query.query.strip(),
        "max_results": setup.limit,
        "include_answer": query.answer or None,
        "include_domains": query.include_domains or None,
        "exclude_domains": query.exclude_domains or None,
        "time_range": None if has_dates(query) else query.freshness,
        "start_date": first_day(query, setup.today) if has_dates(query) else None,
        "end_date": query.published_before,
        "country": country,
        "include_usage": True,
    }
    headers = {"Authorization": f"Bearer {setup.secrets['TAVILY_API_KEY']}"}
    return VendorRequest.post(f"{setup.base_url}/search", asked, headers)


def _read(response: VendorResponse, setup: Setup) -> Found:
    found = hits(response.json["results"], HIT)
    cost = credit_micros(inside(response.json, "usage", "credits"), setup)
    return Found(found, written(response.json.get("answer"), found), cost)


def _codes(body: Json) -> Iterable[str]:
    """It has no codes; that no site of a list is one, which is wrong everywhere, is only in its words."""
    if (said(body) or "").startswith("All domains in include_domains are invalid"):
        yield "include_domains"
    yield from vendor_codes(body)


DRIVER = Driver(
    name="tavily",
    verb="web.discover",
    title="Tavily",
    home="https://api.tavily.com",
    needs=("TAVILY_API_KEY",),
    can=frozenset({"answer", "include_domains", "exclude_domains", "freshness", "date_range", "region"}),
    most=20,
    priority=20,
    request=_request,
    read=_read,
    codes=_codes,
    faults={"include_domains": "bad_request", "400": "vendor_param", "432": "quota", "433": "quota"},
)
