"""Pieces of vendors' answers, whatever shape they turn out to have: what is not as promised is left out, alone."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from verbena.catalog.web import AnswerSource, WrittenAnswer
from verbena.providers import Setup
from web_discover.hits import Raw, pages
from web_discover.text import plain


@dataclass(frozen=True, slots=True)
class Names:
    """What a vendor calls the fields of a hit."""

    url: str = "url"
    title: str = "title"
    snippet: str = "snippet"
    published: str = "date"
    score: str = "score"
    extras: tuple[str, ...] = ()


def hits(values: object, names: Names) -> list[Raw]:
    """The hits of a list, by the names of their fields."""
    return [_hit(value, names) for value in records(values)]


def records(values: object) -> list[dict[str, Any]]:
    """The objects of a list; what is no list has none."""
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def texts(values: object) -> list[str]:
    """The texts of a list; what is no list has none."""
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def inside(value: object, *names: str) -> Any:
    """What lies at the end of a path of names; None where it breaks off."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def micros(dollars: object) -> int | None:
    """USD as micro-USD; None for what is no amount."""
    amount = _amount(dollars)
    return None if amount is None else round(amount * 1_000_000)


def credit_micros(count: object, setup: Setup) -> int | None:
    """What credits cost, in micro-USD; None unless the provider's config says `micros_per_credit`."""
    used, price = _amount(count), _amount(setup.tuning.get("micros_per_credit"))
    return None if used is None or price is None else round(used * price)


def written(text: object, sources: Iterable[Raw]) -> WrittenAnswer | None:
    """A written answer with the pages it comes from; None if there is no text."""
    if not isinstance(text, str) or not text.strip():
        return None
    told = [AnswerSource(url=url, title=plain(source.title) or None) for url, source in pages(sources)]
    return WrittenAnswer(text=text.strip(), sources=told)


def _hit(said: dict[str, Any], names: Names) -> Raw:
    return Raw(
        url=said.get(names.url),
        title=said.get(names.title),
        snippet=said.get(names.snippet),
        published=said.get(names.published),
        score=said.get(names.score),
        extras={name: said.get(name) for name in names.extras},
    )


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) and value >= 0 else None
