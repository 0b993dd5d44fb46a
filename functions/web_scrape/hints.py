"""What a page says of itself outside its text: its title, its kinds, the shape of its address."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from turbohtml import Document

_MAX_TITLE: Final = 300
_JSON_LD_TYPE: Final = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]{3,40})"')


@dataclass(frozen=True)
class Hints:
    """The <title>; types of JSON-LD and OpenGraph in lower case; the path of the address."""

    title: str = ""
    kinds: frozenset[str] = frozenset()
    path: str = ""


def read(document: Document, url: str) -> Hints:
    """The hints of a document from which nothing has been removed yet."""
    title = document.select_one("title")
    kind = document.select_one('meta[property="og:type" i]')
    kinds = {kind.attr("content") or ""} if kind else set()
    for script in document.select('script[type="application/ld+json" i]'):
        kinds.update(_JSON_LD_TYPE.findall(script.text))
    return Hints(
        title=title.text[:_MAX_TITLE] if title else "",
        kinds=frozenset(kind.lower() for kind in kinds),
        path=_path(url),
    )


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
