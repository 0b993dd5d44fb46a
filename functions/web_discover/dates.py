"""Dates of search results, as vendors write them, in ISO 8601."""

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

FORMS: Final = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%Y/%m/%d")
AGO: Final = re.compile(r"(\d{1,4}) (minute|hour|day|week|month|year)s? ago")
DAYS: Final = {"minute": 0.0, "hour": 0.0, "day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}


def iso(written: object, today: date) -> str | None:
    """The moment or day a vendor means; None if it does not say or cannot be read. Zones are kept, never made up."""
    if not isinstance(written, str) or not written.strip():
        return None
    text = written.strip()
    return _standard(text) or _mail(text) or _named(text) or _ago(text, today)


def _standard(text: str) -> str | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return text if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) else _written(moment)


def _mail(text: str) -> str | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return _written(moment.astimezone(UTC) if moment.tzinfo else moment)


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _named(text: str) -> str | None:
    for form in FORMS:
        try:
            return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


def _ago(text: str, today: date) -> str | None:
    match = AGO.fullmatch(text.lower())
    if match is None:
        return None
    try:
        return (today - timedelta(days=int(match[1]) * DAYS[match[2]])).isoformat()
    except OverflowError:
        return None
