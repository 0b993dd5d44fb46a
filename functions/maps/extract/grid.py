"""The globe as numbered cells, so that what lies in an area is found in a few ranges of numbers."""

from collections.abc import Iterable
from itertools import pairwise
from math import ceil, floor
from typing import Final

from maps.areas import Area, Bounds

UNITS: Final = 10_000_000
"""Coordinates are whole numbers of 1e-7 degrees, as in OpenStreetMap's own database."""

CELLS_PER_DEGREE: Final = 50
"""A row is 2.2 km high: a walk's circle takes two or three ranges, a city ten, the widest circle fifty."""

COLUMNS: Final = 360 * CELLS_PER_DEGREE + 1
ALL_CELLS: Final = (0, (180 * CELLS_PER_DEGREE + 1) * COLUMNS)
MOST_ROWS: Final = 64
"""From here on one range over all rows is read faster than a range for each."""

POLE: Final = 90
HALF_TURN: Final = 180
TURN: Final = 360


def cell(lat: float, lng: float) -> int:
    return _row(lat) * COLUMNS + _column(lng)


def ranges(bounds: Bounds) -> list[tuple[int, int]]:
    """First and last cell of every stretch that bounds crossing nothing touch; it may hold what lies outside."""
    south, west, north, east = bounds
    first, last = _row(south), _row(north)
    if last - first >= MOST_ROWS:
        return [(first * COLUMNS, (last + 1) * COLUMNS - 1)]
    return [(row * COLUMNS + _column(west), row * COLUMNS + _column(east)) for row in range(first, last + 1)]


def units(bounds: Bounds) -> tuple[int, int, int, int]:
    """The bounds in whole units, a unit wider on every side: rounding leaves nothing out."""
    south, west, north, east = bounds
    return floor(south * UNITS) - 1, floor(west * UNITS) - 1, ceil(north * UNITS) + 1, ceil(east * UNITS) + 1


def meet(one: Area, other: Area) -> bool:
    """Whether two areas' boxes have a point in common."""
    return any(
        south <= top and bottom <= north and west <= right and left <= east
        for south, west, north, east in one.boxes()
        for bottom, left, top, right in other.boxes()
    )


def covers(outer: Area, inner: Area) -> bool:
    """Whether one area's box has all of another's in it."""
    return all(
        any(
            south <= bottom and top <= north and west <= left and right <= east
            for south, west, north, east in outer.boxes()
        )
        for bottom, left, top, right in inner.boxes()
    )


def enclosing(points: Iterable[tuple[float, float]]) -> Bounds | None:
    """The smallest bounds of (latitude, longitude) pairs, across the antimeridian if that is nearer; None of none."""
    known = list(points)
    if not known:
        return None
    lats = [lat for lat, _ in known]
    lngs = sorted({lng for _, lng in known})
    around = (lngs[0] + TURN - lngs[-1], lngs[0], lngs[-1])
    between = ((right - left, right, left) for left, right in pairwise(lngs))
    _, west, east = max([around, *between])
    return min(lats), west, max(lats), east


def _row(lat: float) -> int:
    return floor((min(max(lat, -POLE), POLE) + POLE) * CELLS_PER_DEGREE)


def _column(lng: float) -> int:
    return floor((min(max(lng, -HALF_TURN), HALF_TURN) + HALF_TURN) * CELLS_PER_DEGREE)
