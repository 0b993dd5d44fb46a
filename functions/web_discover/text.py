"""Titles and snippets as plain text: entities resolved, formatting tags dropped, everything else kept as written."""

from html.parser import HTMLParser
from typing import Final

# What search engines mark words with, and the breaks between pieces. Other things in angle brackets are text that a
# vendor did not escape, such as `vector<int>`.
FORMATTING: Final = frozenset({"a", "b", "br", "div", "em", "i", "li", "mark", "p", "span", "strong", "ul", "wbr"})
BREAKS: Final = frozenset({"br", "div", "li", "p", "ul"})
SNIPPET_CHARS: Final = 1000
"""A snippet says what a page is about; some vendors send the page."""


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - the parser's words
        if tag not in FORMATTING:
            self.parts.append(self.get_starttag_text() or "")
        elif tag in BREAKS:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag not in FORMATTING:
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def plain(markup: object) -> str:
    """One line of text; anything but a string is none."""
    if not isinstance(markup, str):
        return ""
    text = markup
    if "<" in text or "&" in text:
        parser = _Text()
        parser.feed(text)
        parser.close()
        text = "".join(parser.parts)
    return " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in text).split())


def snippet(markup: object) -> str:
    """Plain text of a snippet's length, cut between words."""
    text = plain(markup)
    if len(text) <= SNIPPET_CHARS:
        return text
    return text[: SNIPPET_CHARS - 2].rsplit(" ", 1)[0] + " …"
