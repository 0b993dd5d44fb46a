"""Brave Search: an index of its own; filters by language and country of a fixed list."""

from collections.abc import Iterable
from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Failure, Found, Json, Setup, VendorRequest, VendorResponse, vendor_codes
from web_discover.answered import Names, hits, inside, records
from web_discover.asking import days, has_dates, refused, spelled, split, with_sites

COUNTRIES: Final = split("""
    AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US
""")
LANGUAGES: Final = split("""
    ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb
    pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi
""")
SPELLINGS: Final = {
    "ja": "jp", "no": "nb", "pt": "pt-pt", "zh": "zh-hans", "zh-cn": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant",
}  # fmt: skip
FRESHNESS: Final = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
MOST_CHARS: Final = 400
MOST_WORDS: Final = 50
HIT: Final = Names(snippet="description", published="page_age", extras=("age", "language", "extra_snippets"))


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest | Failure:
    text = with_sites(query)
    if len(text) > MOST_CHARS or len(text.split()) > MOST_WORDS:
        return refused("Brave", "query", f"at most {MOST_CHARS} characters and {MOST_WORDS} words, sites included,")
    country = query.region.upper() if query.region else None
    if country and country not in COUNTRIES:
        return refused("Brave", "region", "a country of its list")
    language = spelled(query.language, LANGUAGES, SPELLINGS) if query.language else None
    if query.language and language is None:
        return refused("Brave", "language", "a language of its list")
    asked = {
        "q": text,
        "count": setup.limit,
        "country": country,
        "search_lang": language,
        "freshness": _freshness(query, setup),
        "safesearch": query.safe_search,
        "text_decorations": False,
        "result_filter": "web",
    }
    headers = {"X-Subscription-Token": setup.secrets["BRAVE_SEARCH_API_KEY"]}
    return VendorRequest.get(f"{setup.base_url}/res/v1/web/search", asked, headers)


def _freshness(query: DiscoverInput, setup: Setup) -> str | None:
    if has_dates(query):
        return "to".join(days(query, setup.today))
    return FRESHNESS[query.freshness] if query.freshness else None


def _read(response: VendorResponse, _: Setup) -> Found:
    web = response.json.get("web")  # which is absent when nothing was found
    return Found(hits(inside(web, "results"), HIT))


def _codes(body: Json) -> Iterable[str]:
    """VALIDATION says in `loc` what was wrong: a missing header is the key's fault, a value of a list the vendor's."""
    for problem in records(inside(body, "error", "meta", "errors")):
        yield from (f"VALIDATION:{place}" for place in problem.get("loc") or ())
    yield from vendor_codes(body)


DRIVER = Driver(
    name="brave",
    verb="web.discover",
    title="Brave Search",
    home="https://api.search.brave.com",
    needs=("BRAVE_SEARCH_API_KEY",),
    can=frozenset(
        {"include_domains", "exclude_domains", "freshness", "date_range", "region", "language", "safe_search"}
    ),
    most=20,
    priority=10,
    request=_request,
    read=_read,
    codes=_codes,
    faults={
        "SUBSCRIPTION_TOKEN_INVALID": "auth",
        "SUBSCRIPTION_NOT_FOUND": "auth",
        "OPTION_NOT_IN_PLAN": "vendor_param",
        "QUOTA_LIMITED": "quota",
        "RATE_LIMITED": "transient",
        "VALIDATION:header": "auth",
        "VALIDATION:country": "vendor_param",
        "VALIDATION:search_lang": "vendor_param",
        "VALIDATION:ui_lang": "vendor_param",
        "VALIDATION:q": "vendor_param",
    },
)
