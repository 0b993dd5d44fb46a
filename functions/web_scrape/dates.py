"""Dates as pages write them, in ISO 8601."""

import re
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\S.*)?")
_BASIC = re.compile(r"\d{8}T\d{4,6}(?:Z|[+-]\d{4})?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b")
_DAY_FIRST = re.compile(r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b")
_SLASHED = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")
_DAY_MONTH = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+)?([^\W\d_]{3,12})\.?,?\s+(?:de\s+)?(\d{4})\b")
_MONTH_DAY = re.compile(r"\b([^\W\d_]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b")
_IN_ADDRESS = re.compile(r"/((?:19|20)\d{2})/(\d{1,2})/(\d{1,2})(?:/|$)")
_YEARS: Final = range(1900, 2101)
# What programs write for no date.
_NO_DATES: Final = frozenset({"1900-01-01", "1969-12-31", "1970-01-01", "1980-01-01"})
# English, German, French, Spanish, Italian, Portuguese, Dutch.
_MONTHS: Final = {
    name[:length]: number
    for number, names in enumerate(
        (
            "january januar janvier enero gennaio janeiro januari jänner",
            "february februar février fevrier febrero febbraio fevereiro februari",
            "march märz maerz mars marzo março maart",
            "april avril abril aprile",
            "may mai mayo maggio maio mei",
            "june juni juin junio giugno junho",
            "july juli juillet julio luglio julho",
            "august août aout agosto augustus",
            "september septembre septiembre settembre setembro",
            "october oktober octobre octubre ottobre outubro",
            "november novembre noviembre novembro",
            "december dezember décembre decembre diciembre dicembre dezembro",
        ),
        1,
    )
    for name in names.split()
    for length in ({len(name)} if number in {6, 7} else {3, 4, len(name)})
} | {"jun": 6, "jul": 7}


def iso(text: str | None) -> str | None:
    """A stated date or moment, its zone kept; None for what is none, or none that a page can have."""
    text = " ".join((text or "").split())
    return _sensible(_moment(text) or _day(text))


def in_address(path: str) -> str | None:
    """The day in the address of a page, as `/2024/03/01/` states it."""
    match = _IN_ADDRESS.search(path)
    return _sensible(_of(match[1], match[2], match[3])) if match else None


def _sensible(text: str | None) -> str | None:
    return text if text and int(text[:4]) in _YEARS and text[:10] not in _NO_DATES else None


def _moment(text: str) -> str | None:
    """What a machine wrote: ISO 8601, or the date of a mail header."""
    match = _ISO.fullmatch(text)
    if match and len(text) <= len("2026-01-31"):
        return _of(match[1], match[2], match[3])
    try:
        return (
            datetime.fromisoformat(text) if match or _BASIC.fullmatch(text) else parsedate_to_datetime(text)
        ).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return _of(match[1], match[2], match[3]) if match else None


def _day(text: str) -> str | None:
    """What a person wrote. A date whose day and month could be exchanged is none."""
    if match := _COMPACT.fullmatch(text) or _YEAR_FIRST.search(text):
        return _of(match[1], match[2], match[3])
    if match := _DAY_FIRST.search(text):
        return _of(match[3], match[2], match[1])
    if match := _SLASHED.search(text):
        first, second = int(match[1]), int(match[2])
        days = [(m, d) for m, d in ((first, second), (second, first)) if m <= 12]  # noqa: PLR2004 - months
        return _of(match[3], *days[0]) if len(set(days)) == 1 else None
    return _named(text)


def _named(text: str) -> str | None:
    for pattern, day, month in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for match in pattern.finditer(text):
            if number := _MONTHS.get(match[month].lower()):
                return _of(match[3], number, match[day])
    return None


def _of(year: str, month: str | int, day: str | int) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
