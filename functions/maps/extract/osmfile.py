"""Reads OpenStreetMap files (.osm.pbf, .osm, .osm.gz, .osm.bz2) through osmium, in passes that keep little."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import osmium

from maps.areas import Bounds
from maps.extract.features import Feature, Source, area_kind, is_place, shaped
from maps.tags import KEYS

DATES: Final = ("osmosis_replication_timestamp", "timestamp")
SHAPES: Final = osmium.osm.WAY | osmium.osm.RELATION
Point = tuple[float, float]


def features(path: Path, source: Source) -> Iterator[Feature]:
    """Its named places and areas; a RuntimeError, in osmium's words, if it cannot be read.

    First the ways and relations that matter, then where their nodes are, then everything in its order.
    """
    elements: Any = osmium.FileProcessor(str(path)).with_filter(_wanted_keys())
    header = elements.header
    source.bounds = _bounds(header)
    source.date = next((day for name in DATES if (day := header.get(name)[:10])), None)
    is_dated = source.date is not None
    shapes = _Shapes(path)
    for element in elements:
        if not is_dated:
            source.date = max(source.date or "", _day(element.timestamp)) or None
        tags = dict(element.tags)
        if is_place(tags) or area_kind(tags):
            feature = shapes.feature(element, tags)
            if feature is None:
                source.unplaced += 1
            else:
                yield feature


class _Shapes:
    """Where the nodes of all wanted ways and relations are. An extract may lack some."""

    def __init__(self, path: Path) -> None:
        tracker = osmium.IdTracker()
        self._outlines: dict[int, list[Point] | None] = {}
        for element in osmium.FileProcessor(str(path), SHAPES).with_filter(_wanted_keys()):
            tags = dict(element.tags)
            if is_place(tags) or area_kind(tags):
                self._track(tracker, element)
        tracker.complete_backward_references(str(path), relation_depth=1)
        self._nodes = osmium.index.create_map("flex_mem")
        lines = osmium.osm.NODE | osmium.osm.WAY
        inside: Any = osmium.FileProcessor(str(path), lines).with_filter(tracker.id_filter())
        for element in inside:
            if element.is_node():
                self._nodes.set(element.id, element.location)
            elif element.id in self._outlines:
                self._outlines[element.id] = self._line(element)

    def feature(self, element: Any, tags: dict[str, str]) -> Feature | None:
        if element.is_node():
            return shaped("node", element.id, tags, [_point(element.location)])
        if element.is_way():
            points = self._line(element)
            return shaped("way", element.id, tags, points, is_whole=len(points) == len(element.nodes))
        lines = [self._outlines.get(member.ref) for member in element.members if member.type == "w"]
        points = [point for line in lines for point in line or ()]
        return shaped("relation", element.id, tags, points, is_whole=None not in lines)

    def _track(self, tracker: Any, element: Any) -> None:
        if element.is_way():
            tracker.add_way(element.id)
            return
        tracker.add_relation(element.id)
        self._outlines.update({member.ref: None for member in element.members if member.type == "w"})

    def _line(self, way: Any) -> list[Point]:
        return [point for node in way.nodes if (point := self._known(node.ref))]

    def _known(self, ref: int) -> Point | None:
        try:
            return _point(self._nodes.get(ref))
        except KeyError:
            return None


def _wanted_keys() -> Any:
    return osmium.filter.KeyFilter(*KEYS, "place", "boundary")


def _point(location: Any) -> Point:
    return location.lat, location.lon


def _bounds(header: Any) -> Bounds | None:
    known = header.box()
    if not known.valid():
        return None
    return known.bottom_left.lat, known.bottom_left.lon, known.top_right.lat, known.top_right.lon


def _day(moment: datetime) -> str:
    """The day of a change; files without dates have the epoch's first."""
    return "" if moment.timestamp() <= 0 else moment.astimezone(UTC).date().isoformat()
