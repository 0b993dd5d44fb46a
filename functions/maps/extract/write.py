"""Writes an index from features as they come; what it holds in memory does not grow with their number."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from maps.areas import Area, box, circle
from maps.extract import kinds
from maps.extract.features import Feature, Source, area_kind, is_place
from maps.extract.grid import UNITS, cell
from maps.extract.schema import APPLICATION_ID, COMMON, DEEPEST, KIND, TABLES, VERSION, packed, place_number
from maps.extract.words import phrase, words

NAMES: Final = re.compile(r"(alt_|int_|loc_|official_|old_|short_)?name(:[a-z]{2,3}([-_][A-Za-z]{2,4})?)?")
OTHER: Final = ("brand", "operator")
WITHIN: Final = ("is_in", "is_in:country", "is_in:country_code", "is_in:state", "addr:country", "addr:city")

# The labels and postings as they come; sorted into their tables at the end.
STAGE: Final = """
PRAGMA page_size = 4096;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE stage (label TEXT, cell INTEGER, place INTEGER, lat INTEGER, lng INTEGER, depth INTEGER);
"""
SORT: Final = """
CREATE TABLE term (label TEXT PRIMARY KEY, term INTEGER) WITHOUT ROWID;
INSERT INTO term SELECT label, row_number() OVER (ORDER BY label) FROM (SELECT DISTINCT label FROM stage);
INSERT INTO posting SELECT term, cell, place, min(lat), min(lng), min(depth)
    FROM stage JOIN term USING (label) GROUP BY term, cell, place ORDER BY term, cell, place;
DROP TABLE stage;
"""

RADII: Final[Mapping[str, int]] = {
    "city": 8_896,
    "municipality": 8_896,
    "town": 4_448,
    "district": 4_448,
    "borough": 2_224,
    "village": 2_224,
    "suburb": 1_112,
    "quarter": 1_112,
    "neighbourhood": 1_112,
    "hamlet": 1_112,
}
"""How far, in metres, a place reaches of which only the middle is known: half of what Nominatim takes it to be across,
0.16, 0.08, 0.04 or 0.02 degrees by its rank. Of countries and islands only a shape says where they are."""


def write(path: Path, source: Source, features: Iterable[Feature], note: Callable[[int], None]) -> dict[str, object]:
    """Make the index at `path`, whole or not at all; what it says about itself. `note` hears how many places it has."""
    building = path.with_name(f"{path.name}.building")
    building.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(building)) as db:
            db.executescript(STAGE + TABLES)
            _take(db, features, note)
            db.executescript(SORT)
            db.executemany("INSERT OR IGNORE INTO word VALUES (?, ?)", _words(db))
            told = _about(db, source)
            db.executemany("INSERT INTO about VALUES (?, ?)", [*told.items(), ("common", COMMON)])
            db.executescript(f"DROP TABLE term; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};")
            db.commit()
            compact = path.with_name(f"{path.name}.compact")
            compact.unlink(missing_ok=True)
            db.execute("VACUUM INTO ?", (str(compact),))
        compact.replace(path)
    finally:
        building.unlink(missing_ok=True)
    return told


def _take(db: sqlite3.Connection, features: Iterable[Feature], note: Callable[[int], None]) -> None:
    count = 0
    for feature in features:
        number = place_number(feature.kind, feature.number)
        lat, lng = round(feature.lat * UNITS), round(feature.lng * UNITS)
        if is_place(feature.tags):
            body = packed(feature.tags)
            if db.execute("INSERT OR IGNORE INTO place VALUES (?, ?, ?, ?)", (number, lat, lng, body)).rowcount:
                at = cell(feature.lat, feature.lng)
                entries = postings(feature.tags)
                rows = [(label, at, number, lat, lng, depth) for label, depth in entries.items()]
                db.executemany("INSERT INTO stage VALUES (?, ?, ?, ?, ?, ?)", rows)
                count += 1
                note(count)
        if shape := area_of(feature):
            db.executemany("INSERT OR IGNORE INTO area VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _areas(feature, shape))


def postings(tags: Mapping[str, str]) -> dict[str, int]:
    """The labels under which a place is found, each with its depth."""
    found = dict.fromkeys((word for key in OTHER for word in words(tags.get(key, ""))), DEEPEST)
    for name in names(tags):
        own = set(words(name))
        for word in own:
            found[word] = min(len(own), found.get(word, DEEPEST), DEEPEST - 1)
    return found | dict.fromkeys(kinds.labels(tags), KIND)


def names(tags: Mapping[str, str]) -> Iterator[str]:
    """All it is called, in every language."""
    for key, value in tags.items():
        if NAMES.fullmatch(key):
            yield from filter(None, map(str.strip, value.split(";")))


def area_of(feature: Feature) -> Area | None:
    """Where one looks who names it: its shape's box, or a circle as wide as such places mostly are."""
    kind = area_kind(feature.tags)
    if kind is None:
        return None
    if feature.bounds is not None:
        return box(*feature.bounds)
    radius_m = RADII.get(kind)
    return circle(feature.lat, feature.lng, radius_m) if radius_m else None


def _areas(feature: Feature, shape: Area) -> Iterator[tuple[object, ...]]:
    number, kind = place_number(feature.kind, feature.number), area_kind(feature.tags)
    known = {phrase(part) for key in WITHIN for part in re.split("[;,]", feature.tags.get(key, ""))} - {""}
    within = "|".join(["", *sorted(known), ""])
    for name in sorted({phrase(name) for name in names(feature.tags)} - {""}):
        yield (
            name, number, kind, feature.is_whole, shape.radius_m, shape.lat, shape.lng, *shape.bounds, within,
        )  # fmt: skip


def _words(db: sqlite3.Connection) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for label, term in db.execute("SELECT label, term FROM term"):
        asked = kinds.phrases(label) if "=" in label else {label}
        found += [(word, term) for word in asked]
    return sorted(found)


def _about(db: sqlite3.Connection, source: Source) -> dict[str, object]:
    (places,) = db.execute("SELECT count(*) FROM place").fetchone()
    (areas,) = db.execute("SELECT count(DISTINCT place) FROM area").fetchone()
    south, west, north, east = source.bounds or db.execute(
        f"SELECT min(lat) / {UNITS}.0, min(lng) / {UNITS}.0, max(lat) / {UNITS}.0, max(lng) / {UNITS}.0 FROM place"
    ).fetchone()
    return {
        "source": source.name,
        "date": source.date,
        "attribution": "© OpenStreetMap contributors",
        "licence": "ODbL-1.0",
        "places": places,
        "areas": areas,
        "south": south,
        "west": west,
        "north": north,
        "east": east,
    }
