"""POST /v2/search: web.discover, and the pages of its hits where they are asked for."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from verbena.catalog import WEB_DISCOVER
from verbena.catalog.fields import Region, Site
from verbena.doors.access import authenticate, require
from verbena.doors.calling import more_of, run_at_once
from verbena.doors.firecrawl.options import NO_DIFFERENCE, REFUSED, SAID, format_among
from verbena.doors.foreign import Option, Terms, keyed, taken
from verbena.doors.http import HttpAnswer, HttpRequest, json_answer
from verbena.envelope import JsonRow, Model
from verbena.errors import InvalidInput
from verbena.runtime import Runtime

FRESHNESS: Final = {"qdr:d": "day", "qdr:w": "week", "qdr:m": "month", "qdr:y": "year"}
BETWEEN: Final = re.compile(r"cdr:1(?:,cd_min:(?P<first>[\d/]+))?(?:,cd_max:(?P<last>[\d/]+))?")
TIMES: Final = f"use {', '.join(FRESHNESS)} or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY"


class Source(Model):
    """One kind of results; there is one."""

    type: Annotated[str, Field(pattern="^web$", description="web")]
    tbs: str | None = None


def _source(value: object) -> object:
    return {"type": value} if isinstance(value, str) else value


class SearchRequest(Model):
    """POST /v2/search."""

    query: str = Field(max_length=2_000)
    limit: int = Field(default=10, ge=1, le=100)
    sources: list[Annotated[Source, BeforeValidator(_source)]] = Field(default_factory=list, max_length=3)
    include_domains: list[Site] = Field(default_factory=list, max_length=50, alias="includeDomains")
    exclude_domains: list[Site] = Field(default_factory=list, max_length=50, alias="excludeDomains")
    tbs: str | None = None
    country: Region
    safe: bool = False
    scrape_options: dict[str, Any] | None = Field(default=None, alias="scrapeOptions")


class HitPage(Model):
    """How the pages of hits are read."""

    formats: list[Annotated[str, format_among(("markdown",))]] = Field(default_factory=list, max_length=20)


SEARCH: Final = Terms(
    SearchRequest,
    no_difference=frozenset({"origin", "integration", "timeout", "ignoreInvalidURLs", "highlights"}),
    refused={
        "categories": Option("use includeDomains", ([],)),
        "domainTools": Option("there are none here; remove it", (False,)),
        "enterprise": Option("providers are asked on their own terms; remove it", ([],)),
        "location": Option("use country"),
        "threatProtection": Option("it is not offered; remove it"),
        "toolDetail": Option("there are no tools here; remove it"),
    },
)

HIT_PAGE: Final = Terms(
    HitPage,
    NO_DIFFERENCE | {"maxAge", "storeInCache"},  # hits are read anew, and not kept
    {
        **SAID,
        "onlyMainContent": Option("hits are read for their main content", (True,)),
        "timeout": Option("the search and the pages of its hits share one limit"),
    },
    REFUSED,
)


def search(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """Hits, as documents when their pages were asked for."""
    key = authenticate(request, here)
    require(key, WEB_DISCOVER.namespace)
    wanted, warnings = taken(SEARCH, request.json_object())
    page, more = taken(HIT_PAGE, wanted.scrape_options or {})
    answered = run_at_once(WEB_DISCOVER, keyed(_question(wanted, page), request), key, request, here)
    if answered.error is not None:
        raise answered.error.raised()
    noted = (answered.meta and answered.meta.warnings) or []
    told = [*warnings, *more, *noted, *more_of(answered)]
    hits = [_hit(row, position, page) for position, row in enumerate(answered.results or (), 1)]
    return json_answer(
        {
            "success": True,
            "data": {"web": hits},
            "id": request.request_id,
            "creditsUsed": sum(answered.usage.units.values()) if answered.usage else 0,
            **({"warning": "; ".join(told)} if told else {}),
        }
    )


def _question(wanted: SearchRequest, page: HitPage) -> dict[str, Any]:
    """The same in the words of web.discover."""
    times = {source.tbs for source in wanted.sources if source.tbs} | ({wanted.tbs} if wanted.tbs else set())
    asked = {
        "query": wanted.query,
        "top_k": wanted.limit,
        "include_domains": wanted.include_domains,
        "exclude_domains": wanted.exclude_domains,
        "region": wanted.country,
        "safe_search": "strict" if wanted.safe else None,
        "include": ["content"] if page.formats else [],
    }
    for tbs in times:
        asked |= _time(tbs)
    return asked


def _time(tbs: str) -> dict[str, Any]:
    """A time as search engines write it in their URLs; raises InvalidInput for what web.discover cannot honour."""
    if tbs in FRESHNESS:
        return {"freshness": FRESHNESS[tbs]}
    between = BETWEEN.fullmatch(tbs)
    if between is None:
        raise _wrong_time()
    return {"published_after": _day(between["first"]), "published_before": _day(between["last"])}


def _day(written: str | None) -> str | None:
    try:
        return datetime.strptime(written, "%m/%d/%Y").replace(tzinfo=UTC).date().isoformat() if written else None
    except ValueError:
        raise _wrong_time() from None


def _wrong_time() -> InvalidInput:
    return InvalidInput(f"tbs: this is not served here ({TIMES})", fields=[{"field": "tbs", "fix": TIMES}])


def _hit(row: JsonRow, position: int, page: HitPage) -> dict[str, Any]:
    hit = {"url": row["url"], "title": row["title"], "description": row["snippet"], "position": position}
    if not page.formats:
        return hit
    about = {"sourceURL": row["url"], "url": row["url"], "title": row["title"], "description": row["snippet"]}
    error = {"error": row["content_error"]} if row.get("content_error") else {}
    return {**hit, "markdown": row.get("content"), "metadata": {**about, **error}}
