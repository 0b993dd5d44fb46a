"""Main content of an HTML page as Markdown or plain text: pure functions of the bytes and the address."""

from turbohtml import Document, Element

from web_scrape import addresses, hints, main_content, markdown, plain, prepare, tree
from web_scrape.decode import decode
from web_scrape.hints import Hints


def to_markdown(html: bytes, url: str) -> str:
    """The main content of a page as GitHub-flavoured Markdown with absolute links."""
    main = _main(html, url)
    return markdown.render(main) if main else ""


def to_text(html: bytes, url: str) -> str:
    """The main content of a page as plain text."""
    main = _main(html, url)
    return plain.render(main) if main else ""


def visible_body(document: Document, url: str) -> Element:
    """Everything a reader of the page sees. Changes the document: what is no text, or hidden, is gone from it."""
    root = document.root or Element("html")
    prepare.prepare(root, addresses.base_of(document, url))
    return root.find("body") or root


def main_of(body: Element, about: Hints) -> Element | None:
    """The main content of a visible body, which is changed; None when the page holds none."""
    return body if main_content.keep_main(body, about) else None


def _main(html: bytes, url: str) -> Element | None:
    document, _ = tree.parse(decode(html).text)
    about = hints.read(document, url)
    return main_of(visible_body(document, url), about)
