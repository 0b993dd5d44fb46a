"""What a page says about itself: JSON-LD, OpenGraph and <meta>, in the order of how often each is right."""

import html as html_entities
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from turbohtml import Document

from web_scrape import addresses
from web_scrape.titles import plain_title

_MAX_CHARS: Final = 2_000
_MAX_AUTHORS: Final = 10
_MAX_HEADINGS: Final = 4
_MAX_JSON_LD_NODES: Final = 500
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ]\S.*)?")
_YEARS: Final = range(1970, 2200)
_WORKS: Final = (
    "Article",
    "Posting",
    "Report",
    "WebPage",
    "Product",
    "Recipe",
    "Video",
    "QAPage",
    "Event",
    "Course",
    "Book",
)

_TITLES: Final = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title")
_DESCRIPTIONS: Final = (
    "description",
    "og:description",
    "twitter:description",
    "dc.description",
    "dcterms.description",
)
_AUTHORS: Final = (
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "citation_author",
    "parsely-author",
    "sailthru.author",
)
_PUBLISHED: Final = (
    "article:published_time", "datepublished", "og:published_time", "dc.date.issued", "dcterms.issued",
    "dcterms.created", "dc.date", "citation_publication_date", "parsely-pub-date", "sailthru.date", "publishdate",
    "publish-date", "pubdate", "date",
)  # fmt: skip
_MODIFIED: Final = (
    "article:modified_time", "datemodified", "og:updated_time", "dcterms.modified", "dc.date.modified", "last-modified",
)  # fmt: skip
_DATES: Final = {"datePublished": _PUBLISHED, "dateModified": _MODIFIED}


@dataclass(frozen=True)
class Metadata:
    """The page's own statements, each None when it makes none. Dates are ISO 8601 with the zone the page gave."""

    title: str | None = None
    description: str | None = None
    language: str | None = None
    author: str | None = None
    published_at: str | None = None
    modified_at: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    image: str | None = None


def read(document: Document, url: str) -> Metadata:
    """The metadata of a document that has not been changed yet; addresses become absolute."""
    said = _statements(document)
    work = _work(document)
    base = addresses.base_of(document, url)
    site = _first(said, ("og:site_name", "application-name")) or _name(work.get("publisher"))
    return Metadata(
        title=_title(document, said, work, site, url),
        description=_first(said, _DESCRIPTIONS) or _clean(work.get("description")),
        language=_language(document, said),
        author=_author(document, said, work),
        published_at=_date(document, said, work.get("datePublished"), "datePublished"),
        modified_at=_date(document, said, work.get("dateModified"), "dateModified"),
        site_name=site,
        canonical_url=_canonical(document, base),
        image=_absolute(base, _first(said, ("og:image", "og:image:url", "twitter:image"))),
    )


def _title(document: Document, said: dict[str, str], work: dict[str, Any], site: str | None, url: str) -> str | None:
    element = _element_text(document, "head title, title")
    stated = [title for title in (_first(said, _TITLES), _clean(work.get("headline")), element) if title]
    headings = [text for heading in document.select("h1")[:_MAX_HEADINGS] if (text := _clean(heading.text))]
    return plain_title(stated, headings, site, url)


def _statements(document: Document) -> dict[str, str]:
    """Each <meta> by its lower-case name, the first of a name counting."""
    said: dict[str, str] = {}
    for meta in document.iter_elements("meta"):
        name = meta.attr("property") or meta.attr("name") or meta.attr("itemprop") or meta.attr("http-equiv")
        content = _clean(meta.attr("content"))
        if name and content:
            said.setdefault(name.strip().lower(), content)
    return said


def _first(said: dict[str, str], names: tuple[str, ...]) -> str | None:
    return next((said[name] for name in names if name in said), None)


def _clean(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return " ".join(html_entities.unescape(value[: 2 * _MAX_CHARS]).split())[:_MAX_CHARS] or None


def _element_text(document: Document, selector: str) -> str | None:
    element = document.select_one(selector)
    return _clean(element.text) if element else None


def _work(document: Document) -> dict[str, Any]:
    """The JSON-LD node that describes the page itself; the richest kind first."""
    nodes = list(_json_ld(document))
    for kind in _WORKS:
        for node in nodes:
            types = node.get("@type")
            if any(isinstance(t, str) and t.endswith(kind) for t in (types if isinstance(types, list) else [types])):
                return node
    return {}


def _json_ld(document: Document) -> Iterator[dict[str, Any]]:
    pending = [value for s in document.select('script[type="application/ld+json" i]') if (value := _parsed(s.text))]
    for _ in range(_MAX_JSON_LD_NODES):
        if not pending:
            return
        value = pending.pop(0)
        if isinstance(value, list):
            pending[:0] = value[:_MAX_JSON_LD_NODES]
        elif isinstance(value, dict):
            pending += [value[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in value]
            yield value


def _parsed(block: str) -> object:
    try:
        return json.loads(block, strict=False)
    except (ValueError, RecursionError):  # a broken block says nothing; the others may
        return None


def _language(document: Document, said: dict[str, str]) -> str | None:
    root = document.root
    lang = (root.attr("lang") or root.attr("xml:lang")) if root else None
    candidates = (lang, said.get("content-language"), said.get("og:locale"), said.get("dc.language"))
    found = next((c.strip() for c in candidates if c and _LANGUAGE.fullmatch(c.strip())), None)
    return found.replace("_", "-") if found else None


def _author(document: Document, said: dict[str, str], work: dict[str, Any]) -> str | None:
    authors = work.get("author") or work.get("creator")
    names = [_name(author) for author in (authors if isinstance(authors, list) else [authors])[:_MAX_AUTHORS]]
    joined = ", ".join(dict.fromkeys(name for name in names if name))
    stated = next((said[name] for name in _AUTHORS if name in said and "://" not in said[name]), None)
    return (
        joined
        or stated
        or _element_text(document, '[itemprop="author"] [itemprop="name"], [itemprop="author"], a[rel~="author"]')
    )


def _name(value: object) -> str | None:
    name = _clean(value.get("name") if isinstance(value, dict) else value)
    return None if name and "://" in name else name


def _date(document: Document, said: dict[str, str], stated: object, itemprop: str) -> str | None:
    """The first readable date of JSON-LD, <meta> and microdata."""
    found = _iso(stated) or next((iso for name in _DATES[itemprop] if (iso := _iso(said.get(name)))), None)
    element = None if found else document.select_one(f'[itemprop="{itemprop}"]')
    return _iso(element.attr("datetime") or element.attr("content") or element.text) if element else found


def _iso(value: object) -> str | None:
    """An ISO 8601 date or moment, its zone kept; None for what is neither ISO nor the date of a mail header."""
    text = _clean(value)
    if text is None:
        return None
    match = _ISO_DATE.fullmatch(text)
    try:
        if match and len(text) == len("2026-01-31"):
            return date.fromisoformat(text).isoformat() if int(match[1]) in _YEARS else None
        moment = datetime.fromisoformat(text) if match else parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return moment.isoformat() if moment.year in _YEARS else None


def _canonical(document: Document, base: str) -> str | None:
    link = document.select_one('link[rel~="canonical" i][href]')
    return _absolute(base, link.attr("href")) if link else None


def _absolute(base: str, href: str | None) -> str | None:
    """A web address, made absolute; None for any other."""
    address = addresses.absolute(base, href) if href else None
    return address if address and address.startswith(("http://", "https://")) else None
