"""Opening hours as search results write them: a text for each day, such as `8 AM-12 PM, 1-6 PM`."""

import re
from collections.abc import Mapping
from typing import Final

from maps import hours
from verbena.catalog.places import Hours

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
CLOCK: Final = r"(\d{1,2})(?::(\d{2}))?\s*([ap]\.?m\.?)?"
SPAN: Final = re.compile(rf"{CLOCK}\s*[-\u2010-\u2015]\s*{CLOCK}", re.IGNORECASE)
WHOLE: Final = re.compile(r"open 24 hours|24 hours", re.IGNORECASE)
HALF: Final = 12


def of_days(said: Mapping[str, object]) -> Hours | None:
    """The hours of a week by English names of days; what cannot be read whole is only text."""
    text = [f"{day}: {words}" for day, words in said.items() if isinstance(words, str)]
    if not text:
        return None
    spans: list[hours.Span] = []
    for place, day in enumerate(DAYS):
        words = said.get(day)
        read = _spans(words, place * hours.DAY_MINUTES) if isinstance(words, str) else None
        if read is None:
            return Hours(periods=None, always_open=None, text=text)
        spans += read
    return hours.of_spans(spans, text)


def _spans(words: str, midnight: int) -> list[hours.Span] | None:
    """The spans of a day; None for words that are no hours."""
    if words.strip().casefold() == "closed":
        return []
    if WHOLE.fullmatch(words.strip()):
        return [(midnight, midnight + hours.DAY_MINUTES)]
    spans = [_span(part, midnight) for part in words.split(",")]
    known = [span for span in spans if span is not None]
    return known if len(known) == len(spans) else None


def _span(words: str, midnight: int) -> hours.Span | None:
    match = SPAN.fullmatch(words.strip())
    if match is None:
        return None
    # A half of the day that is not written is the one of the end.
    start = _minutes(match[1], match[2], match[3] or match[6])
    end = _minutes(match[4], match[5], match[6])
    if start is None or end is None:
        return None
    return midnight + start, midnight + (end if end > start else end + hours.DAY_MINUTES)


def _minutes(hour: str, minute: str | None, half: str | None) -> int | None:
    """Minutes since midnight of a clock of 24 or, with a half, of 12 hours; None for none of a day."""
    read = int(hour) % HALF + (HALF if half[0].casefold() == "p" else 0) if half else int(hour)
    minutes = read * 60 + int(minute or 0)
    return minutes if minutes <= hours.DAY_MINUTES else None
