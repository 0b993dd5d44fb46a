"""Pieces of sources' answers, whatever they turn out to be: what is not as promised is unknown, never an error."""

import math
import re
from collections.abc import Mapping
from typing import Any


def text(value: object) -> str | None:
    """One line of text; None for none."""
    return " ".join(value.split()) or None if isinstance(value, str) else None


def prose(value: object) -> str | None:
    """A text with its lines."""
    return value.strip() or None if isinstance(value, str) else None


def number(value: object) -> float | None:
    """A finite number, written out or not; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        amount = float(value)
    except ValueError:
        return None
    return amount if math.isfinite(amount) else None


def between(value: object, least: float, most: float) -> float | None:
    """A number of a range; what lies outside is unknown."""
    amount = number(value)
    return amount if amount is not None and least <= amount <= most else None


def count(value: object) -> int | None:
    """A whole number of at least 0, with or without the commas of thousands."""
    if isinstance(value, str):
        value = value.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", value.strip()) else value
    amount = between(value, 0, 10**12)
    return int(amount) if amount is not None and amount == int(amount) else None


def texts(value: object) -> list[str]:
    """The texts of a list; what is no list has none."""
    return [line for entry in value if (line := text(entry))] if isinstance(value, list) else []


def records(value: object) -> list[dict[str, Any]]:
    """The objects of a list; what is no list has none."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def inside(value: object, *names: str) -> Any:
    """What lies at the end of a path of names; None where it breaks off."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def known(values: Mapping[str, Any]) -> dict[str, Any]:
    """Only what is known of it."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def web_url(value: object) -> str | None:
    """An http(s) URL; a host name is one that lacks its scheme."""
    url = text(value)
    if url is None or " " in url:
        return None
    if re.match(r"https?://", url, re.IGNORECASE):
        return url
    return f"https://{url}" if re.match(r"[\w-]+(\.[\w-]+)+(/|$)", url) else None
