"""Main content of an HTML page as Markdown or plain text: pure functions of the bytes and the address."""

from typing import Final

from turbohtml import Document, Element

from web_scrape import addresses, main_content, markdown, plain, prepare, tree
from web_scrape.decode import decode
from web_scrape.outline import text_length

# When less than this is left, the page is too unusual to be cut: a reader gets all of it.
_MIN_MAIN_CHARS: Final = 140


def to_markdown(html: bytes, url: str) -> str:
    """The main content of a page as GitHub-flavoured Markdown with absolute links."""
    return markdown.render(_main(decode(html).text, url))


def to_text(html: bytes, url: str) -> str:
    """The main content of a page as plain text."""
    return plain.render(_main(decode(html).text, url))


def visible_body(document: Document, url: str) -> Element:
    """Everything a reader of the page sees. Changes the document: what is no text, or hidden, is gone from it."""
    root = document.root or Element("html")
    prepare.prepare(root, addresses.base_of(document, url))
    return root.find("body") or root


def main_of(body: Element, html: str, url: str) -> Element:
    """The main content of a visible body, which is changed; all of `html` again when the page is nothing else."""
    whole = text_length(body)
    main = main_content.keep_main(body)
    if text_length(main) >= min(_MIN_MAIN_CHARS, whole):
        return main
    return visible_body(tree.parse(html)[0], url)


def _main(html: str, url: str) -> Element:
    document, _ = tree.parse(html)
    return main_of(visible_body(document, url), html, url)
