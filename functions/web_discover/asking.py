"""What several vendors ask in the same way: sites written into the query, a freshness as days."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Failure

DAYS: Final = {"day": 1, "week": 7, "month": 31, "year": 365}


def with_sites(query: DiscoverInput) -> str:
    """The query with `site:` words, for vendors that have no field for domains."""
    wanted = [f"site:{site}" for site in query.include_domains]
    unwanted = [f"-site:{site}" for site in query.exclude_domains]
    either = f"({' OR '.join(wanted)})" if len(wanted) > 1 else "".join(wanted)
    return " ".join(filter(None, [query.query.strip(), either, *unwanted]))


def first_day(query: DiscoverInput, today: date) -> str | None:
    """The earliest day of publication asked for, whichever field asks: YYYY-MM-DD."""
    days = [query.published_after] if query.published_after else []
    if query.freshness:
        days.append((today - timedelta(days=DAYS[query.freshness])).isoformat())
    return max(days, default=None)


def refused(vendor: str, field: str, taken: str) -> Failure:
    """A value that other vendors may take."""
    return Failure("vendor_param", f"{vendor} takes {taken} as {field}")


def split(lines: str) -> frozenset[str]:
    """The words of a text, for tables that read better as one."""
    return frozenset(lines.split())


def texts(values: Iterable[object]) -> list[str]:
    return [value for value in values if isinstance(value, str)]
