"""OpenStreetMap without a vendor: an index of an extract on this machine; at first, central Helsinki of 2019."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from maps import extract, tags
from maps.areas import Area
from maps.asked import Asked, Beside
from maps.extract.grid import covers, meet
from maps.extract.index import Element, Index, NotAnIndex, opened
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
            area, is_whole = _area(index, asked)
            if not meet(area, index.about.bounds):
                return Failure("vendor_param", f"its data, {index.about.source}, has nothing of this area")
            items, more = _page(index, asked, area, setup.limit)
    except NotAnIndex as error:
        return Failure("config", str(error))
    except Unknown as error:
        return Failure("vendor_param", str(error))
    return Found(items, Beside(area=area, capped_by=None if is_whole else "source_limit"), cost_micros=0, more=more)


def _place(asked: Asked[PlaceInput], _setup: Setup) -> Found | Failure:
    """A place by its number; another provider may know one that is not in the data."""
    kind, _, number = asked.ref.value.partition("/") if asked.ref else ("", "", "")
    try:
        with opened(_path()) as index:
            element = index.element(place_number(kind, int(number)))
            if element is None:
                return Failure("vendor_param", f"its data, {index.about.source}, has no place {kind}/{number}")
            return Found([_said(element, index)], cost_micros=0)
    except NotAnIndex as error:
        return Failure("config", str(error))


def _path() -> Path:
    own = settings.current().osm_extract
    return Path(own) if own else SAMPLE


def _area(index: Index, asked: Asked[SearchInput]) -> tuple[Area, bool]:
    """Where to look, and whether the data has all of it."""
    if asked.area is not None:
        return asked.area, covers(index.about.bounds, asked.area)
    named = locate(index, str(asked.query.location), asked.query.region)
    return named.area, named.is_whole and covers(index.about.bounds, named.area)


def _page(
    index: Index, asked: Asked[SearchInput], area: Area, limit: int
) -> tuple[list[Said], Mapping[str, int] | None]:
    """As many places as are asked for, and where to go on if there may be more."""
    items: list[Said] = []
    matches = index.find(asked.query.query, area)
    for turn in range(asked.more.get("from", 0), len(matches)):
        if len(items) == limit:
            return items, {"from": turn}
        element = index.element(matches[turn].place)
        if element and (not asked.query.open_now or _is_open(element)):
            items.append(_said(element, index))
    return items, None


def _said(element: Element, index: Index) -> Said:
    said = tags.said(element.name, element.tags, element.lat, element.lng, index.about.date)
    return replace(said, timezone=element.timezone)


def _is_open(element: Element) -> bool:
    """Only what says so: a place without hours may be closed."""
    hours = element.tags.get("opening_hours")
    country = element.tags.get("addr:country", "").upper() or None
    return hours is not None and is_open(hours, element.timezone, country, datetime.now(UTC))


VENDOR: Final[dict[str, Any]] = {
    "name": "osm_extract",
    "title": "OpenStreetMap extract",
    "home": "",
    "priority": 80,
    "is_embedded": True,
    "is_last_resort": True,
    "advice": {"config": "VERBENA_OSM_EXTRACT must be a file that 'verbena maps build' made, or not be set"},
}

DRIVERS: Final = (
    Driver(
        **VENDOR,
        verb="maps.search",
        can=frozenset({"language", "open_now", "region", "strict_name"}),
        request=_search,
    ),
    Driver(**VENDOR, verb="maps.place", can=frozenset({"language", "osm_id", "region"}), request=_place),
)
