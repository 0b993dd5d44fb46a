"""What several vendors ask in the same way: sites written into the query, days, spellings of a language."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Final

from verbena.catalog.web import DiscoverInput
from verbena.providers import Failure

DAYS: Final = {"day": 1, "week": 7, "month": 31, "year": 365}
LONG_AGO: Final = "1970-01-01"
"""The first day of a range, where a vendor wants one and the caller set none."""

SCRIPTS: Final = {"hans": "CN", "hant": "TW"}
"""The country whose way of writing a script means, for vendors that know no scripts."""


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


def has_dates(query: DiscoverInput) -> bool:
    """Whether days are asked for, which say more than a freshness does."""
    return bool(query.published_after or query.published_before)


def days(query: DiscoverInput, today: date) -> tuple[str, str]:
    """The first and the last day, for vendors that want both."""
    return first_day(query, today) or LONG_AGO, query.published_before or today.isoformat()


def american(day: str) -> str:
    """MM/DD/YYYY of YYYY-MM-DD."""
    return f"{day[5:7]}/{day[8:10]}/{day[:4]}"


def spelled(tag: str, known: Collection[str], spellings: Mapping[str, str]) -> str | None:
    """The longest beginning of a language tag that a vendor has a word for."""
    parts = tag.lower().split("-")
    beginnings = ["-".join(parts[:end]) for end in range(len(parts), 0, -1)]
    words = (word for beginning in beginnings for word in (spellings.get(beginning), beginning))
    return next((word for word in words if word in known), None)


def locale(tag: str, region: str | None = None) -> str:
    """A language with the country given, else the one its tag names: `en`, `pt-BR`."""
    language, *rest = tag.split("-")
    named = (part if len(part) == 2 else SCRIPTS.get(part.lower()) for part in rest)  # noqa: PLR2004 - ISO 3166
    country = region or next(filter(None, named), None)
    return f"{language.lower()}-{country.upper()}" if country else language.lower()


def is_filtered(query: DiscoverInput) -> bool | None:
    """Whether adult content is unwanted, for vendors that know no degrees; None if the caller does not say."""
    return None if query.safe_search is None else query.safe_search != "off"


def refused(vendor: str, field: str, taken: str) -> Failure:
    """A value that other vendors may take."""
    return Failure("vendor_param", f"{vendor} takes {taken} as {field}")


def split(lines: str) -> frozenset[str]:
    """The words of a text, for tables that read better as one."""
    return frozenset(lines.split())
