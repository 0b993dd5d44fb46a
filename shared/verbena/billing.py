"""What is counted and what it costs: units, the price book, quotes and charges. Money is whole micro-USD."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Units = Mapping[str, int]
Prices = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that can be counted; `micros` is its price until the operator sets another."""

    name: str
    micros: int
    counts: str


UNITS = (
    Unit("web_crawl", 1000, "one page read with success"),
    Unit("web_crawl_captcha", 3000, "one attempt to pass a captcha"),
    Unit("web_search", 0, "one search answered"),
    Unit("maps_place", 3500, "one place returned"),
    Unit("maps_reviews_page", 3500, "one page with at least one new review"),
    Unit("pages", 1000, "one document page converted"),
    Unit("images", 1000, "one image read"),
    Unit("audio_seconds", 100, "one second of sound transcribed"),
)


def price_book(overrides: Prices, units: Iterable[Unit] = UNITS) -> dict[str, int]:
    """The price of every registered unit; an override of an unknown unit is a ValueError."""
    book = {unit.name: unit.micros for unit in units}
    if unknown := sorted(set(overrides) - set(book)):
        message = f"prices for unknown units: {', '.join(unknown)}"
        raise ValueError(message)
    return book | dict(overrides)


def charge(units: Units, prices: Prices) -> int:
    """Price times quantity; units without a price in a frozen set of prices cost nothing."""
    return sum(count * prices.get(unit, 0) for unit, count in units.items())


def total(parts: Iterable[Units]) -> dict[str, int]:
    """The sum of several counts, without units that came to zero."""
    counted: Counter[str] = Counter()
    for part in parts:
        counted.update(part)
    return {unit: count for unit, count in sorted(counted.items()) if count}


def times(units: Units, factor: int) -> dict[str, int]:
    return {unit: count * factor for unit, count in units.items()}


def capped(units: Units, bound: Units) -> dict[str, int]:
    """No unit over its bound: what keeps a charge at or below its hold."""
    return {unit: kept for unit, count in units.items() if (kept := min(count, bound.get(unit, 0))) > 0}


def billable(status: str, *, from_cache: bool = False) -> bool:
    """The one place that says which row is paid for: a good one that was not at hand already."""
    return status == "success" and not from_cache


def dollars(micros: int) -> str:
    """Micro-USD as dollars, to the micro: 1000 is $0.001."""
    whole, part = divmod(micros, 1_000_000)
    return f"${whole:,}.{f'{part:06}'.rstrip('0').ljust(2, '0')}"
