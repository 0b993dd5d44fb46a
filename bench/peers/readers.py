"""The readers that a bench of reading compares: for each, what makes text of a page and what makes Markdown of it."""

import html as entities
import importlib
import re
from collections.abc import Callable

Extract = Callable[[bytes, str], str]


def ours() -> tuple[Extract, Extract]:
    """web.scrape's own."""
    extract = importlib.import_module("web_scrape.extract")
    return extract.to_text, extract.to_markdown


def trafilatura() -> tuple[Extract, Extract]:
    library = importlib.import_module("trafilatura")
    return (
        lambda body, url: library.extract(body, url=url or None) or "",
        lambda body, url: library.extract(body, url=url or None, output_format="markdown") or "",
    )


def trafilatura_fast() -> tuple[Extract, Extract]:
    library = importlib.import_module("trafilatura")
    return (
        lambda body, url: library.extract(body, url=url or None, fast=True) or "",
        lambda body, url: library.extract(body, url=url or None, fast=True, output_format="markdown") or "",
    )


def resiliparse() -> tuple[Extract, Extract]:
    """It writes no Markdown."""
    text = importlib.import_module("resiliparse.extract.html2text").extract_plain_text
    detected = importlib.import_module("resiliparse.parse.encoding")

    def extract(body: bytes, _url: str) -> str:
        page = detected.bytes_to_str(body, detected.detect_encoding(body))
        return text(page, main_content=True, alt_texts=False)

    return extract, extract


def readability() -> tuple[Extract, Extract]:
    """It gives HTML; its text is that without the tags."""
    library = importlib.import_module("readability")

    def extract(body: bytes, _url: str) -> str:
        summary = library.Document(body.decode("utf-8", "replace")).summary()
        return entities.unescape(re.sub(r"<[^>]+>", " ", summary))

    return extract, extract


def html_to_markdown() -> tuple[Extract, Extract]:
    """It converts the whole page."""
    library = importlib.import_module("html_to_markdown")

    def convert(body: bytes, _url: str) -> str:
        result = library.convert(body.decode("utf-8", "replace"))
        return result if isinstance(result, str) else str(getattr(result, "content", None) or "")

    return convert, convert


READERS: dict[str, Callable[[], tuple[Extract, Extract]]] = {
    "web_scrape": ours,
    "trafilatura": trafilatura,
    "trafilatura, fast": trafilatura_fast,
    "resiliparse": resiliparse,
    "readability-lxml": readability,
    "html-to-markdown, whole page": html_to_markdown,
}
