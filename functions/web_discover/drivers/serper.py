"""Serper: Google's results, ten a call, with dates as they are written for people."""

from collections.abc import Iterable
from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Found, Json, Setup, VendorRequest, VendorResponse, said, vendor_codes
from web_discover.answered import Names, credit_micros, hits
from web_discover.asking import american, days, has_dates, locale, with_sites

FRESHNESS: Final = {"day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}
HIT: Final = Names(url="link", extras=("attributes", "sitelinks"))


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest:
    asked = {
        "q": with_sites(query),
        "num": setup.limit,
        "gl": query.region.lower() if query.region else None,
        "hl": locale(query.language) if query.language else None,
        "tbs": _time(query, setup),
    }
    return VendorRequest.post(f"{setup.base_url}/search", asked, {"X-API-KEY": setup.secrets["SERPER_API_KEY"]})


def _time(query: DiscoverInput, setup: Setup) -> str | None:
    if has_dates(query):
        first, last = map(american, days(query, setup.today))
        return f"cdr:1,cd_min:{first},cd_max:{last}"
    return FRESHNESS[query.freshness] if query.freshness else None


def _read(response: VendorResponse, setup: Setup) -> Found:
    organic = response.json.get("organic")  # which may be absent when nothing was found
    cost = credit_micros(response.json.get("credits"), setup)
    return Found(hits(organic, HIT), cost_micros=cost)


def _codes(body: Json) -> Iterable[str]:
    """It has no codes; that the credits are used up, with the status of a wrong value, is only in its words."""
    if (said(body) or "").startswith("Not enough credits"):
        yield "credits"
    yield from vendor_codes(body)


DRIVER = Driver(
    name="serper",
    verb="web.discover",
    title="Serper",
    home="https://google.serper.dev",
    needs=("SERPER_API_KEY",),
    can=frozenset({"include_domains", "exclude_domains", "freshness", "date_range", "region", "language"}),
    most=10,
    priority=60,
    request=_request,
    read=_read,
    codes=_codes,
    faults={"credits": "quota"},
)
