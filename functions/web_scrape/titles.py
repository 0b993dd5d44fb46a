"""The title of a page without the name of its site, which templates put around it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_SEPARATOR = re.compile(r"\s+(?:[|\u2013—:·•»«\u203a\u2039/~-]|::|\|\|)\s+|\s*[|»]\s*|:\s+")
_WORD = re.compile(r"\w+")
_NOTHING: Final = frozenset(
    {"home", "homepage", "index", "untitled", "untitled document", "document", "page", "welcome"}
)
# A heading that is a part of the title but this short is a label above it: "News", "Blog".
_LEAST_HEADING: Final = 4
# Words that sites put beside their name, and a name too short to be told from a word.
_GENERIC: Final = frozenset(
    {
        "blog",
        "com",
        "community",
        "docs",
        "documentation",
        "forum",
        "forums",
        "news",
        "official",
        "online",
        "org",
        "shop",
    }
    | {"site", "store", "support", "the", "website", "wiki"}
)
_LEAST_NAME: Final = 3


def plain_title(stated: Sequence[str], headings: Sequence[str], site: str | None, url: str) -> str | None:
    """The first title that is one, freed of what is there on every page; a heading of the page if there is none.

    `stated` are what the page's head says, the best first, `headings` its first ones.
    """
    is_site = _Site.of(site, url).is_named
    titles = [title for title in stated if _folded(title) not in _NOTHING]
    for title in titles:
        if part := _heading_in(title, headings, is_site) or _own_part(title, is_site):
            return part
    return next(iter((*titles, *headings, *stated)), None)


@dataclass(frozen=True, slots=True)
class _Site:
    """What a site calls itself, and its host, as `_compact` writes them."""

    names: frozenset[str]
    host: str

    @classmethod
    def of(cls, site: str | None, url: str) -> "_Site":
        parts = [site, *_SEPARATOR.split(site)] if site else []
        return cls(frozenset(map(_compact, parts)) - {""}, (urlsplit(url).hostname or "").removeprefix("www."))

    def is_named(self, text: str) -> bool:
        """Whether a text is the site's name, or made of words of its host alone."""
        words = [word for word in _WORD.findall(text.casefold()) if word not in _GENERIC]
        whole = "".join(words)
        squeezed = _compact(self.host)
        spelled = bool(words) and len(whole) >= _LEAST_NAME and all(word in squeezed for word in words)
        return _compact(text) in self.names or spelled


def _heading_in(title: str, headings: Sequence[str], is_site: Callable[[str], bool]) -> str | None:
    """The side of a title that is a heading of the page too, the left one if both are."""
    own = [h for h in headings if len(h) >= _LEAST_HEADING and not is_site(h)]
    whole = _folded(title)
    if any(_folded(heading) == whole for heading in own):
        return title
    lengths = [len(h) for h in own if whole.startswith(_folded(h)) and _SEPARATOR.match(title, len(h))]
    if lengths:
        return title[: max(lengths)]
    gaps = {gap.end() for gap in _SEPARATOR.finditer(title)}
    starts = [len(title) - len(h) for h in own if whole.endswith(_folded(h))]
    return next((title[start:] for start in sorted(starts) if start in gaps), None)


def _own_part(title: str, is_site: Callable[[str], bool]) -> str | None:
    """What is left of a title without the site's name before or after it; None if nothing is."""
    start, end = 0, len(title)
    while not is_site(title[start:end]):
        gaps = list(_SEPARATOR.finditer(title, start, end))
        if gaps and is_site(title[gaps[-1].end() : end]):
            end = gaps[-1].start()
        elif gaps and is_site(title[start : gaps[0].start()]):
            start = gaps[0].end()
        else:
            return title[start:end]
    return None


def _compact(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _folded(text: str) -> str:
    """In one case, and as long as it was, so that places in it are places in the text."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text
