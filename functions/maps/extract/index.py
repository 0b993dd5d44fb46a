"""Reads an index: places by words and area, by number, and areas by name. Nothing of it stays in memory."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from maps.areas import Area, box, distance_m
from maps.extract.grid import ALL_CELLS, UNITS, ranges, units
from maps.extract.schema import APPLICATION_ID, DEEPEST, KIND, VERSION, element_name, unpacked
from maps.extract.words import asked

WITH_WORD: Final = """
SELECT cell, place, lat, lng, depth FROM word CROSS JOIN posting USING (term)
WHERE word = ? AND cell BETWEEN ? AND ? AND lat BETWEEN ? AND ? AND lng BETWEEN ? AND ?
"""
OF_WORD: Final = """
SELECT min(depth) FROM word CROSS JOIN posting USING (term) WHERE word = ? AND cell = ? AND place = ?
"""
Spot = tuple[int, int, int, int]
"""A place in postings: its cell, its number, its latitude and longitude in units."""

FEW: Final = 1_000
"""So many places with a word are sooner read, wherever they are, than looked for cell by cell in a wide area."""

AREAS: Final = """
SELECT place, kind, is_whole, within, south, west, north, east, lat, lng, radius_m
FROM area WHERE name = ? ORDER BY place
"""
PLACE: Final = "SELECT lat, lng, timezone, tags FROM place WHERE id = ?"


class NotAnIndex(Exception):
    """A file that is none, or of another version; the message says which, and what helps."""


@dataclass(frozen=True, slots=True)
class About:
    """What an index says of itself; `date` is the day of its data, YYYY-MM-DD."""

    source: str
    date: str
    attribution: str
    licence: str
    places: int
    areas: int
    south: float
    west: float
    north: float
    east: float

    @property
    def bounds(self) -> Area:
        return box(self.south, self.west, self.north, self.east)


class Match(NamedTuple):
    """A place that was found. `tier` is how well, 0 the best; `distance_m` from the middle of the area."""

    tier: int
    distance_m: float
    place: int


@dataclass(frozen=True, slots=True)
class Element:
    """A place as OpenStreetMap knows it: `name` is such as node/5; `timezone` an IANA name."""

    name: str
    lat: float
    lng: float
    timezone: str
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class NamedArea:
    """An area of a name. `is_whole` unless part of its shape is missing; `within` names what it lies in."""

    place: int
    kind: str
    is_whole: bool
    area: Area
    within: frozenset[str]


class Index:
    """An open index. One thread at a time."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        about = dict(db.execute("SELECT name, value FROM about"))
        self._common: bytes = about.pop("common")
        self.about = About(**about)

    def find(self, query: str, area: Area) -> list[Match]:
        """Places of an area that have every word of the query: kinds first, then names, nearer ones before others."""
        words = asked(query)
        for terms in self._readings(words) if words else ():
            if found := self._with_all(terms, area):
                return sorted(found)
        return []

    def element(self, place: int) -> Element | None:
        """A place by its number; None if the index has none."""
        row = self._db.execute(PLACE, (place,)).fetchone()
        if row is None:
            return None
        lat, lng, zone, tags = row
        return Element(element_name(place), lat / UNITS, lng / UNITS, zone, unpacked(tags, self._common))

    def areas(self, name: str) -> list[NamedArea]:
        """Areas of a folded name, in the order of their numbers."""
        return [_named(*row) for row in self._db.execute(AREAS, (name,))]

    def _readings(self, words: Sequence[str]) -> Iterator[list[str]]:
        """The query as the longest phrases that mean a kind, then as its words."""
        phrases = self._phrases(words)
        yield phrases
        if phrases != list(words):
            yield list(words)

    def _phrases(self, words: Sequence[str]) -> list[str]:
        found: list[str] = []
        at = 0
        while at < len(words):
            end = next((end for end in range(len(words), at + 1, -1) if self._count(" ".join(words[at:end]))), at + 1)
            found.append(" ".join(words[at:end]))
            at = end
        return found

    def _count(self, word: str) -> int:
        """How many places have a word or mean a phrase, some of them counted twice."""
        (places,) = self._db.execute("SELECT coalesce(sum(places), 0) FROM word WHERE word = ?", (word,)).fetchone()
        return int(places)

    def _with_all(self, terms: Sequence[str], area: Area) -> list[Match]:
        """The rarest word says which places there are; of the others is only asked whether they fit."""
        (count, rarest), *others = sorted((self._count(term), term) for term in terms)
        found = self._with_word(rarest, area, is_rare=count <= FEW)
        for _, term in others:
            fitting = self._of(term, found) if len(found) <= FEW else self._with_word(term, area, is_rare=False)
            found = {spot: max(depth, fitting[spot]) for spot, depth in found.items() if spot in fitting}
        return list(_matches(found, area, len(terms)))

    def _with_word(self, word: str, area: Area, *, is_rare: bool) -> dict[Spot, int]:
        """Places near an area that have a word, with its depth."""
        found: dict[Spot, int] = {}
        for bounds in area.boxes():
            south, west, north, east = units(bounds)
            for first, last in [ALL_CELLS] if is_rare else ranges(bounds):
                rows = self._db.execute(WITH_WORD, (word, first, last, south, north, west, east))
                for cell, place, lat, lng, depth in rows:
                    spot = cell, place, lat, lng
                    found[spot] = min(depth, found.get(spot, DEEPEST))
        return found

    def _of(self, word: str, spots: Iterable[Spot]) -> dict[Spot, int]:
        """Those of some places that have a word, with its depth."""
        depths = ((spot, self._db.execute(OF_WORD, (word, spot[0], spot[1])).fetchone()[0]) for spot in spots)
        return {spot: depth for spot, depth in depths if depth is not None}


@contextmanager
def opened(path: Path) -> Iterator[Index]:
    """An index, to be read for a while; NotAnIndex says why a file cannot be."""
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    except sqlite3.OperationalError as error:
        message = f"{path} cannot be read: {error}"
        raise NotAnIndex(message) from error
    with closing(db):
        _check(db, path)
        yield Index(db)


def _check(db: sqlite3.Connection, path: Path) -> None:
    try:
        ((application,), (version,)) = (
            db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        )
    except sqlite3.DatabaseError as error:
        message = f"{path} cannot be read: {error}"
        raise NotAnIndex(message) from error
    if application != APPLICATION_ID:
        message = f"{path} is no index of maps: make one with 'verbena maps build'"
        raise NotAnIndex(message)
    if version != VERSION:
        message = f"{path} has version {version} of the index, this Verbena reads {VERSION}: build it anew"
        raise NotAnIndex(message)


def _matches(found: Mapping[Spot, int], area: Area, asked_words: int) -> Iterator[Match]:
    for (_, place, lat, lng), depth in found.items():
        away = distance_m(area.lat, area.lng, lat / UNITS, lng / UNITS)
        if away <= area.radius_m if area.radius_m is not None else area.holds(lat / UNITS, lng / UNITS):
            yield Match(_tier(depth, asked_words), away, place)


def _tier(depth: int, asked_words: int) -> int:
    """All kinds, the whole name, part of a name, anything else."""
    if depth == KIND:
        return 0
    if depth == asked_words:
        return 1
    return 2 if depth < DEEPEST else 3


def _named(place: int, kind: str, is_whole: int, within: str, *where: Any) -> NamedArea:
    return NamedArea(place, kind, bool(is_whole), Area(*where), frozenset(within.split("|")) - {""})
