"""From what a vendor found to the rows of web.discover: cleaned, without duplicates, in the vendor's order."""

from collections.abc import Iterable, Iterator, Mapping
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
    """One row a page. A hit without an http(s) URL is none; of two with the same page the first stays."""
    seen: set[str] = set()
    kept = []
    for identity, hit in _cleaned(found, provider, today):
        if identity not in seen:
            seen.add(identity)
            kept.append(hit)
    return kept


def _cleaned(found: Iterable[Raw], provider: str, today: date) -> Iterator[tuple[str, Hit]]:
    for raw in found:
        try:
            url = normalise(str(raw.url or ""))
        except InvalidUrl:
            continue
        score = raw.score if isinstance(raw.score, int | float) and not isinstance(raw.score, bool) else None
        extras = {name: value for name, value in (raw.extras or {}).items() if value not in (None, "", [], {})}
        hit = Hit(
            url=url,
            title=plain(raw.title) or url,
            snippet=snippet(raw.snippet),
            provider=provider,
            published_at=iso(raw.published, today),
            score=score,
        )
        yield _identity(url), hit.model_copy(update={"extras": extras}) if extras else hit


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
