"""Main content of an HTML page as Markdown or plain text: pure functions of the bytes and the address."""

from turbohtml import Document, Element

from web_scrape import addresses, hints, main_content, markdown, plain, prepare, tree
from web_scrape.decode import decode
from web_scrape.hints import Hints


def to_markdown(html: bytes, url: str) -> str:
    """The main content of a page as GitHub-flavoured Markdown with absolute links."""
    return markdown.render(_main(html, url))


def to_text(html: bytes, url: str) -> str:
    """The main content of a page as plain text."""
    return plain.render(_main(html, url))


def visible_body(document: Document, url: str) -> Element:
    """Everything a reader of the page sees. Changes the document: what is no text, or hidden, is gone from it."""
    root = document.root or Element("html")
    prepare.prepare(root, addresses.base_of(document, url))
    return root.find("body") or root


def main_of(body: Element, about: Hints) -> Element:
    """The main content of a visible body, which is changed; all of it when the page is nothing else."""
    main_content.keep_main(body, about)
    return body


def _main(html: bytes, url: str) -> Element:
    document, _ = tree.parse(decode(html).text)
    about = hints.read(document, url)
    return main_of(visible_body(document, url), about)
