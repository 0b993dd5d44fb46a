"""Rows of web.scrape as Firecrawl's documents, and their errors under its codes."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from verbena.billing import billable
from verbena.doors.http import HttpAnswer, HttpRequest, error_headers, json_answer
from verbena.envelope import JsonRow
from verbena.errors import VerbenaError

METADATA: Final = {
    "title": "title",
    "description": "description",
    "language": "language",
    "author": "author",
    "published_at": "publishedTime",
    "modified_at": "modifiedTime",
    "site_name": "ogSiteName",
    "image": "ogImage",
    "pages": "numPages",
    "final_url": "url",
    "http_status": "statusCode",
    "content_type": "contentType",
}

CODES: Final = {
    "invalid_input": (400, "BAD_REQUEST"),
    "invalid_json": (400, "BAD_REQUEST_INVALID_JSON"),
    "invalid_url": (400, "BAD_REQUEST"),
    "MISSING_QUERY": (400, "BAD_REQUEST"),
    "INVALID_REQUEST": (400, "BAD_REQUEST"),
    "internal_error": (500, "UNKNOWN_ERROR"),
    "dns_failure": (200, "SCRAPE_DNS_RESOLUTION_ERROR"),
    "tls_error": (500, "SCRAPE_SSL_ERROR"),
    "timeout": (408, "SCRAPE_TIMEOUT"),
    "not_attempted": (408, "SCRAPE_TIMEOUT"),
    "forbidden_address": (403, "unsafe_domain_blocked"),
    "robots_denied": (403, "UNSUPPORTED_SITE"),
    "body_too_large": (500, "SCRAPE_UNSUPPORTED_FILE_ERROR"),
    "unsupported_type": (500, "SCRAPE_UNSUPPORTED_FILE_ERROR"),
    "connect_error": (500, "SCRAPE_SITE_ERROR"),
    "bad_response": (500, "SCRAPE_SITE_ERROR"),
    "truncated_body": (500, "SCRAPE_SITE_ERROR"),
    "too_many_redirects": (500, "SCRAPE_SITE_ERROR"),
    "robots_unreachable": (500, "SCRAPE_SITE_ERROR"),
    "page_not_found": (500, "SCRAPE_SITE_ERROR"),
    "upstream_4xx": (500, "SCRAPE_SITE_ERROR"),
    "upstream_5xx": (500, "SCRAPE_SITE_ERROR"),
    "rate_limited": (500, "SCRAPE_SITE_ERROR"),
    "blocked": (500, "SCRAPE_ALL_ENGINES_FAILED"),
    "auth_required": (500, "SCRAPE_ALL_ENGINES_FAILED"),
}
"""Status and code of our errors there; those without a like of theirs keep their own."""


def document(row: JsonRow, shown: Iterable[str], warnings: Iterable[str] = ()) -> dict[str, Any]:
    """One page in the formats `shown`; a page without content says why in its warning and metadata."""
    told = [*warnings, *_notes(row)]
    forms = _forms(row) if row["status"] != "failed" else {}
    found = {name: forms[name] for name in shown if name in forms}
    metadata = metadata_of(row)
    return {**found, "metadata": metadata, **({"warning": "; ".join(told)} if told else {})}


def _forms(row: JsonRow) -> dict[str, Any]:
    """Everything a row holds, by Firecrawl's names; its content stands under both it may be."""
    content = row.get("content") or ""
    return {
        "markdown": content,
        "html": row.get("html", content),
        "rawHtml": row.get("raw_html"),
        "links": [link["url"] for link in row.get("links") or ()],
        "images": [image["url"] for image in row.get("images") or ()],
    }


def _notes(row: JsonRow) -> list[str]:
    notes = [row["error"]["message"]] if row.get("error") else []
    if row.get("truncated"):
        whole = row.get("content_ref")
        notes.append(f"the page was cut; {whole} has it whole" if whole else "the page was cut")
    return notes


def metadata_of(row: JsonRow) -> dict[str, Any]:
    """What is known of a page, by Firecrawl's names; what is unknown is left out, as it does."""
    known = row.get("metadata") or {}
    told = {theirs: known[ours] for ours, theirs in METADATA.items() if known.get(ours) is not None}
    if known.get("noindex"):
        told["robots"] = "noindex"
    if row.get("error"):
        told["error"] = row["error"]["message"]
    is_kept = known.get("cache_age_s") is not None
    if is_kept:
        told |= {"cacheState": "hit", "cachedAt": known["fetched_at"]}
    return {"sourceURL": row["url"], **told, "creditsUsed": int(billable(row["status"], from_cache=is_kept))}


def is_page(row: JsonRow) -> bool:
    """Whether a row is a page to Firecrawl: to it, what a server answers with an error's status is one too."""
    status = (row.get("metadata") or {}).get("http_status", 0)
    return bool(row["status"] != "failed" or status >= HTTPStatus.BAD_REQUEST)


def code_of(code: str) -> str:
    return CODES[code][1] if code in CODES else code


def refuse(error: VerbenaError, _request: HttpRequest) -> HttpAnswer:
    """A failure in Firecrawl's shape, with our own code in its details."""
    status, code = CODES.get(error.code, (error.status, error.code))
    details = {**error.details, "code": error.code, "retryable": error.retryable}
    told = {"success": False, "code": code, "error": error.message, "details": details}
    return json_answer(told, status, **error_headers(status, error.details))
