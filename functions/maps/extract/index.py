"""Reads an index: places by words and area, by number, and areas by name. Nothing of it stays in memory."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from maps.areas import Area, box, distance_m
from maps.extract.grid import UNITS, ranges, units
from maps.extract.schema import APPLICATION_ID, DEEPEST, KIND, VERSION, element_name, unpacked
from maps.extract.words import asked

WITH_WORD: Final = """
SELECT place, lat, lng, depth FROM word CROSS JOIN posting USING (term)
WHERE word = ? AND cell BETWEEN ? AND ? AND lat BETWEEN ? AND ? AND lng BETWEEN ? AND ?
"""
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


@dataclass(frozen=True, slots=True)
class Match:
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
        for terms in self._readings(asked(query)):
            if found := self._with_all(terms, area):
                return sorted(found, key=lambda match: (match.tier, match.distance_m, match.place))
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
            end = next((end for end in range(len(words), at + 1, -1) if self._has(" ".join(words[at:end]))), at + 1)
            found.append(" ".join(words[at:end]))
            at = end
        return found

    def _has(self, phrase: str) -> bool:
        return self._db.execute("SELECT 1 FROM word WHERE word = ? LIMIT 1", (phrase,)).fetchone() is not None

    def _with_all(self, terms: Sequence[str], area: Area) -> list[Match]:
        depths: dict[int, int] = {}
        at: dict[int, tuple[float, float]] = {}
        for turn, term in enumerate(terms):
            here: dict[int, int] = {}
            for place, lat, lng, depth in self._with_word(term, area):
                if turn == 0 or place in depths:
                    here[place] = min(depth, here.get(place, DEEPEST))
                    at[place] = lat / UNITS, lng / UNITS
            depths = {place: max(depth, depths.get(place, KIND)) for place, depth in here.items()}
        return [
            Match(_tier(depth, len(terms)), distance_m(area.lat, area.lng, *at[place]), place)
            for place, depth in depths.items()
            if area.holds(*at[place])
        ]

    def _with_word(self, word: str, area: Area) -> Iterator[tuple[int, int, int, int]]:
        for bounds in area.boxes():
            south, west, north, east = units(bounds)
            for first, last in ranges(bounds):
                yield from self._db.execute(WITH_WORD, (word, first, last, south, north, west, east))


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


def _tier(depth: int, asked_words: int) -> int:
    """All kinds, the whole name, part of a name, anything else."""
    if depth == KIND:
        return 0
    if depth == asked_words:
        return 1
    return 2 if depth < DEEPEST else 3


def _named(place: int, kind: str, is_whole: int, within: str, *where: Any) -> NamedArea:
    return NamedArea(place, kind, bool(is_whole), Area(*where), frozenset(within.split("|")) - {""})
