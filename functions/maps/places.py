"""From what a source said of a place to its row: numbers are numbers, what is unknown is null and named."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from maps.areas import Area, distance_m
from maps.said import between, count, known, text, texts, web_url
from maps.terms import Terms
from verbena.catalog.places import Address, Hours, Photo, Place, Status

PROVENANCE: Final = frozenset({"attribution", "terms", "as_of"})
"""Fields that speak of the source, not of the place."""

HIGHEST_PRICE: Final = 4


@dataclass(frozen=True, slots=True)
class Said:
    """A place in a source's words. None is unknown, an empty list or zero is what the source says.

    `names` are names by language; `as_of` is the day of the data if it is not of the moment.
    """

    place_id: str
    ids: Mapping[str, str]
    name: object = None
    names: Mapping[str, str] = field(default_factory=dict)
    categories: Sequence[str] | None = None
    address: object = None
    address_parts: Mapping[str, object] | None = None
    lat: object = None
    lng: object = None
    phone: object = None
    website: object = None
    rating: object = None
    review_count: object = None
    rating_histogram: Mapping[str, int] | None = None
    price_level: int | None = None
    price_text: object = None
    hours: Hours | None = None
    status: Status | None = None
    timezone: object = None
    attributes: Mapping[str, Any] | None = None
    photos: Sequence[Photo] | None = None
    maps_url: object = None
    extras: Mapping[str, Any] = field(default_factory=dict)
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Who said it, on which terms, and when it was asked (UTC)."""

    provider: str
    terms: Terms
    fetched_at: datetime


def place(said: Said, origin: Origin, area: Area | None = None, language: str | None = None) -> Place:
    """The row of a place; `area` is what was searched, `language` the tag of the name that is preferred."""
    lat, lng = position(said)
    row = Place(
        place_id=said.place_id,
        ids=dict(said.ids),
        name=named(said, language),
        categories=None if said.categories is None else [kind_of(word) for word in texts(list(said.categories))],
        address=text(said.address),
        address_parts=_parts(said.address_parts),
        lat=lat,
        lng=lng,
        distance_m=None if area is None or lat is None or lng is None else _distance(area, lat, lng),
        phone=text(said.phone),
        website=web_url(said.website),
        rating=between(said.rating, 0, 5),
        review_count=count(said.review_count),
        rating_histogram=dict(said.rating_histogram) if said.rating_histogram else None,
        price_level=None if said.price_level is None else min(max(said.price_level, 0), HIGHEST_PRICE),
        price_text=text(said.price_text),
        hours=said.hours,
        status=said.status,
        timezone=text(said.timezone),
        attributes=None if said.attributes is None else known(said.attributes),
        photos=None if said.photos is None else list(said.photos),
        maps_url=web_url(said.maps_url),
        provider=origin.provider,
        attribution=origin.terms.attribution,
        terms=origin.terms.storage,
        as_of=said.as_of,
        fetched_at=origin.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        missing=[],
        extras=known(said.extras),
    )
    return row.model_copy(update={"missing": missing(row)})


def missing(row: Place) -> list[str]:
    """The fields that are unknown, in the order of the row."""
    return [name for name in type(row).model_fields if name not in PROVENANCE and getattr(row, name) is None]


def position(said: Said) -> tuple[float | None, float | None]:
    """Where it is; a position that is no place on earth is unknown, and so is half of one."""
    lat, lng = between(said.lat, -90, 90), between(said.lng, -180, 180)
    return (None, None) if lat is None or lng is None else (lat, lng)


def named(said: Said, language: str | None) -> str | None:
    """Its name in the language asked for, else the one on its door."""
    tag = (language or "").lower()
    by_tag = {name.lower(): value for name, value in said.names.items()}
    own = by_tag.get(tag) or by_tag.get(tag.partition("-")[0])
    return text(own) or text(said.name)


def kind_of(word: str) -> str:
    """A kind as all sources can be compared by: `Coffee shop` and `coffee_shop` are one."""
    return re.sub(r"[\s_]+", "_", word.strip().casefold())


def _parts(parts: Mapping[str, object] | None) -> Address | None:
    """The parts of an address, None if none is known."""
    told = {name: text(parts.get(name)) for name in Address.model_fields} if parts else {}
    if len(country := told.get("country") or "") == 2:  # noqa: PLR2004 - ISO 3166
        told["country"] = country.upper()
    return Address(**told) if any(told.values()) else None


def _distance(area: Area, lat: float, lng: float) -> float:
    return round(distance_m(area.lat, area.lng, lat, lng), 1)
