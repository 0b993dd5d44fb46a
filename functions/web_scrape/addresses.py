"""Addresses of a page made absolute, whatever its authors wrote in them."""

from urllib.parse import urljoin

from turbohtml import Document, Node


def base_of(document: Document, url: str) -> str:
    """The address relative ones are read against: that of <base href>, if it is one, else the page's own."""
    try:
        return document.base_url(url)
    except ValueError:
        return url


def absolute(base: str, href: str) -> str | None:
    """`href` as seen from `base`; None when no address can be made of it."""
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return None


def make_absolute(root: Node, base: str) -> None:
    """Resolve every address under `root`. One that cannot be read is left, and costs the others nothing."""
    try:
        root.resolve_links(base)
    except ValueError:  # the first unreadable address ends the fast way
        root.rewrite_links(lambda href: absolute(base, href))
