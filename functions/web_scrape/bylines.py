"""Who wrote a page, and when, as its readers see it: bylines, <time> and the dates beside its heading."""

import re
from collections.abc import Iterator
from typing import Final

from turbohtml import Document, Element

from web_scrape import dates

_MAX_NAME: Final = 80
_MAX_WORDS: Final = 8
# More is a paragraph that bears the mark of a byline.
_MAX_STATED: Final = 400
_MAX_CANDIDATES: Final = 40
# How far around the heading its byline stands.
_SCOPE_LEVELS: Final = 3
_MAX_DATE_CHARS: Final = 80
_LEAD_CHARS: Final = 30

_AUTHORS: Final = (
    '[itemprop="author"] [itemprop="name"]',
    '[itemprop="author"]',
    '[rel~="author"]',
    '.author-name, .byline-name, .author__name, .byline__name, [data-testid="author-name"]',
    ".byline a, .post-author a, .entry-author a, .article-author a, .post-meta .author a",
    ".byline, .p-author, .post-author, .entry-author, .article-author, .author.vcard, .article__author",
)
_DATED: Final = (
    "time, .published, .entry-date, .post-date, .date-published, .article-date, .publish-date, .posted-on, .dateline"
)
_ELSEWHERE: Final = (
    "aside, nav, footer, [class*=comment i], [id*=comment i], [class*=related i], [class*=sidebar i], "
    "[class*=widget i], [class*=popular i], [class*=teaser i]"
)
_CHANGED = re.compile(r"updat|modif|chang|revis|aktualis|geändert|actualiz|mis à jour|aggiornat", re.IGNORECASE)
# What stands before a name, and after it.
_LEAD = re.compile(
    r"^(?:(?:posted|written|published|reviewed|story|text|words)\s+)?(?:by|von|por|par|di|door|autor(?:in)?|author|text)\b\s*:?\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:[|•·/]|,?\s*\d{1,2}[./:]\d|\b(?:on|am|le|el|published|posted|updated)\s+\W?\w*\s?\d).*$", re.IGNORECASE
)
_ADDRESS = re.compile(r"https?://\S*", re.IGNORECASE)
_NO_NAME = re.compile(r"://|www\.|@|\d{3,}|[{}<>=]|^\W*$")
_NOBODY: Final = frozenset(
    {"admin", "administrator", "anonymous", "author", "by", "editor", "gast", "guest", "name", "none", "null", "root"}
    | {"staff", "undefined", "unknown", "user", "webmaster", "гость"}
)


def name(stated: object) -> str | None:
    """A name as it is to be shown: without what introduces it, and None for what names nobody."""
    if not isinstance(stated, str):
        return None
    text = _LEAD.sub("", " ".join(_ADDRESS.sub("", stated[:_MAX_STATED]).split()))
    shown = _TAIL.sub("", text).strip(" ,;:-\u2013") or text
    fits = 0 < len(shown) <= _MAX_NAME and len(shown.split()) <= _MAX_WORDS
    return shown if fits and not _NO_NAME.search(shown) and shown.lower() not in _NOBODY else None


def author(document: Document) -> str | None:
    """The name a reader sees, by the surest mark of it."""
    marked = document.select(", ".join(_AUTHORS))[:_MAX_CANDIDATES]
    ranked = (element for selector in _AUTHORS for element in marked if element.matches(selector))
    for element in ranked:
        found = name(element.attr("content") or element.text)
        if found and element.closest(_ELSEWHERE) is None:
            return found
    return None


def published(document: Document) -> str | None:
    """The first date beside the heading that does not say it is that of a change."""
    return next((day for day, changed in _dated(document) if not changed), None)


def modified(document: Document) -> str | None:
    """The first date beside the heading that says it is that of a change."""
    return next((day for day, changed in _dated(document) if changed), None)


def _dated(document: Document) -> Iterator[tuple[str, bool]]:
    for element in _around_heading(document):
        text = element.text
        day = dates.iso(element.attr("datetime") or element.attr("content") or text[:_MAX_DATE_CHARS])
        if day and element.closest(_ELSEWHERE) is None:
            yield (
                day,
                bool(_CHANGED.search(f"{element.attr('class') or ''} {_before(element)} {text[:_MAX_DATE_CHARS]}")),
            )


def _before(element: Element) -> str:
    """The words that lead up to a date in the line it stands in."""
    parent = element.parent
    line = parent.text if isinstance(parent, Element) else ""
    return line.partition(element.text)[0][-_LEAD_CHARS:] if element.text else line[:_LEAD_CHARS]


def _around_heading(document: Document) -> list[Element]:
    """The dates within a few levels of the first heading: those further off are of other things."""
    scope = document.select_one("article h1, main h1, h1")
    for _ in range(_SCOPE_LEVELS):
        if scope is None or not isinstance(scope.parent, Element) or scope.parent.tag in {"body", "html"}:
            break
        scope = scope.parent
        if found := scope.select(_DATED):
            return found[:_MAX_CANDIDATES]
    return []
