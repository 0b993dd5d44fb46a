"""Writes an index from features as they come; what it holds in memory does not grow with their number."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from maps.extract import entries, kinds
from maps.extract.features import Feature, Source, is_place
from maps.extract.grid import UNITS, cell
from maps.extract.opening import zone_at
from maps.extract.schema import APPLICATION_ID, COMMON, TABLES, VERSION, packed, place_number

# The labels and postings as they come; sorted into their tables at the end.
STAGE: Final = """
PRAGMA page_size = 4096;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE stage (label TEXT, cell INTEGER, place INTEGER, lat INTEGER, lng INTEGER, depth INTEGER);
"""
SORT: Final = """
CREATE TABLE term (label TEXT PRIMARY KEY, term INTEGER, places INTEGER) WITHOUT ROWID;
INSERT INTO term SELECT label, row_number() OVER (ORDER BY label), places
    FROM (SELECT label, count(*) AS places FROM stage GROUP BY label);
INSERT INTO posting SELECT term, cell, place, min(lat), min(lng), min(depth)
    FROM stage JOIN term USING (label) GROUP BY term, cell, place ORDER BY term, cell, place;
INSERT INTO word SELECT label, term, places FROM term WHERE label NOT LIKE '%=%' ORDER BY label;
DROP TABLE stage;
"""
SIGN: Final = f"DROP TABLE term; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"


def write(path: Path, source: Source, features: Iterable[Feature], note: Callable[[int], None]) -> dict[str, object]:
    """Make the index at `path`, whole or not at all; what it says about itself. `note` hears how many places it has."""
    building, compact = (path.with_name(f"{path.name}.{step}") for step in ("building", "compact"))
    _forget(building, compact)
    try:
        with closing(sqlite3.connect(building)) as db:
            db.executescript(STAGE + TABLES)
            _take(db, features, note)
            told = _about(db, source)
            db.executescript(SORT)
            db.executemany("INSERT OR IGNORE INTO word VALUES (?, ?, ?)", _words(db))
            db.executemany("INSERT INTO about VALUES (?, ?)", [*told.items(), ("common", COMMON)])
            db.commit()
            db.executescript(SIGN)
            db.execute("VACUUM INTO ?", (str(compact),))
        compact.replace(path)
    finally:
        _forget(building, compact)
    return told


def _forget(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _take(db: sqlite3.Connection, features: Iterable[Feature], note: Callable[[int], None]) -> None:
    count = 0
    for feature in features:
        number = place_number(feature.kind, feature.number)
        lat, lng = round(feature.lat * UNITS), round(feature.lng * UNITS)
        if is_place(feature.tags):
            row = (number, lat, lng, zone_at(feature.lat, feature.lng), packed(feature.tags))
            if db.execute("INSERT OR IGNORE INTO place VALUES (?, ?, ?, ?, ?)", row).rowcount:
                at = cell(lat / UNITS, lng / UNITS)
                filed = entries.postings(feature.tags)
                rows = [(label, at, number, lat, lng, depth) for label, depth in filed.items()]
                db.executemany("INSERT INTO stage VALUES (?, ?, ?, ?, ?, ?)", rows)
                count += 1
                note(count)
        if shape := entries.area_of(feature):
            db.executemany(
                "INSERT OR IGNORE INTO area VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", entries.areas(feature, shape)
            )


def _words(db: sqlite3.Connection) -> list[tuple[str, int, int]]:
    """Of every kind what it is called; of any other label the word itself is written with the terms."""
    labels = db.execute("SELECT label, term, places FROM term WHERE label LIKE '%=%'")
    return sorted((phrase, term, places) for label, term, places in labels for phrase in kinds.phrases(label))


def _about(db: sqlite3.Connection, source: Source) -> dict[str, object]:
    (places,) = db.execute("SELECT count(*) FROM place").fetchone()
    (areas,) = db.execute("SELECT count(DISTINCT place) FROM area").fetchone()
    extent = db.execute("SELECT min(lat), min(lng), max(lat), max(lng) FROM place").fetchone()
    south, west, north, east = source.bounds or (value / UNITS for value in extent)
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
