"""Titles and snippets as plain text: entities resolved, formatting tags dropped, everything else kept as written."""

import re
from html.parser import HTMLParser
from typing import Final

# What search engines mark words with, and the breaks between pieces. Other things in angle brackets are text that a
# vendor did not escape, such as `vector<int>`.
FORMATTING: Final = frozenset({"a", "b", "br", "div", "em", "i", "li", "mark", "p", "span", "strong", "ul", "wbr"})
BREAKS: Final = frozenset({"br", "div", "li", "p", "ul"})
# Characters that show nothing and split words; joiners, which change what is shown, stay.
INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
SNIPPET_CHARS: Final = 1000
"""A snippet says what a page is about; some vendors send the page."""


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def set_cdata_mode(self, *_: object, **__: object) -> None:
        """A snippet that speaks of <script> holds none."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An attribute without a value is none of formatting: `a<b && c>d` is text."""
        if tag not in FORMATTING or any(value is None for _, value in attrs):
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
    text = _without_tags(markup) if "<" in markup or "&" in markup else markup
    return " ".join(CONTROL.sub(" ", text.translate(INVISIBLE)).split())


def snippet(markup: object) -> str:
    """Plain text of a snippet's length, cut between words; pieces of a page are joined."""
    pieces = markup if isinstance(markup, list) else [markup]
    text = " … ".join(filter(None, map(plain, pieces)))
    if len(text) <= SNIPPET_CHARS:
        return text
    return text[: SNIPPET_CHARS - 2].rsplit(" ", 1)[0] + " …"


def _without_tags(markup: str) -> str:
    parser = _Text()
    parser.feed(markup)
    parser.close()
    return "".join(parser.parts)
