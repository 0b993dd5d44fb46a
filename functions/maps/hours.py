"""Opening hours as periods: of OpenStreetMap's expressions, of a week of texts, of spans of minutes."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from opening_hours import OpeningHours, State, validate

from verbena.catalog.places import Hours, Period

WEEK: Final = datetime(2001, 1, 1)  # noqa: DTZ001 - hours are local to the place
"""Any Monday stands for all of them."""

DAY_MINUTES: Final = 24 * 60
WEEK_MINUTES: Final = 7 * DAY_MINUTES

IRREGULAR: Final = re.compile(
    r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|week|easter|sunrise|sunset|dawn|dusk|\d{4})|\[|\d\+"
)
"""What makes hours depend on more than the weekday and the time, as the library writes expressions."""

Span = tuple[int, int]
"""From and to, in minutes since Monday 00:00 local time; the end may lie in the next week."""


@lru_cache(maxsize=4096)
def of_expression(expression: str) -> Hours:
    """The hours an OSM `opening_hours` value means; of seasonal ones, and of those it is none, only the text.

    Holidays are left out: a regular week has none.
    """
    text = [expression]
    if not validate(expression):
        return Hours(periods=None, always_open=None, text=text)
    parsed = OpeningHours(expression, auto_country=False, auto_timezone=False)
    if IRREGULAR.search(re.sub(r'"[^"]*"', "", str(parsed))):
        return Hours(periods=None, always_open=None, text=text)
    return of_spans(_open_spans(parsed), text)


def of_spans(spans: Iterable[Span], text: Sequence[str] | None) -> Hours:
    """Hours of a regular week. What is open all of it is one period without a close."""
    joined = _joined(sorted(spans))
    always = any(end - start >= WEEK_MINUTES for start, end in joined)
    whole = [Period(day=1, open="00:00", close_day=None, close=None)]
    periods = whole if always else [_period(start, end) for start, end in joined]
    return Hours(periods=periods, always_open=always, text=list(text) if text else None)


def _open_spans(parsed: OpeningHours) -> list[Span]:
    """The spans that begin in the week that stands for all."""
    after = WEEK + timedelta(days=14)
    spans = [
        (_minutes(start), _minutes(end))
        for start, end, state, _ in parsed.intervals(WEEK - timedelta(days=1), after)
        if state == State.OPEN
    ]
    return [span for span in _joined(spans) if 0 <= span[0] < WEEK_MINUTES or span[1] - span[0] >= WEEK_MINUTES]


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Spans that touch, as one."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _minutes(moment: datetime) -> int:
    return round((moment.replace(tzinfo=None) - WEEK).total_seconds() / 60)


def _period(start: int, end: int) -> Period:
    """Midnight at the end of a day is 24:00 of that day."""
    close_day, close = divmod(end, DAY_MINUTES)
    if close == 0 and end > start:
        close_day, close = close_day - 1, DAY_MINUTES
    day, opens = divmod(start, DAY_MINUTES)
    return Period(day=day % 7 + 1, open=_clock(opens), close_day=close_day % 7 + 1, close=_clock(close))


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
