"""Reads Overpass JSON and GeoJSON (.json, .geojson, also .gz) one element at a time, however long the list is."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TextIO

from maps.extract.features import Feature, Source, area_kind, is_place, shaped
from maps.extract.schema import TYPES

CHUNK: Final = 1 << 20
LONGEST: Final = 64 * CHUNK
"""No element of a map is as long; what seems to be is broken JSON."""

LIST: Final = re.compile(r'"(elements|features)"\s*:\s*\[')
BASE: Final = re.compile(r'"timestamp_osm_base"\s*:\s*"(\d{4}-\d{2}-\d{2})')
ID: Final = re.compile(r"(node|way|relation|n|w|r|a)/?(\d{1,19})")
LETTERS: Final = {"n": "node", "w": "way", "r": "relation"}
Json = Mapping[str, Any]
Point = tuple[float, float]


def features(path: Path, source: Source) -> Iterator[Feature]:
    """Its named places and areas; a ValueError says what is wrong with the file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as file:
        for found in _objects(file, source):
            kind, number, tags = (
                _of_geojson(found) if "geometry" in found and "properties" in found else _of_overpass(found)
            )
            if is_place(tags) or area_kind(tags):
                feature = shaped(kind, number, tags, list(_points(found)))
                if feature is None:
                    source.unplaced += 1
                else:
                    yield feature


def _objects(file: TextIO, source: Source) -> Iterator[Json]:
    """The objects of the list, without ever holding it."""
    head = file.read(CHUNK)
    start = LIST.search(head)
    if start is None:
        message = 'neither "elements" of Overpass JSON nor "features" of GeoJSON are in its first megabyte'
        raise ValueError(message)
    if dated := BASE.search(head):
        source.date = dated[1]
    decoder = json.JSONDecoder()
    text = head[start.end() :]
    while not (text := text.lstrip(" \t\r\n,")).startswith("]"):
        try:
            found, end = decoder.raw_decode(text)
        except ValueError:
            text += _more(file, text)
            continue
        yield found
        text = text[end:]


def _more(file: TextIO, text: str) -> str:
    more = file.read(max(CHUNK, len(text))) if len(text) < LONGEST else ""
    if not more:
        message = f"its JSON breaks off or is broken near {text[:60]!r}"
        raise ValueError(message)
    return more


def _of_overpass(found: Json) -> tuple[str, int, dict[str, str]]:
    kind, number = found.get("type"), found.get("id")
    if kind not in TYPES or not isinstance(number, int):
        message = f"an element without type and id: {json.dumps(found)[:80]}"
        raise ValueError(message)
    return kind, number, _texts(found.get("tags") or {})


def _of_geojson(found: Json) -> tuple[str, int, dict[str, str]]:
    """Ids are written in several ways: `node/1`, `n1`, `a2` for an area of way 1, or @type and @id."""
    properties = found["properties"] or {}
    tags = properties.get("tags", properties)
    said = [f"{properties.get('@type', '')}/{properties.get('@id', '')}", properties.get("@id"), found.get("id")]
    match = next(filter(None, (ID.fullmatch(str(value)) for value in said)), None)
    if match is None:
        message = f"a feature without an OpenStreetMap id, such as node/1: {json.dumps(found)[:80]}"
        raise ValueError(message)
    letter, number = match[1], int(match[2])
    if letter == "a":
        return "relation" if number % 2 else "way", number // 2, _texts(tags)
    return LETTERS.get(letter, letter), number, _texts(tags)


def _points(found: Json) -> Iterator[Point]:
    """The points of its shape, or its middle where only that is said."""
    if isinstance(found.get("geometry"), Mapping):
        yield from _coordinates(found["geometry"])
    elif "lat" in found and "lon" in found:
        yield float(found["lat"]), float(found["lon"])
    elif bounds := found.get("bounds"):
        yield from ((bounds["minlat"], bounds["minlon"]), (bounds["maxlat"], bounds["maxlon"]))
    else:
        known = [found.get("center"), *(found.get("geometry") or []), *_members(found)]
        yield from ((point["lat"], point["lon"]) for point in known if point)


def _members(found: Json) -> Iterator[Json]:
    for member in found.get("members") or []:
        yield from member.get("geometry") or []


def _coordinates(geometry: Json) -> Iterator[Point]:
    for part in geometry.get("geometries") or []:
        yield from _coordinates(part)
    yield from _positions(geometry.get("coordinates") or [])


def _positions(value: list[Any]) -> Iterator[Point]:
    """GeoJSON writes longitude first, in lists of any depth."""
    if value and isinstance(value[0], int | float):
        yield value[1], value[0]
        return
    for part in value:
        yield from _positions(part)


def _texts(tags: Any) -> dict[str, str]:
    return {key: value for key, value in tags.items() if isinstance(value, str) and not key.startswith("@")}
