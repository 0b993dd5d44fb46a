"""What a page says about itself: JSON-LD, OpenGraph and <meta>, in the order of how often each is right."""

import html as html_entities
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from turbohtml import Document

from verbena.catalog.web import PageKind
from web_scrape import addresses, bylines, dates, indexing, jsonld
from web_scrape.jsonld import Node
from web_scrape.titles import plain_title

Said = Mapping[str, str]

_MAX_CHARS: Final = 2_000
_MAX_AUTHORS: Final = 10
_MAX_HEADINGS: Final = 4
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")
# Letters of icon fonts, which stand for pictures, and marks nobody sees.
_UNSEEN = re.compile("[\ue000-\uf8ff\u200b-\u200f\u2060\ufeff\u00ad]")

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
    kind: PageKind | None = None
    noindex: bool = False


def read(document: Document, url: str) -> Metadata:
    """The metadata of a document that has not been changed yet; addresses become absolute."""
    said = _statements(document)
    nodes = jsonld.nodes(document)
    work = jsonld.work(nodes)
    base = addresses.base_of(document, url)
    site = _site(said, work, nodes)
    return Metadata(
        title=_title(document, said, work, site, url),
        description=_first(said, _DESCRIPTIONS) or _clean(work.get("description")),
        language=_language(document, said, work),
        author=_author(document, said, work, nodes),
        published_at=_date(document, said, work, "datePublished")
        or bylines.published(document)
        or dates.in_address(urlsplit(url).path),
        modified_at=_date(document, said, work, "dateModified") or bylines.modified(document),
        site_name=site,
        canonical_url=_canonical(document, base),
        image=_image(document, said, work, base),
        kind=jsonld.kind(nodes, said.get("og:type")),
        noindex=indexing.in_document(document),
    )


def _title(document: Document, said: Said, work: Node, site: str | None, url: str) -> str | None:
    element = _element_text(document, "head title, title")
    stated = [title for title in (_first(said, _TITLES), _clean(work.get("headline")), element) if title]
    headings = [text for heading in document.select("h1")[:_MAX_HEADINGS] if (text := _clean(heading.text))]
    return plain_title(stated, headings, site, url)


def _site(said: Said, work: Node, nodes: Sequence[Node]) -> str | None:
    publisher = jsonld.resolved(work.get("publisher"), nodes)
    named = next((_clean(node.get("name")) for node in nodes if node.get("@type") == "WebSite"), None)
    return _first(said, ("og:site_name", "application-name")) or _name(publisher) or named


def _statements(document: Document) -> dict[str, str]:
    """Each <meta> by its lower-case name, the first of a name counting."""
    said: dict[str, str] = {}
    for meta in document.iter_elements("meta"):
        name = meta.attr("property") or meta.attr("name") or meta.attr("itemprop") or meta.attr("http-equiv")
        content = _clean(meta.attr("content"))
        if name and content:
            said.setdefault(name.strip().lower(), content)
    return said


def _first(said: Said, names: tuple[str, ...]) -> str | None:
    return next((said[name] for name in names if name in said), None)


def _clean(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    text = _UNSEEN.sub("", html_entities.unescape(value[: 2 * _MAX_CHARS]))
    return " ".join(text.split())[:_MAX_CHARS] or None


def _element_text(document: Document, selector: str) -> str | None:
    element = document.select_one(selector)
    return _clean(element.text) if element else None


def _language(document: Document, said: Said, work: Node) -> str | None:
    root = document.root
    lang = (root.attr("lang") or root.attr("xml:lang")) if root else None
    stated = (
        lang,
        said.get("content-language"),
        said.get("og:locale"),
        said.get("dc.language"),
        work.get("inLanguage"),
    )
    tags = (value.strip() for value in stated if isinstance(value, str))
    found = next((tag for tag in tags if _LANGUAGE.fullmatch(tag)), None)
    return found.replace("_", "-") if found else None


def _author(document: Document, said: Said, work: Node, nodes: Sequence[Node]) -> str | None:
    """The names JSON-LD gives, else the one of <meta>, else the one a reader sees."""
    authors = work.get("author") or work.get("creator")
    listed = (authors if isinstance(authors, list) else [authors])[:_MAX_AUTHORS]
    names = [bylines.name(_name(jsonld.resolved(author, nodes))) for author in listed]
    joined = ", ".join(dict.fromkeys(name for name in names if name))
    stated = next((name for key in _AUTHORS if (name := bylines.name(said.get(key)))), None)
    return joined or stated or bylines.author(document)


def _name(value: object) -> str | None:
    stated = value.get("name") if isinstance(value, dict) else value
    name = _clean(stated[0] if isinstance(stated, list) and stated else stated)
    return None if name and "://" in name else name


def _date(document: Document, said: Said, work: Node, itemprop: str) -> str | None:
    """The first readable date of JSON-LD, <meta> and microdata."""
    stated = (work.get(itemprop), *(said.get(name) for name in _DATES[itemprop]))
    found = next((day for value in stated if (day := dates.iso(_clean(value)))), None)
    element = None if found else document.select_one(f'[itemprop="{itemprop}"]')
    return dates.iso(element.attr("datetime") or element.attr("content") or element.text) if element else found


def _canonical(document: Document, base: str) -> str | None:
    link = document.select_one('link[rel~="canonical" i][href]')
    return _absolute(base, link.attr("href")) if link else None


def _image(document: Document, said: Said, work: Node, base: str) -> str | None:
    """The picture a page names for itself: to those it is shared with, else to search engines."""
    stated = work.get("image")
    first = stated[0] if isinstance(stated, list) and stated else stated
    named = first.get("url") if isinstance(first, dict) else first
    link = document.select_one('link[rel~="image_src" i][href]')
    shared = _first(said, ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"))
    return _absolute(base, shared or (link.attr("href") if link else None) or _clean(named))


def _absolute(base: str, href: str | None) -> str | None:
    """A web address, made absolute; None for any other."""
    address = addresses.absolute(base, href) if href else None
    return address if address and address.startswith(("http://", "https://")) else None
