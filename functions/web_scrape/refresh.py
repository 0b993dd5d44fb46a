"""Where a page sends its visitors on by itself: the refresh of its head, its body or its headers."""

import re
from typing import Final

from verbena.errors import InvalidUrl, UnsupportedType
from verbena.net import Reply
from verbena.urls import joined
from web_scrape import kinds
from web_scrape.decode import decode

# "You will be taken there in ten seconds" is the longest notice of a move; a page that means to be read for
# longer, or to show the next picture then, is a page.
MOST_DELAY_S: Final = 10

_HINT = re.compile(rb"<meta[^>]{0,2000}?refresh", re.IGNORECASE)
_SPACE: Final = "\t\n\f\r "
_DELAY = re.compile(r"[\t\n\f\r ]*(?:([0-9]+)|(?=\.))[0-9.]*")
_URL = re.compile(r"url[\t\n\f\r ]*=[\t\n\f\r ]*", re.IGNORECASE)


def hinted(reply: Reply) -> bool:
    """Whether `target` needs to look: quick, and right whenever it says no."""
    return "Refresh" in reply.headers or _HINT.search(reply.body) is not None


def target(reply: Reply) -> str | None:
    """The page a browser would be at a moment later; None when it would still be at this one.

    The first refresh counts, as in the HTML standard. One inside <noscript> is for who runs no scripts, as we do,
    and is taken where the page shows nothing else. A challenge refreshes in order to be passed: it is left alone.
    """
    header = _read(reply.headers.get("Refresh", ""))
    if header is not None:
        return _followed(header, reply.url, reply.url)
    try:
        kind, _ = kinds.kind_of(reply.body, reply.headers.get("Content-Type"))
    except UnsupportedType:
        return None
    return _of_document(reply) if kind == "html" else None


def _of_document(reply: Reply) -> str | None:
    # Late, so that importing the executor does not load the engine.
    from web_scrape import addresses, extract, tree, verdict  # noqa: PLC0415

    html = decode(reply.body, reply.headers.get("Content-Type")).text
    document, _ = tree.parse(html)
    base = addresses.base_of(document, reply.url)
    metas = [e for e in document.select('meta[http-equiv="refresh" i]') if e.closest("template") is None]
    found = [(e.closest("noscript") is None, read) for e in metas if (read := _read(e.attr("content") or ""))]
    if not found:
        return None
    signs = verdict.signs(document, html, reply.url)
    shown = extract.visible_body(document, reply.url).text
    if verdict.wall(signs, shown):
        return None
    chosen = next((read for scripted, read in found if scripted), None)
    if chosen is None and not shown.strip():
        chosen = found[0][1]
    return _followed(chosen, base, reply.url) if chosen else None


def _read(content: str) -> tuple[int, str] | None:
    """Seconds and URL, by the standard's steps; the URL is empty for the page's own, and None says no refresh."""
    delay = _DELAY.match(content)
    if delay is None:
        return None
    rest = content[delay.end() :]
    if rest and rest[0] not in ";," + _SPACE:
        return None
    rest = rest.lstrip(_SPACE)
    rest = rest[1:].lstrip(_SPACE) if rest[:1] in {";", ","} else rest
    if named := _URL.match(rest):
        rest = rest[named.end() :]
    if rest[:1] in {'"', "'"}:
        rest = rest[1:].partition(rest[0])[0]
    # Longer numbers are as good as never.
    return int((delay[1] or "0")[:6]), rest.strip(_SPACE)


def _followed(refresh: tuple[int, str], base: str, page: str) -> str | None:
    delay, url = refresh
    if delay > MOST_DELAY_S or not url:
        return None
    try:
        found = joined(base, url)
    except InvalidUrl:  # a script, a mail address, an application's own scheme: no page
        return None
    # One that comes back to itself after a while keeps itself fresh; at once, it wants its cookies back.
    return None if found == page and delay else found
