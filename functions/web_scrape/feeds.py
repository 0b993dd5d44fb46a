"""Feeds and sitemaps as HTML, so that they are read like every other page."""

import html as entities
import re
from typing import Final

import turbohtml
from turbohtml import Document, Element, HTMLParseError
from turbohtml.extract import Entry, Feed

from web_scrape import addresses

_FIRST_ELEMENT = re.compile(r"<[A-Za-z_]")
_SUBSET_END = re.compile(r"\]\s*>")
_CDATA = r"(?P<cdata><!\[CDATA\[.*?(?:\]\]>|\Z))"
_FOREIGN_AMPERSAND = r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)(?P<name>\w{1,31};)?"
_REPAIRABLE = re.compile(f"{_CDATA}|{_FOREIGN_AMPERSAND}", re.DOTALL)
_SITEMAPS: Final = frozenset({"urlset", "sitemapindex"})


def to_html(xml: str, url: str) -> str | None:
    """The items of a feed or the addresses of a sitemap as an HTML document; None for any other XML."""
    document = _parse(xml)
    if document is None:
        return None
    feed = document.feed()
    body = _feed(feed, url) if feed else _sitemap(document)
    if not body:
        return None
    return f"<!DOCTYPE html><html><head>{_head(feed) if feed else ''}</head><body>{body}</body></html>"


def _head(feed: Feed) -> str:
    title, description = entities.escape(_plain(feed.title)), entities.escape(_plain(feed.description))
    return f'<title>{title}</title><meta name="description" content="{description}">'


def _parse(xml: str) -> Document | None:
    """The tree of an XML text without its DTD: the document defines no entity, so none can grow or reach out."""
    bare = _without_dtd(xml).lstrip()
    for attempt in (bare, _REPAIRABLE.sub(_repaired, bare)):
        try:
            return turbohtml.parse_xml(attempt)
        except HTMLParseError:
            continue
    return None


def _without_dtd(xml: str) -> str:
    first = _FIRST_ELEMENT.search(xml)
    start = xml.find("<!DOCTYPE", 0, first.start() if first else len(xml))
    if start < 0:
        return xml
    end, subset = xml.find(">", start), xml.find("[", start)
    if start < subset < end:
        closing = _SUBSET_END.search(xml, subset)
        end = closing.end() - 1 if closing else -1
    return xml[:start] + xml[end + 1 :] if end > 0 else xml


def _repaired(match: re.Match[str]) -> str:
    """HTML's entities and bare ampersands, which feeds use and XML forbids."""
    if match["cdata"]:
        return match["cdata"]
    return entities.escape(entities.unescape(match[0]), quote=False)


def _feed(feed: Feed, url: str) -> str:
    title = f"<h1>{entities.escape(_plain(feed.title))}</h1>" if feed.title else ""
    about = f"<p>{entities.escape(_plain(feed.description))}</p>" if feed.description else ""
    return title + about + "".join(_entry(entry, feed.link or url) for entry in feed.entries)


def _entry(entry: Entry, base: str) -> str:
    link = entry.link or ""
    title = entities.escape(_plain(entry.title) or link or "Untitled")
    head = f'<h2><a href="{entities.escape(link)}">{title}</a></h2>' if link else f"<h2>{title}</h2>"
    about = ", ".join(part for part in (entry.published or entry.updated, entry.author) if part)
    body = entry.content if isinstance(entry.content, str) and entry.content.strip() else entry.summary
    return f"<article>{head}<p>{entities.escape(about)}</p>{_body(body or '', link or base)}</article>"


def _body(markup: str, base: str) -> str:
    fragment = turbohtml.parse_fragment(markup, positions=False)
    addresses.make_absolute(fragment, base)
    return f"<div>{fragment.inner_html}</div>"


def _plain(text: str | None) -> str:
    """A title's words: many feeds put HTML, or HTML escaped twice, where plain text belongs."""
    return " ".join(turbohtml.parse_fragment(text or "", positions=False).text.split())


def _sitemap(document: Document) -> str:
    root = document.root
    if root is None or root.tag.rpartition(":")[2] not in _SITEMAPS:
        return ""
    items = "".join(_location(child) for child in root.children if isinstance(child, Element))
    return f"<ul>{items}</ul>" if items else ""


def _location(entry: Element) -> str:
    said = {child.tag: child.text.strip() for child in entry.children if isinstance(child, Element)}
    place = entities.escape(said.get("loc", ""))
    changed = f" ({entities.escape(said['lastmod'])})" if said.get("lastmod") else ""
    return f'<li><a href="{place}">{place}</a>{changed}</li>' if place else ""
