"""From the bytes of one answer to one honest page: text, metadata and evidence, or a typed refusal."""

from dataclasses import dataclass
from typing import Any, Literal

from verbena.errors import EmptyPage
from web_scrape import kinds
from web_scrape.decode import CharsetSource, decode

Format = Literal["markdown", "text", "html"]


@dataclass(frozen=True)
class Page:
    """What one answer holds. Dates are ISO 8601; `content` has no value that changes between two readings."""

    content: str
    media_type: str
    charset: str
    charset_source: CharsetSource
    title: str | None = None
    description: str | None = None
    language: str | None = None
    author: str | None = None
    published_at: str | None = None
    modified_at: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    links: list[dict[str, str]] | None = None
    images: list[dict[str, str]] | None = None
    raw_html: str | None = None
    truncated: bool = False


def read_page(
    body: bytes,
    *,
    url: str,
    content_type: str | None,
    http_status: int = 200,
    format: Format = "markdown",  # noqa: A002  (the caller's word for it)
    only_main_content: bool = True,
    include: frozenset[str] = frozenset(),
    max_chars: int | None = None,
) -> Page:
    """The page in `body`, which `url` (after redirects) answered.

    Raises Blocked, NeedsRendering, EmptyPage or UnsupportedType when there is no page to give.
    """
    if not body.strip():
        raise EmptyPage
    kind, media_type = kinds.kind_of(body, content_type)
    decoded = decode(body, content_type)
    from web_scrape import extract
    content = extract.to_markdown(body, url)
    return Page(content=content, media_type=media_type, charset=decoded.charset, charset_source=decoded.source)
