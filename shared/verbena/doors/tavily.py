"""Tavily's /search and /extract: their requests, answers and errors over web.discover and web.scrape."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from verbena.aws.keys import ApiKey
from verbena.capability import Capability
from verbena.catalog import WEB_DISCOVER, WEB_SCRAPE
from verbena.catalog.fields import Day, Language, Site
from verbena.doors.access import authenticate, require
from verbena.doors.calling import MOST_AT_ONCE, PAGE_AT_ONCE_S, more_of, run_at_once
from verbena.doors.foreign import Option, Terms, keyed, taken
from verbena.doors.http import HttpAnswer, HttpRequest, error_headers, json_answer
from verbena.doors.rest import Door
from verbena.envelope import Answered, JsonRow, Model
from verbena.errors import MoneyError, RequestError, VerbenaError
from verbena.runtime import Runtime

FRESHNESS: Final = {"d": "day", "w": "week", "m": "month", "y": "year"}

BAD_REQUEST: Final = 400
PLAN_USED: Final = 432
"""Tavily's own status of an account without money."""


class SearchRequest(Model):
    """POST /search."""

    query: str = Field(max_length=2_000)
    max_results: int = Field(default=5, ge=0, le=20)
    topic: Literal["general"] = "general"
    time_range: Literal["day", "week", "month", "year", "d", "w", "m", "y"] | None = None
    start_date: Day | None = None
    end_date: Day | None = None
    include_domains: list[Site] = Field(default_factory=list, max_length=50)
    exclude_domains: list[Site] = Field(default_factory=list, max_length=50)
    include_answer: bool | Literal["basic", "advanced"] = False
    include_raw_content: bool | Literal["markdown"] = False
    language: Language
    include_usage: bool = False


class ExtractRequest(Model):
    """POST /extract."""

    urls: Annotated[
        list[str],
        BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
        Field(min_length=1, max_length=MOST_AT_ONCE),
    ]
    format: Literal["markdown", "text"] = "markdown"
    include_images: bool = False
    timeout: float = Field(default=PAGE_AT_ONCE_S, ge=1, description="Seconds.")
    include_usage: bool = False


NO_FAVICON: Final = Option("there are none here", (False,))
ONE_DEPTH: Final = "there is one depth here"

SEARCH: Final = Terms(
    SearchRequest,
    # `api_key` has been looked at; without the topic news, `days` means nothing there either.
    no_difference=frozenset({"api_key", "days", "cache_fallback", "fetch_timeout", "timeout"}),
    said={
        "auto_parameters": Option("nothing is chosen by itself", (False,)),
        "chunks_per_source": Option("the provider's own snippet is returned"),
        "filter_by_language": Option("language is always a filter here", (True,)),
        "include_favicon": NO_FAVICON,
        "include_image_descriptions": Option("no images are searched", (False,)),
        "include_images": Option("no images are searched", (False,)),
        "search_depth": Option(ONE_DEPTH, ("basic",)),
    },
    refused={
        "country": Option("remove it, or search with POST /v1/web/discover, whose region is a country code"),
        "exact_match": Option("put the words in quotes; what a provider makes of them is its own", (False,)),
        "include_domains_mode": Option("domains are a filter; remove it", ("restrict",)),
        "max_age_hours": Option("use time_range, start_date and end_date"),
    },
)

EXTRACT: Final = Terms(
    ExtractRequest,
    no_difference=frozenset({"api_key"}),
    said={"extract_depth": Option(ONE_DEPTH, ("basic",)), "include_favicon": NO_FAVICON},
    refused={
        "chunks_per_source": Option("pages are returned whole; remove it"),
        "query": Option("pages are returned whole; remove it"),
    },
)


def search(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """Hits under Tavily's names."""
    body, key = _opened(WEB_DISCOVER, request, here)
    wanted, told = taken(SEARCH, body)
    started = time.perf_counter()
    answered = run_at_once(WEB_DISCOVER, keyed(_question(wanted), request), key, request, here)
    if answered.error is not None:
        raise answered.error.raised()
    meta = answered.meta.model_dump() if answered.meta else {}
    rows = (answered.results or [])[: wanted.max_results]
    hits = [_hit(row, position / len(rows)) for position, row in enumerate(rows)]
    return json_answer(
        {
            "query": wanted.query,
            "answer": (meta.get("answer") or {}).get("text"),
            "images": [],
            "results": hits,
            **_beside(
                request, answered, started, [*told, *(meta.get("warnings") or [])], is_usage=wanted.include_usage
            ),
        }
    )


def extract(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """Pages, those that could not be read apart."""
    body, key = _opened(WEB_SCRAPE, request, here)
    wanted, told = taken(EXTRACT, body)
    started = time.perf_counter()
    asked = {
        "urls": wanted.urls,
        "format": wanted.format,
        "include": ["images"] if wanted.include_images else [],
        "timeout_s": min(wanted.timeout, PAGE_AT_ONCE_S),
    }
    answered = run_at_once(WEB_SCRAPE, keyed(asked, request), key, request, here)
    if answered.results is None and answered.error is not None:
        raise answered.error.raised()
    rows = answered.results or []
    cut = [f"{row['url']} was cut; {row['content_ref']} has it whole" for row in rows if row.get("content_ref")]
    left = [{"url": url, "error": "the other pages filled the answer"} for url in wanted.urls[len(rows) :]]
    return json_answer(
        {
            "results": [_page(row) for row in rows if "error" not in row],
            "failed_results": [*(_failed(row) for row in rows if "error" in row), *left],
            **_beside(request, answered, started, [*told, *cut], is_usage=wanted.include_usage),
        }
    )


def _opened(capability: Capability, request: HttpRequest, here: Runtime) -> tuple[dict[str, Any], ApiKey]:
    """The body, and the key of its caller: of the header or, as older clients send it, of the body."""
    is_in_header = {"authorization", "x-api-key"} & set(request.headers)
    body = {} if is_in_header else request.json_object()
    if isinstance(body.get("api_key"), str):
        request = replace(request, headers={**request.headers, "x-api-key": body["api_key"]})
    key = authenticate(request, here)
    require(key, capability.namespace)
    return body or request.json_object(), key


def _question(wanted: SearchRequest) -> dict[str, Any]:
    """The same in the words of web.discover."""
    return {
        "query": wanted.query,
        "top_k": max(wanted.max_results, 1),
        "answer": bool(wanted.include_answer),
        "include_domains": wanted.include_domains,
        "exclude_domains": wanted.exclude_domains,
        "freshness": FRESHNESS[wanted.time_range[0]] if wanted.time_range else None,
        "published_after": wanted.start_date,
        "published_before": wanted.end_date,
        "language": wanted.language,
        "include": ["content"] if wanted.include_raw_content else [],
    }


def _hit(row: JsonRow, behind: float) -> dict[str, Any]:
    """Where the provider gives no score, its order makes one: clients sort by it, and take no null."""
    score = row.get("score")
    return {
        "url": row["url"],
        "title": row["title"],
        "content": row["snippet"],
        "score": round(1 - behind, 3) if score is None else score,
        "raw_content": row.get("content"),
    }


def _page(row: JsonRow) -> dict[str, Any]:
    images = [image["url"] for image in row.get("images") or ()]
    return {"url": row["url"], "raw_content": row["content"], "images": images}


def _failed(row: JsonRow) -> dict[str, Any]:
    return {"url": row["url"], "error": f"{row['error']['code']}: {row['error']['message']}"}


def _beside(
    request: HttpRequest, answered: Answered, started: float, warnings: list[str], *, is_usage: bool
) -> dict[str, Any]:
    units: Mapping[str, int] = answered.usage.units if answered.usage else {}
    warnings = [*warnings, *more_of(answered)]
    return {
        "response_time": round(time.perf_counter() - started, 2),
        "request_id": request.request_id,
        **({"usage": {"credits": sum(units.values())}} if is_usage else {}),
        **({"warnings": warnings} if warnings else {}),
    }


def refuse(error: VerbenaError, _request: HttpRequest) -> HttpAnswer:
    """A failure in Tavily's shape."""
    told = {"detail": {"error": error.message, "code": error.code}}
    return json_answer(told, _status_of(error), **error_headers(error.status, error.details))


def _status_of(error: VerbenaError) -> int:
    if isinstance(error, MoneyError):
        return PLAN_USED
    is_wrong = error.status == RequestError.status or error.code == "invalid_json"
    return BAD_REQUEST if is_wrong else error.status


DOOR: Final = Door({"POST /search": search, "POST /extract": extract}, refuse)
