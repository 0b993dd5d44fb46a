"""The row of one URL: of a page that was read, or of the reason there is none."""

from datetime import UTC, datetime
from typing import Any

from verbena.catalog.web import Image, Link, PageMetadata, ScrapedPage
from verbena.envelope import ErrorInfo
from verbena.errors import EmptyPage, NeedsRendering, ReadError
from verbena.urls import masked
from web_scrape import indexing
from web_scrape.cache import Seen
from web_scrape.page import Page

# What the page says about itself; the rest of the metadata is the transfer's.
PAGE_FACTS = (
    "title",
    "description",
    "language",
    "author",
    "published_at",
    "modified_at",
    "site_name",
    "canonical_url",
    "image",
    "kind",
    "pages",
    "charset",
    "charset_source",
)


# The server answered, and there is no text in what it said.
NOTHING_HERE = (EmptyPage, NeedsRendering)


def page_row(index: int, url: str, seen: Seen, page: Page) -> ScrapedPage:
    asked = {
        "truncated": page.truncated or None,
        "links": None if page.links is None else [Link(**link) for link in page.links],
        "images": None if page.images is None else [Image(**image) for image in page.images],
        "html": page.html,
        "raw_html": page.raw_html,
    }
    return ScrapedPage(
        url=masked(url),
        index=index,
        status="success",
        content=page.content,
        metadata=_metadata(seen, page),
        **_present(asked),
    )


def error_row(index: int, url: str, error: ReadError, seen: Seen | None) -> ScrapedPage:
    """`seen` is what came before the error, if anything did."""
    return ScrapedPage(
        url=masked(url),
        index=index,
        status="empty" if isinstance(error, NOTHING_HERE) else "failed",
        error=ErrorInfo.of(error),
        **_present({"metadata": _metadata(seen, None) if seen else None}),
    )


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    """A field that was not asked for, or has nothing to say, stays out of the row."""
    return {name: value for name, value in fields.items() if value is not None}


def _metadata(seen: Seen, page: Page | None) -> PageMetadata:
    reply = seen.reply
    facts: dict[str, Any] = {name: getattr(page, name, None) for name in PAGE_FACTS}
    return PageMetadata(
        **facts,
        noindex=(page is not None and page.noindex) or indexing.in_headers(reply.headers),
        final_url=reply.url,
        http_status=reply.status,
        content_type=reply.headers.get("Content-Type"),
        bytes=reply.wire_bytes,
        redirects=list(reply.redirects),
        fetched_at=datetime.fromtimestamp(seen.at, UTC).isoformat(timespec="seconds"),
        cache_age_s=seen.age_s,
    )
