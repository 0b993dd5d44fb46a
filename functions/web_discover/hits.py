"""From what a vendor found to the rows of web.discover: cleaned, without duplicates, in the vendor's order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from verbena.catalog.web import Hit
from verbena.errors import InvalidUrl
from verbena.urls import normalise
from web_discover.dates import iso
from web_discover.text import plain, snippet

# Parameters that say where a click came from, not what is shown.
TRACKING: Final = frozenset({"dclid", "fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "srsltid", "yclid"})


@dataclass(frozen=True, slots=True)
class Raw:
    """A hit in a vendor's words; what it does not say is None."""

    url: object
    title: object = None
    snippet: object = None
    published: object = None
    score: object = None
    extras: Mapping[str, Any] | None = None


def rows(found: Iterable[Raw], provider: str, today: date) -> list[Hit]:
    """One row a page."""
    return [_row(url, raw, provider, today) for url, raw in pages(found)]


def pages(found: Iterable[Raw]) -> list[tuple[str, Raw]]:
    """What was found, with its URL. What has no http(s) URL is nothing; of two of the same page the first stays."""
    first: dict[str, tuple[str, Raw]] = {}
    for raw in found:
        try:
            url = normalise(str(raw.url or ""))
        except InvalidUrl:
            continue
        first.setdefault(_identity(url), (url, raw))
    return list(first.values())


def _row(url: str, raw: Raw, provider: str, today: date) -> Hit:
    extras = {name: value for name, value in (raw.extras or {}).items() if value not in (None, "", [], {})}
    hit = Hit(
        url=url,
        title=plain(raw.title) or url,
        snippet=snippet(raw.snippet),
        provider=provider,
        published_at=iso(raw.published, today),
        score=raw.score if isinstance(raw.score, int | float) and not isinstance(raw.score, bool) else None,
    )
    return hit.model_copy(update={"extras": extras}) if extras else hit


def _identity(url: str) -> str:
    """What two URLs of one page share."""
    parts = urlsplit(url)
    query = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if name not in TRACKING and not name.startswith("utm_")
    ]
    host = parts.netloc.removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{urlencode(query)}"
