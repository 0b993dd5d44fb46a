"""Parse HTML within a bounded cost, whatever the bytes."""

import re
from typing import Final

import turbohtml
from turbohtml import Document

# About 3 seconds of reading at the speed measured; the largest of 1,878 labelled pages has 62,000.
MAX_TAGS: Final = 300_000
# HTML says that formatting left open is opened again in every later block. Honest pages repeat a few thousand
# elements so; a hostile one of 400 KB repeats ten million.
_MAX_REOPENED: Final = 1_000_000
# The parser's own bound.
_MAX_DEPTH: Final = 512
_FORMATTING_START: Final = r"<(/?)(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s>/])"
_FORMATTING = re.compile(_FORMATTING_START + "[^>]{0,2000}>", re.IGNORECASE)
_FORMATTING_STARTS = re.compile(_FORMATTING_START, re.IGNORECASE)


def parse(html: str) -> tuple[Document, bool]:
    """The document, and whether it had so many tags that its end was left unread."""
    cut = _cut_at_tag(html, MAX_TAGS)
    if _MAX_DEPTH * cut.count("<") > _MAX_REOPENED and _reopened(cut) > _MAX_REOPENED:
        cut = _FORMATTING.sub("", cut)
    return turbohtml.parse(cut, positions=False), len(cut) < len(html)


def _cut_at_tag(html: str, limit: int) -> str:
    if html.count("<") <= limit:
        return html
    for seen, tag in enumerate(re.finditer("<", html)):
        if seen == limit:
            return html[: tag.start()]
    return html


def _reopened(html: str) -> int:
    """At most how many formatting elements a parser has to open again: the deepest nesting times the tags."""
    depth = deepest = 0
    for slash in _FORMATTING_STARTS.findall(html):
        depth = max(0, depth - 1) if slash else depth + 1
        deepest = max(deepest, depth)
    return min(deepest, _MAX_DEPTH) * html.count("<")
