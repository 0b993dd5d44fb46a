"""The embedded index of places beside SQLite's own text and space indexes, FTS5 and R*Tree, over the same places.

Both give the same places in the same order, and read the same packed tags; a process for each, started anew. The
sample is what comes with the product, a region is made of it, laid out again and again side by side.
"""

import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import cpu
from maps.areas import Area, circle, distance_m
from maps.drivers.osm_extract import SAMPLE
from maps.extract import entries, kinds
from maps.extract.features import Feature, Source
from maps.extract.grid import UNITS, units
from maps.extract.index import opened
from maps.extract.schema import COMMON, element_name, packed, place_number, unpacked
from maps.extract.words import asked
from maps.extract.write import write

COPIES = 36
FIRST_ID = 10_000_000_000
ACROSS = 6
APART_LAT, APART_LNG = 0.016, 0.02
ROUNDS = 300
ROWS = 20
LAT, LNG = 60.1708, 24.9442
QUERIES = {
    "cafe, 1 km around": ("cafe", circle(LAT, LNG, 1_000)),
    "italian restaurant, 1 km around": ("italian restaurant", circle(LAT, LNG, 1_000)),
    "cafe, 50 km around": ("cafe", circle(LAT, LNG, 50_000)),
    "hilton hotel, 50 km around": ("hilton hotel", circle(LAT, LNG, 50_000)),
}
OURS, THEIRS = "ours", "FTS5 + R*Tree"
Find = Callable[[str, Area], list[str]]


def run(*, tiny: bool = False) -> None:
    """Print the tables."""
    rounds = 2 if tiny else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        sizes = {"the sample": 1} if tiny else {"the sample": 1, "a region": COPIES}
        for name, copies in sizes.items():
            paths = _written(Path(folder), copies)
            _show(name, paths, {kind: _measured(kind, path, rounds) for kind, path in paths.items()})


@dataclass(frozen=True)
class Measure:
    """Of one process: milliseconds to the first rows, each query's median after that, and the memory it took."""

    first_ms: float
    median_ms: dict[str, float]
    grown_mb: float
    found: dict[str, list[str]]


def _show(name: str, paths: dict[str, Path], measures: dict[str, Measure]) -> None:
    ours, theirs = measures[OURS], measures[THEIRS]
    if ours.found != theirs.found:
        raise RuntimeError(name, ours.found, theirs.found)
    with opened(paths[OURS]) as index:
        print(f"\n| {name}: {index.about.places:,} places | {OURS} | {THEIRS} | ratio |\n|---|---:|---:|---:|")
    print(_line("opened and the first rows", ours.first_ms, theirs.first_ms, "ms"))
    for query in QUERIES:
        print(_line(query, ours.median_ms[query], theirs.median_ms[query], "ms"))
    print(_line("memory of all that", ours.grown_mb, theirs.grown_mb, "MB"))
    print(_line("file", *(paths[kind].stat().st_size / 2**20 for kind in (OURS, THEIRS)), "MB"))


def _line(name: str, ours: float, theirs: float, unit: str) -> str:
    return f"| {name} | {ours:.2f} {unit} | {theirs:.2f} {unit} | {ours / theirs:.2f} |"


def _written(folder: Path, copies: int) -> dict[str, Path]:
    ours, theirs = folder / f"{copies}.ours", folder / f"{copies}.fts"
    write(ours, Source("made", "2019-04-21"), _features(copies), lambda _: None)
    _write_fts(theirs, _features(copies))
    return {OURS: ours, THEIRS: theirs}


def _features(copies: int) -> Iterator[Feature]:
    """The places of the sample, then copies of them beside it."""
    with closing(sqlite3.connect(f"{SAMPLE.as_uri()}?mode=ro", uri=True)) as db:
        sample = db.execute("SELECT lat, lng, tags FROM place ORDER BY id").fetchall()
    number = FIRST_ID
    for copy in range(copies):
        up, right = divmod(copy, ACROSS)
        for lat, lng, tags in sample:
            number += 1
            where = lat / UNITS + up * APART_LAT, lng / UNITS + right * APART_LNG
            yield Feature("node", number, unpacked(tags, COMMON), *where)


def _write_fts(path: Path, features: Iterator[Feature]) -> None:
    """Names and brands in one column, all that kinds are called in another; both extensions as they come."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript("""
            CREATE VIRTUAL TABLE text USING fts5(kinds, names, content='', detail=column);
            CREATE VIRTUAL TABLE space USING rtree(id, south, north, west, east);
            CREATE TABLE place (id INTEGER PRIMARY KEY, lat INTEGER, lng INTEGER, tags BLOB);
        """)
        for feature in features:
            number = place_number(feature.kind, feature.number)
            labels = [label for label in entries.postings(feature.tags) if "=" in label]
            called = " ".join(phrase for label in sorted(labels) for phrase in sorted(kinds.phrases(label)))
            names = " ".join(label for label in entries.postings(feature.tags) if "=" not in label)
            lat, lng = round(feature.lat * UNITS), round(feature.lng * UNITS)
            db.execute("INSERT INTO text (rowid, kinds, names) VALUES (?, ?, ?)", (number, called, names))
            db.execute("INSERT INTO space VALUES (?, ?, ?, ?, ?)", (number, *[lat / UNITS] * 2, *[lng / UNITS] * 2))
            db.execute("INSERT INTO place VALUES (?, ?, ?, ?)", (number, lat, lng, packed(feature.tags)))
        db.execute("INSERT INTO text (text) VALUES ('optimize')")
        db.commit()
        db.execute("VACUUM")


def _measured(kind: str, path: Path, rounds: int) -> Measure:
    command = [sys.executable, "-m", "bench.maps", kind, str(path), str(rounds)]
    child = subprocess.run(command, stdout=subprocess.PIPE, check=True)  # noqa: S603 - this very file
    return Measure(**json.loads(child.stdout))


def _measure(kind: str, path: Path, rounds: int) -> dict[str, Any]:
    """As a process that is started for it sees it: a file is opened for every search, as the driver does."""
    find = {OURS: _find, THEIRS: _find_fts}[kind]
    before = cpu.resident_bytes(os.getpid())
    started = time.perf_counter()
    find(path, *QUERIES["cafe, 1 km around"])
    first = time.perf_counter() - started
    taken: dict[str, list[float]] = {name: [] for name in QUERIES}
    for _ in range(rounds):
        for name, (query, area) in QUERIES.items():
            started = time.perf_counter()
            find(path, query, area)
            taken[name].append(time.perf_counter() - started)
    return {
        "first_ms": first * 1000,
        "median_ms": {name: statistics.median(times) * 1000 for name, times in taken.items()},
        "grown_mb": (cpu.resident_bytes(os.getpid()) - before) / 2**20,
        "found": {name: find(path, query, area) for name, (query, area) in QUERIES.items()},
    }


def _find(path: Path, query: str, area: Area) -> list[str]:
    with opened(path) as index:
        found = [index.element(match.place) for match in index.find(query, area)[:ROWS]]
        return [element.name for element in found if element]


JOINED = """
SELECT place.id, place.lat, place.lng FROM text
JOIN space ON space.id = text.rowid JOIN place ON place.id = text.rowid
WHERE text MATCH ? AND north >= ? AND south <= ? AND east >= ? AND west <= ?
"""


def _find_fts(path: Path, query: str, area: Area) -> list[str]:
    """Its ranking by text would be another; kinds before names and nearer ones first is asked of it as well."""
    words = asked(query)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        every = {place: (lat / UNITS, lng / UNITS) for place, lat, lng in _rows(db, " ".join(words), area)}
        by_kind = {place for place, *_ in _rows(db, f"kinds : ({' '.join(words)})", area)}
        near = [
            (place not in by_kind, distance_m(area.lat, area.lng, *at), place)
            for place, at in every.items()
            if area.holds(*at)
        ]
        chosen = [place for *_, place in sorted(near)[:ROWS]]
        for place in chosen:
            ((body,),) = db.execute("SELECT tags FROM place WHERE id = ?", (place,))
            unpacked(body, COMMON)
        return [element_name(place) for place in chosen]


def _rows(db: sqlite3.Connection, match: str, area: Area) -> list[tuple[int, int, int]]:
    south, west, north, east = (value / UNITS for value in units(area.bounds))
    return db.execute(JOINED, (match, south, north, west, east)).fetchall()


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))))
