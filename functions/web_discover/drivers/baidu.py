"""Baidu's search for language models: the query is a message, and an error may come with status 200."""

from typing import Any, Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Failure, Found, Setup, VendorRequest, VendorResponse, said
from web_discover.answered import Names, hits
from web_discover.asking import days, has_dates, is_filtered, refused

MOST_SITES: Final = 20
HIT: Final = Names(snippet="content", score="rerank_score", extras=("website", "authority_score"))


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest | Failure:
    if len(query.include_domains) > MOST_SITES:
        return refused("Baidu", "include_domains", f"at most {MOST_SITES} sites")
    asked = {
        "messages": [{"role": "user", "content": query.query.strip()}],
        "search_source": "baidu_search_v2",
        "resource_type_filter": [{"type": "web", "top_k": setup.limit}],
        "search_filter": _filter(query, setup) or None,
        "block_websites": query.exclude_domains or None,
        "safe_search": is_filtered(query),
    }
    headers = {"Authorization": f"Bearer {setup.secrets['BAIDU_API_KEY']}"}
    return VendorRequest.post(f"{setup.base_url}/v2/ai_search/web_search", asked, headers)


def _filter(query: DiscoverInput, setup: Setup) -> dict[str, Any]:
    """Its own word for recency knows no day, so days say it; they must be two."""
    wanted: dict[str, Any] = {}
    if query.include_domains:
        wanted["match"] = {"site": query.include_domains}
    if query.freshness or has_dates(query):
        first, last = days(query, setup.today)
        wanted["range"] = {"page_time": {"gte": first, "lte": last}}
    return wanted


def _read(response: VendorResponse, _: Setup) -> Found | Failure:
    body = response.json
    code = body.get("code") or body.get("error_code")
    if code and "references" not in body:
        return Failure("transient", f"HTTP {response.status} {code}: {said(body)}")
    return Found(hits(body.get("references"), HIT))


DRIVER = Driver(
    name="baidu",
    verb="web.discover",
    title="Baidu AI Search",
    home="https://qianfan.baidubce.com",
    needs=("BAIDU_API_KEY",),
    can=frozenset({"include_domains", "exclude_domains", "freshness", "date_range", "safe_search"}),
    most=50,
    priority=80,
    request=_request,
    read=_read,
    # Codes of a body, whatever its status; numbers below a thousand repeat a status.
    faults={
        "216003": "auth",
        "110": "auth",
        "400": "bad_request",
        "500": "transient",
        "501": "transient",
        "502": "transient",
        "QUOTA_USER_DAILY_REQUEST": "quota",
        "QUOTA_USER_DAILY_FREE": "quota",
        "BILLING_INSUFFICIENT_BALANCE": "quota",
    },
)
