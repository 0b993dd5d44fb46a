"""From the bytes of one answer to one honest page: content, metadata and evidence, or a typed refusal."""

import html as entities
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Literal

from verbena.catalog.web import PageKind
from verbena.converters import Document
from verbena.errors import EmptyPage, ReadError, UpstreamClientError, UpstreamServerError
from web_scrape import kinds, languages
from web_scrape.decode import CharsetSource, Decoded, decode

if TYPE_CHECKING:
    from turbohtml import Element

Format = Literal["markdown", "text", "html"]


@dataclass(frozen=True)
class Page:
    """What one answer holds. Dates are ISO 8601; nothing in it changes between two readings of the same bytes."""

    content: str
    media_type: str
    charset: str | None = None
    charset_source: CharsetSource | None = None
    title: str | None = None
    description: str | None = None
    language: str | None = None
    author: str | None = None
    published_at: str | None = None
    modified_at: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    kind: PageKind | None = None
    pages: int | None = None
    noindex: bool = False
    links: list[dict[str, str]] | None = None
    images: list[dict[str, str]] | None = None
    html: str | None = None
    raw_html: str | None = None
    truncated: bool = False


@dataclass(frozen=True)
class _Wish:
    format: Format
    only_main_content: bool
    include: frozenset[str]


def read_page(
    body: bytes,
    *,
    url: str,
    content_type: str | None,
    http_status: int = 200,
    format: Format = "markdown",  # noqa: A002  (the verb's own word for it)
    only_main_content: bool = True,
    include: frozenset[str] = frozenset(),
    max_chars: int | None = None,
) -> Page:
    """The page in `body`, which `url` (the last one, after redirects) answered with `http_status`.

    Raises Blocked, LoginRequired, NeedsRendering, PageNotFound, UpstreamServerError, EmptyPage or UnsupportedType
    when there is no page to give.
    """
    # Late, so that importing the executor does not load the engine.
    from web_scrape.shorten import shorten  # noqa: PLC0415

    if http_status >= HTTPStatus.BAD_REQUEST:
        raise _failure(body, url, content_type, http_status)
    body, content_type = kinds.unpacked(body, content_type)
    kind, media_type = kinds.kind_of(body, content_type, url)
    wish = _Wish(format, only_main_content, include)
    if kind == "pdf":
        page = _read_pdf(body, url, media_type, wish)
    else:
        page = _read_text(kind, decode(body, content_type), url, media_type, wish)
    if not page.content.strip():
        raise EmptyPage
    content, cut = shorten(page.content, max_chars, format)
    return replace(page, content=content, truncated=page.truncated or cut)


def _read_text(kind: kinds.Kind, decoded: Decoded, url: str, media_type: str, wish: _Wish) -> Page:
    if not decoded.text.strip():
        raise EmptyPage
    page = _READERS[kind](decoded.text, url, media_type, wish)
    raw = decoded.text if "raw_html" in wish.include else None
    return replace(page, charset=decoded.charset, charset_source=decoded.source, raw_html=raw)


def _read_pdf(body: bytes, url: str, media_type: str, wish: _Wish) -> Page:
    from verbena.converters import pdf  # noqa: PLC0415

    file = pdf.to_document(body)
    page = _converted(file, url, media_type, wish)
    return replace(page, author=file.author, published_at=file.created, modified_at=file.modified)


def _converted(file: Document, url: str, media_type: str, wish: _Wish) -> Page:
    """A file that became plain HTML, rendered as pages are."""
    from web_scrape import extract, tree  # noqa: PLC0415

    document, cut = tree.parse(file.body)
    page = _shown(extract.visible_body(document, url), media_type, wish)
    return replace(page, title=file.title, pages=file.pages, truncated=cut or file.truncated)


def _failure(body: bytes, url: str, content_type: str | None, http_status: int) -> ReadError:
    """A failed status is no page, however long its text; a wall behind it is the more useful answer."""
    from web_scrape import extract, tree, verdict  # noqa: PLC0415

    text = decode(body, content_type).text
    document, _ = tree.parse(text)
    signs = verdict.signs(document, text, url)
    wall = verdict.wall(signs, extract.visible_body(document, url).text)
    kind = UpstreamServerError if http_status >= HTTPStatus.INTERNAL_SERVER_ERROR else UpstreamClientError
    return wall or kind(http_status=http_status)


def _read_html(text: str, url: str, media_type: str, wish: _Wish) -> Page:
    from web_scrape import extract, hints, metadata, tree, verdict  # noqa: PLC0415

    document, cut = tree.parse(text)
    about, clues = metadata.read(document, url), hints.read(document, url)
    signs = verdict.signs(document, text, url)
    body = extract.visible_body(document, url)
    shown = body.text
    refusal = verdict.refusal(signs, shown)
    if refusal:
        raise refusal
    root = extract.main_of(body, clues) if wish.only_main_content else body
    if root is None:
        raise verdict.nothing(signs, shown)
    page = _shown(root, media_type, wish)
    return replace(page, **vars(about), truncated=cut)


def _shown(root: "Element", media_type: str, wish: _Wish) -> Page:
    from web_scrape import cleanhtml, inventory, markdown, plain  # noqa: PLC0415

    render = {"markdown": markdown.render, "text": plain.render, "html": cleanhtml.render}[wish.format]
    return Page(
        content=render(root),
        media_type=media_type,
        links=inventory.links(root) if "links" in wish.include else None,
        images=inventory.images(root) if "images" in wish.include else None,
        html=cleanhtml.render(root) if "html" in wish.include else None,
    )


def _read_xml(text: str, url: str, media_type: str, wish: _Wish) -> Page:
    from web_scrape import extract, feeds, metadata, tree  # noqa: PLC0415

    read = feeds.to_html(text, url)
    if read is None:
        return _verbatim("xml", text, url, media_type, wish)
    markup, broken = read
    document, cut = tree.parse(markup)
    about = metadata.read(document, url)
    page = _shown(extract.visible_body(document, url), media_type, wish)
    page = replace(page, title=about.title, description=about.description, language=about.language)
    return replace(page, truncated=cut or broken)


def _read_table(text: str, url: str, media_type: str, wish: _Wish) -> Page:
    """As text a table of values is itself; only its other forms show it as one."""
    from verbena.converters import delimited  # noqa: PLC0415

    tabs = media_type == "text/tab-separated-values"
    file = None if wish.format == "text" else delimited.to_document(text, "\t" if tabs else None)
    if file is None:
        return _verbatim("", text, url, media_type, wish)
    return _converted(file, url, media_type, wish)


def _read_code(text: str, url: str, media_type: str, wish: _Wish) -> Page:
    return _verbatim(languages.language_of(media_type, url), text, url, media_type, wish)


def _verbatim(language: str, text: str, _url: str, media_type: str, wish: _Wish) -> Page:
    """Text that is given as it came: fenced in Markdown so that it stays what it is, escaped in HTML."""
    from web_scrape import codeblock  # noqa: PLC0415

    content = text.strip() if language else text
    html = f"<pre>{entities.escape(content, quote=False)}</pre>"
    if wish.format == "html":
        content = html
    elif wish.format == "markdown" and language:
        content = codeblock.fenced(content, language)
    nothing: list[dict[str, str]] = []
    return Page(
        content=content,
        media_type=media_type,
        links=nothing if "links" in wish.include else None,
        images=nothing if "images" in wish.include else None,
        html=html if "html" in wish.include else None,
    )


_READERS: Final[dict[kinds.Kind, Callable[[str, str, str, _Wish], Page]]] = {
    "html": _read_html,
    "xml": _read_xml,
    "json": partial(_verbatim, "json"),
    "text": partial(_verbatim, ""),
    "csv": _read_table,
    "code": _read_code,
}
