"""Main content of an HTML page as Markdown or plain text: pure functions of the bytes and the address."""

from typing import Final

import turbohtml
from turbohtml import Element

from web_scrape import main_content, markdown, plain, prepare
from web_scrape.decode import decode

# When less than this is left, the page is too unusual to be cut: a reader gets all of it.
_MIN_MAIN_CHARS: Final = 140


def to_markdown(html: bytes, url: str) -> str:
    """The main content of a page as GitHub-flavoured Markdown with absolute links."""
    return markdown.render(content(decode(html).text, url))


def to_text(html: bytes, url: str) -> str:
    """The main content of a page as plain text."""
    return plain.render(content(decode(html).text, url))


def content(html: str, url: str, *, only_main: bool = True) -> Element:
    """The tree to be shown: the main content, or the whole body without what is not text or is hidden."""
    body = _body(html, url)
    if not only_main:
        return body
    whole = len(body.text)
    main = main_content.keep_main(body)
    kept = len(main.text)
    return main if kept >= min(_MIN_MAIN_CHARS, whole) else _body(html, url)


def _body(html: str, url: str) -> Element:
    document = turbohtml.parse(html, positions=False)
    root = document.root or Element("html")
    prepare.prepare(root, document.base_url(url))
    return root.find("body") or root
