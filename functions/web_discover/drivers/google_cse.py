"""Google's Custom Search JSON API: ten hits a call, sites in the query; the vendor ends it with the year 2026."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Failure, Found, Json, Setup, VendorRequest, VendorResponse, said, vendor_codes
from web_discover.answered import inside, records
from web_discover.asking import is_filtered, refused, spelled, split, with_sites
from web_discover.hits import Raw

LANGUAGES: Final = split("""
    ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW
""")
SPELLINGS: Final = {
    "he": "iw", "nb": "no", "zh": "zh-CN", "zh-cn": "zh-CN", "zh-tw": "zh-TW", "zh-hk": "zh-TW", "zh-hant": "zh-TW",
}  # fmt: skip
FRESHNESS: Final = {"day": "d1", "week": "w1", "month": "m1", "year": "y1"}


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest | Failure:
    language = spelled(query.language, LANGUAGES, SPELLINGS) if query.language else None
    if query.language and language is None:
        return refused("Google", "language", "a language of its list")
    is_safe = is_filtered(query)
    asked = {
        "key": setup.secrets["GOOGLE_CUSTOM_SEARCH_API_KEY"],
        "cx": setup.secrets["GOOGLE_CUSTOM_SEARCH_CX"],
        "q": with_sites(query),
        "num": setup.limit,
        "gl": _country(query.region) if query.region else None,
        "lr": f"lang_{language}" if language else None,
        "dateRestrict": FRESHNESS[query.freshness] if query.freshness else None,
        "safe": None if is_safe is None else ("active" if is_safe else "off"),
    }
    return VendorRequest.get(f"{setup.base_url}/customsearch/v1", asked)


def _country(region: str) -> str:
    """Its list of countries has the United Kingdom under the name of its domain."""
    return {"gb": "uk"}.get(region.lower(), region.lower())


def _read(response: VendorResponse, _: Setup) -> Found:
    items = response.json.get("items")  # which is absent when nothing was found
    return Found([_hit(item) for item in records(items)])


def _hit(item: dict[str, Any]) -> Raw:
    tags = records(inside(item, "pagemap", "metatags"))
    published = next((tag.get("article:published_time") for tag in tags), None)
    return Raw(item.get("link"), item.get("title"), item.get("snippet"), published)


def _codes(body: Json) -> Iterable[str]:
    """The reasons; whether a quota is a day's or a minute's, and at times that a key is wrong, is only in the words."""
    message = said(body) or ""
    if message.startswith("API key not valid"):
        yield "API_KEY_INVALID"
    if "per day" in message:
        yield "per_day"
    for name in ("details", "errors"):
        yield from (str(one["reason"]) for one in records(inside(body, "error", name)) if one.get("reason"))
    yield from vendor_codes(body)


DRIVER = Driver(
    name="google_cse",
    verb="web.discover",
    title="Google Custom Search",
    home="https://customsearch.googleapis.com",
    needs=("GOOGLE_CUSTOM_SEARCH_API_KEY", "GOOGLE_CUSTOM_SEARCH_CX"),
    can=frozenset({"include_domains", "exclude_domains", "freshness", "region", "language", "safe_search"}),
    most=10,
    priority=40,
    status="pending",
    ends=date(2027, 1, 1),
    request=_request,
    read=_read,
    codes=_codes,
    faults={
        "API_KEY_INVALID": "auth",
        "accessNotConfigured": "auth",
        "dailyLimitExceeded": "quota",
        "429 per_day": "quota",
        "400": "vendor_param",
    },
    advice={"vendor_param": "a wrong GOOGLE_CUSTOM_SEARCH_CX is refused in the same words"},
)
