"""What a file of map data holds, one element at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from maps.areas import Bounds, box
from maps.extract.grid import enclosing
from maps.tags import KEYS

PLACES: Final = frozenset(
    {
        "country", "state", "region", "province", "district", "county", "municipality", "city", "borough", "suburb",
        "quarter", "neighbourhood", "town", "village", "hamlet", "island",
    }
)  # fmt: skip
"""Values of `place` that people name when they say where."""

ADMIN_KINDS: Final = {
    "2": "country", "3": "region", "4": "state", "5": "region", "6": "county", "7": "district", "8": "municipality",
    "9": "borough", "10": "suburb", "11": "neighbourhood",
}  # fmt: skip
"""What a level of administrative boundaries mostly is."""


@dataclass(frozen=True, slots=True)
class Feature:
    """An element with a name. `bounds` are south, west, north, east; `is_whole` if none of its shape is missing."""

    kind: str
    number: int
    tags: Mapping[str, str]
    lat: float
    lng: float
    bounds: Bounds | None = None
    is_whole: bool = True


@dataclass(slots=True)
class Source:
    """What a file says of itself. `date`, the day of its data, and `unplaced`, how many elements had no position, are
    known once it has been read.
    """

    name: str
    date: str | None = None
    bounds: Bounds | None = None
    unplaced: int = 0


def shaped(
    kind: str, number: int, tags: Mapping[str, str], points: list[tuple[float, float]], *, is_whole: bool = True
) -> Feature | None:
    """A feature in the middle of the box around its points; None without any."""
    bounds = enclosing(points)
    if bounds is None:
        return None
    middle = box(*bounds)
    is_point = len(points) == 1
    return Feature(kind, number, tags, middle.lat, middle.lng, None if is_point else bounds, is_whole)


def is_place(tags: Mapping[str, str]) -> bool:
    """Whether it is a place to go to: it has a name and a kind."""
    return bool(tags.get("name") or tags.get("brand")) and any(tags.get(key, "no") != "no" for key in KEYS)


def area_kind(tags: Mapping[str, str]) -> str | None:
    """What it is as an answer to "where": a city, a suburb; None if it is none."""
    if not tags.get("name"):
        return None
    if tags.get("place") in PLACES:
        return tags["place"]
    return ADMIN_KINDS.get(tags.get("admin_level", "")) if tags.get("boundary") == "administrative" else None
