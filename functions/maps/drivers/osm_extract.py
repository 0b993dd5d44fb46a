"""OpenStreetMap without a vendor: an index of an extract on this machine; at first, central Helsinki of 2019."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from maps import extract, tags
from maps.areas import Area
from maps.asked import Asked
from maps.extract.grid import meet
from maps.extract.index import Element, Index, Match, NotAnIndex, opened
from maps.extract.opening import is_open
from maps.extract.schema import place_number
from maps.extract.where import Unknown, locate
from maps.places import Said
from verbena import settings
from verbena.catalog.maps import PlaceInput, SearchInput
from verbena.providers import Driver, Failure, Found, Setup

SAMPLE: Final = Path(extract.__file__).with_name("helsinki.sqlite")


def _search(asked: Asked[SearchInput], setup: Setup) -> Found | Failure:
    """Places of an area the data has; of any other, the next provider is asked."""
    try:
        with opened(_path()) as index:
            area = asked.area or _named(index, asked.query)
            if not meet(area, index.about.bounds):
                return Failure("vendor_param", f"the data, {index.about.source}, has nothing of this area")
            return _found(index, asked, area, setup.limit)
    except NotAnIndex as error:
        return Failure("config", str(error))
    except Unknown as error:
        return Failure("vendor_param", str(error))


def _place(asked: Asked[PlaceInput], _setup: Setup) -> Found | Failure:
    """A place by its number; another provider may know one that is not in the data."""
    kind, _, number = asked.ref.value.partition("/") if asked.ref else ("", "", "")
    try:
        with opened(_path()) as index:
            element = index.element(place_number(kind, int(number)))
            if element is None:
                return Failure("vendor_param", f"the data, {index.about.source}, has no place {kind}/{number}")
            return Found([_said(element, index)], cost_micros=0)
    except NotAnIndex as error:
        return Failure("config", str(error))


def _path() -> Path:
    own = settings.current().osm_extract
    return Path(own) if own else SAMPLE


def _named(index: Index, query: SearchInput) -> Area:
    return locate(index, str(query.location), query.region).area


def _found(index: Index, asked: Asked[SearchInput], area: Area, limit: int) -> Found:
    matches = index.find(asked.query.query, area)
    start = asked.more.get("from", 0)
    items: list[Said] = []
    for turn, element in _elements(index, matches, start):
        if len(items) == limit:
            return Found(items, cost_micros=0, more={"from": turn})
        if not asked.query.open_now or _is_open(element):
            items.append(_said(element, index))
    return Found(items, cost_micros=0)


def _elements(index: Index, matches: Sequence[Match], start: int) -> Iterator[tuple[int, Element]]:
    for turn, match in enumerate(matches[start:], start):
        if element := index.element(match.place):
            yield turn, element


def _said(element: Element, index: Index) -> Said:
    said = tags.said(element.name, element.tags, element.lat, element.lng, index.about.date)
    return replace(said, timezone=element.timezone)


def _is_open(element: Element) -> bool:
    """Only what says so: a place without hours may be closed."""
    hours = element.tags.get("opening_hours")
    country = element.tags.get("addr:country", "").upper() or None
    return hours is not None and is_open(hours, element.timezone, country, datetime.now(UTC))


SEARCH: Final = Driver(
    name="osm_extract",
    verb="maps.search",
    title="OpenStreetMap extract",
    home="",
    is_embedded=True,
    is_last_resort=True,
    can=frozenset({"language", "open_now", "region", "strict_name"}),
    priority=80,
    request=_search,
)
PLACE: Final = Driver(
    name="osm_extract",
    verb="maps.place",
    title="OpenStreetMap extract",
    home="",
    is_embedded=True,
    is_last_resort=True,
    can=frozenset({"language", "osm_id", "region"}),
    priority=80,
    request=_place,
)
DRIVERS: Final = (SEARCH, PLACE)
