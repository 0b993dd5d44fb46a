"""From OpenStreetMap tags to what they say of a place; shared by every driver of OSM data."""

import re
from collections.abc import Mapping
from typing import Any, Final

from maps import hours
from maps.places import Said
from maps.said import known

KEYS: Final = ("amenity", "shop", "tourism", "leisure", "office", "craft", "healthcare")
"""The keys that make a feature a place one can go to, in the order of how much they say."""

GONE: Final = ("disused:", "abandoned:", "demolished:", "razed:", "was:", "removed:")
"""Prefixes of a key whose place is no more."""

LANGUAGE: Final = re.compile(r"name:([a-z]{2,3}(-[A-Za-z]{2,4})?)")

ATTRIBUTES: Final = (
    "air_conditioning", "brewery", "bar", "capacity", "cuisine", "delivery", "denomination", "dog", "drive_through",
    "fee", "indoor_seating", "internet_access", "lunch", "microbrewery", "outdoor_seating", "religion", "reservation",
    "rooms", "second_hand", "self_service", "smoking", "sport", "stars", "takeaway", "toilets", "wheelchair",
)  # fmt: skip
PREFIXES: Final = ("diet:", "payment:", "toilets:", "wheelchair:")
EXTRAS: Final = ("brand", "description", "level", "old_name", "operator", "start_date", "wikipedia")
CONTACTS: Final = ("email", "facebook", "instagram", "fax")


def said(osm: str, tags: Mapping[str, str], lat: object, lng: object, as_of: str | None = None) -> Said:
    """A place of OSM, such as `node/123`; `as_of` is the day of the data, YYYY-MM-DD."""
    expression = tags.get("opening_hours")
    return Said(
        place_id=f"osm:{osm}",
        ids=known({"osm": osm, "wikidata": tags.get("wikidata")}),
        name=tags.get("name") or tags.get("brand"),
        names={match[1]: value for key, value in tags.items() if (match := LANGUAGE.fullmatch(key))},
        categories=categories(tags) or None,
        address=tags.get("addr:full") or _address(tags),
        address_parts=_parts(tags),
        lat=lat,
        lng=lng,
        phone=_first(tags, "phone", "contact:phone", "contact:mobile"),
        website=_first(tags, "website", "contact:website", "url"),
        hours=hours.of_expression(expression) if expression else None,
        status="permanently_closed" if is_gone(tags) else None,
        attributes=attributes(tags) or None,
        maps_url=f"https://www.openstreetmap.org/{osm}",
        extras=_extras(tags),
        as_of=as_of,
    )


def categories(tags: Mapping[str, str]) -> list[str]:
    """Its kinds: values of the main keys, of `shop=yes` the key."""
    values = [tags[key] if tags[key] != "yes" else key for key in KEYS if tags.get(key, "no") != "no"]
    parts = (part.strip() for value in values for part in value.split(";"))
    return list(dict.fromkeys(part for part in parts if part))


def attributes(tags: Mapping[str, str]) -> dict[str, Any]:
    """What it offers; yes and no are booleans."""
    offered = {key: value for key, value in tags.items() if key in ATTRIBUTES or key.startswith(PREFIXES)}
    return {key: {"yes": True, "no": False}.get(value, value) for key, value in sorted(offered.items())}


def is_gone(tags: Mapping[str, str]) -> bool:
    """Whether all that it was is only a memory."""
    return not categories(tags) and any(key.startswith(GONE) for key in tags)


def _first(tags: Mapping[str, str], *keys: str) -> str | None:
    """The first value; several numbers or pages stand in one tag with semicolons between them."""
    return next((tags[key].split(";")[0].strip() for key in keys if tags.get(key)), None)


def _parts(tags: Mapping[str, str]) -> dict[str, object]:
    return {
        "street": tags.get("addr:street") or tags.get("addr:place"),
        "house_number": tags.get("addr:housenumber"),
        "postal_code": tags.get("addr:postcode"),
        "city": tags.get("addr:city"),
        "state": tags.get("addr:state"),
        "country": tags.get("addr:country"),
    }


def _address(tags: Mapping[str, str]) -> str | None:
    parts = _parts(tags)
    lines = (("street", "house_number"), ("postal_code", "city"), ("state",), ("country",))
    written = (" ".join(str(parts[name]) for name in line if parts[name]) for line in lines)
    return ", ".join(filter(None, written)) or None


def _extras(tags: Mapping[str, str]) -> dict[str, Any]:
    contacts = {key: _first(tags, key, f"contact:{key}") for key in CONTACTS}
    return {key: tags.get(key) for key in EXTRAS} | contacts
