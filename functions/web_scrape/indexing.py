"""Whether a page asks search engines not to list it, as <meta name=robots> and X-Robots-Tag say it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from verbena import settings

if TYPE_CHECKING:
    from turbohtml import Document

_NAMES = frozenset({"robots", settings.AGENT.lower()})
_REFUSALS = frozenset({"noindex", "none"})
# The directives that have a value themselves, so that what stands before the colon names no agent.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def in_document(document: "Document") -> bool:
    metas = [e for e in document.select("meta[name]") if (e.attr("name") or "").strip().lower() in _NAMES]
    return any(noindex(e.attr("content") or "") for e in metas)


def in_headers(headers: Mapping[str, str]) -> bool:
    return any(noindex(value) for name, value in headers.items() if name.lower() == "x-robots-tag")


def noindex(value: str) -> bool:
    """Whether a list of directives says so to us: directives behind an agent's name are that agent's."""
    agent = ""
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in _VALUED:
            agent, part = name.strip(), rest  # noqa: PLW2901
        if part.strip() in _REFUSALS and agent in {"", *_NAMES}:
            return True
    return False
