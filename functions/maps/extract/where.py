"""Which area a location's name means: what the extract itself knows, and never a guess."""

from collections.abc import Sequence
from typing import Final

from maps.extract.index import Index, NamedArea
from maps.extract.words import phrase

ORDER: Final = (
    "city", "town", "municipality", "village", "borough", "suburb", "quarter", "neighbourhood", "hamlet", "island",
    "district", "county", "province", "region", "state", "country",
)  # fmt: skip
"""Who says a name without more means the first of these: New York the city, not the state."""


class Unknown(Exception):
    """No area, or several, have the name; the message says which of it."""


def locate(index: Index, name: str, region: str | None = None) -> NamedArea:
    """The area of a name such as "Kamppi" or "Kamppi, Helsinki", in a country if one is given; else Unknown."""
    first, *rest = (phrase(part) for part in name.split(","))
    around = [*filter(None, rest), *([region.lower()] if region else [])]
    found = [area for area in index.areas(first) if all(_lies_in(index, area, outer) for outer in around)]
    if not found:
        raise Unknown(f"no area of the data is called {name!r}" + (f" in {region}" if region else ""))
    nearest = min(ORDER.index(area.kind) for area in found)
    return _the_one(name, [area for area in found if ORDER.index(area.kind) == nearest])


def _lies_in(index: Index, area: NamedArea, outer: str) -> bool:
    return outer in area.within or any(
        other.area.holds(area.area.lat, area.area.lng) for other in index.areas(outer) if other.place != area.place
    )


def _the_one(name: str, found: Sequence[NamedArea]) -> NamedArea:
    """The best known of several that are the same; a boundary and its middle are both in OpenStreetMap."""
    best, *others = sorted(found, key=_knowledge)
    apart = [area for area in others if not best.area.holds(area.area.lat, area.area.lng)]
    if apart:
        raise Unknown(f"{len(apart) + 1} areas are called {name!r}: add what it lies in, or give a point or a box")
    return best


def _knowledge(area: NamedArea) -> tuple[bool, bool, int]:
    """A whole shape before a middle, a middle before part of a shape."""
    return not area.is_whole, area.area.radius_m is not None, area.place
