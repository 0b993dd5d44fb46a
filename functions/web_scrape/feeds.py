"""Feeds and sitemaps as HTML, so that they are read like every other page."""

import html as entities
from typing import Final

import turbohtml
from turbohtml import CData, Document, Element, Text
from turbohtml.extract import Entry, Feed

from web_scrape import addresses, xmltree

_SITEMAPS: Final = frozenset({"urlset", "sitemapindex"})


def to_html(xml: str, url: str) -> tuple[str, bool] | None:
    """The items of a feed or the addresses of a sitemap as an HTML document; None for any other XML.

    Beside it, whether the end was broken and left out.
    """
    parsed = xmltree.parse(xml)
    if parsed is None:
        return None
    document, cut = parsed
    feed = document.feed()
    body = _feed(feed, url) if feed else _sitemap(document)
    if not body:
        return None
    head = _head(feed) if feed else ""
    return f"<!DOCTYPE html><html{_language(document)}><head>{head}</head><body>{body}</body></html>", cut


def _language(document: Document) -> str:
    """RSS says it in an element, Atom in an attribute."""
    root = document.root
    said = (root.attr("xml:lang") if root else None) or _text_of(document.find("language"))
    return f' lang="{entities.escape(said)}"' if said else ""


def _head(feed: Feed) -> str:
    title, description = entities.escape(_plain(feed.title)), entities.escape(_plain(feed.description))
    return f'<title>{title}</title><meta name="description" content="{description}">'


def _text_of(element: Element | None) -> str:
    """The words of an element, CDATA among them."""
    parts = element.children if element else ()
    return "".join(part.data for part in parts if isinstance(part, Text | CData)).strip()


def _feed(feed: Feed, url: str) -> str:
    title = f"<h1>{entities.escape(_plain(feed.title))}</h1>" if feed.title else ""
    about = f"<p>{entities.escape(_plain(feed.description))}</p>" if feed.description else ""
    base = addresses.absolute(url, feed.link or "") or url
    return title + about + "".join(_entry(entry, base) for entry in feed.entries)


def _entry(entry: Entry, base: str) -> str:
    link = (addresses.absolute(base, entry.link) if entry.link else None) or ""
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
    if root is None or _local(root) not in _SITEMAPS:
        return ""
    items = "".join(_location(child) for child in root.children if isinstance(child, Element))
    return f"<ul>{items}</ul>" if items else ""


def _location(entry: Element) -> str:
    said = {_local(child): _text_of(child) for child in reversed(entry.children) if isinstance(child, Element)}
    place = entities.escape(said.get("loc", ""))
    changed = f" ({entities.escape(said['lastmod'])})" if said.get("lastmod") else ""
    return f'<li><a href="{place}">{place}</a>{changed}</li>' if place else ""


def _local(element: Element) -> str:
    """The name of an element without its prefix."""
    return element.tag.rpartition(":")[2]
