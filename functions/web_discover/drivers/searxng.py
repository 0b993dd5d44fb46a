"""SearXNG, or its predecessor searx: a metasearch engine of the operator's own, at whose engines' mercy a filter is."""

from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Failure, Found, Setup, VendorRequest, VendorResponse
from web_discover.answered import Names, hits
from web_discover.asking import locale, refused, with_sites

SAFE: Final = {"off": 0, "moderate": 1, "strict": 2}
ADVICE: Final = (
    "SEARXNG_URL must be the address of the instance, and the list search.formats of its settings.yml must hold json"
)
HIT: Final = Names(snippet="content", published="publishedDate", extras=("engines", "category"))


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest | Failure:
    if query.region and not query.language:
        return refused("SearXNG", "region", "a country only together with a language")
    asked = {
        "q": with_sites(query),
        "format": "json",
        "language": locale(query.language, query.region) if query.language else None,
        "time_range": query.freshness,
        "safesearch": SAFE[query.safe_search] if query.safe_search else None,
    }
    return VendorRequest.get(f"{setup.base_url}/search", asked)


def _read(response: VendorResponse, _: Setup) -> Found | Failure:
    """Without hits, only the list of silent engines tells a failure from nothing found."""
    if "html" in response.headers.get("Content-Type", ""):
        return Failure("config", f"HTTP {response.status} with a page in place of JSON: {ADVICE}")
    found = hits(response.json["results"], HIT)
    silent = response.json.get("unresponsive_engines")
    if silent and not found:
        return Failure("transient", f"every engine of it failed: {_told(silent)}")
    return Found(found, cost_micros=0)


def _told(silent: object) -> str:
    """Each engine with its reason, which come as pairs."""
    pairs = silent if isinstance(silent, list) else [silent]
    return ", ".join(": ".join(map(str, pair)) if isinstance(pair, list) else str(pair) for pair in pairs)


DRIVER = Driver(
    name="searxng",
    verb="web.discover",
    title="SearXNG",
    home="SEARXNG_URL",
    needs=("SEARXNG_URL",),
    can=frozenset({"include_domains", "exclude_domains", "freshness", "region", "language", "safe_search"}),
    priority=70,
    request=_request,
    read=_read,
    faults={"403": "config"},
    advice={"config": ADVICE},
)
