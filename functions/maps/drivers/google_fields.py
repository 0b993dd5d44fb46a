"""Places as Google's API describes them: which fields are asked for, and what they say."""

import re
from typing import Any, Final

from maps import hours
from maps.places import Said
from maps.said import count, inside, known, records, text, texts
from verbena.catalog.places import Hours, Photo, Status

# A call is billed at the dearest field of its mask: the tiers Pro, Enterprise, and Enterprise with Atmosphere.
BASIC: Final = (
    "id", "displayName", "types", "primaryType", "formattedAddress", "addressComponents", "location", "businessStatus",
    "googleMapsUri", "timeZone", "movedPlaceId",
)  # fmt: skip
STANDARD: Final = (
    "rating", "userRatingCount", "priceLevel", "priceRange", "websiteUri", "internationalPhoneNumber",
    "regularOpeningHours",
)  # fmt: skip
OFFERED: Final = (
    "accessibilityOptions", "allowsDogs", "curbsidePickup", "delivery", "dineIn", "goodForChildren", "goodForGroups",
    "liveMusic", "outdoorSeating", "parkingOptions", "paymentOptions", "reservable", "restroom", "servesBeer",
    "servesBreakfast", "servesBrunch", "servesCoffee", "servesDinner", "servesLunch", "servesVegetarianFood",
    "servesWine", "takeout",
)  # fmt: skip
FULL: Final = ("photos", "editorialSummary", *OFFERED)

LEVELS: Final = {
    "PRICE_LEVEL_FREE": 0,
    "PRICE_LEVEL_INEXPENSIVE": 1,
    "PRICE_LEVEL_MODERATE": 2,
    "PRICE_LEVEL_EXPENSIVE": 3,
    "PRICE_LEVEL_VERY_EXPENSIVE": 4,
}
STATUSES: Final[dict[str, Status]] = {
    "OPERATIONAL": "open",
    "CLOSED_TEMPORARILY": "temporarily_closed",
    "CLOSED_PERMANENTLY": "permanently_closed",
    "FUTURE_OPENING": "planned",
}
PARTS: Final = {
    "street": ("route", "longText"),
    "house_number": ("street_number", "longText"),
    "postal_code": ("postal_code", "longText"),
    "city": ("locality", "longText"),
    "state": ("administrative_area_level_1", "longText"),
    "country": ("country", "shortText"),
}


def mask(detail: str, *, is_rated: bool = False, is_priced: bool = False) -> list[str]:
    """The fields of a place to ask for: those of the detail, and those a filter is checked by."""
    tiers = {"basic": BASIC, "standard": (*BASIC, *STANDARD), "full": (*BASIC, *STANDARD, *FULL)}
    checked = [name for name, is_needed in (("rating", is_rated), ("priceLevel", is_priced)) if is_needed]
    return list(dict.fromkeys([*tiers[detail], *checked]))


def place(one: dict[str, Any]) -> Said:
    """A field without a value is left out by the source, which says the same as null."""
    place_id, maps_url = str(one["id"]), text(one.get("googleMapsUri"))
    cid = re.search(r"[?&]cid=(\d+)", maps_url or "")
    types = texts(one.get("types"))
    main = text(one.get("primaryType"))
    moved = text(one.get("movedPlaceId"))
    return Said(
        place_id=f"google:{place_id}",
        ids=known({"google_place_id": place_id, "cid": cid[1] if cid else None}),
        name=inside(one, "displayName", "text"),
        categories=list(dict.fromkeys([*([main] if main else []), *types])) or None,
        address=one.get("formattedAddress"),
        address_parts=_parts(one.get("addressComponents")),
        lat=inside(one, "location", "latitude"),
        lng=inside(one, "location", "longitude"),
        phone=one.get("internationalPhoneNumber") or one.get("nationalPhoneNumber"),
        website=one.get("websiteUri"),
        rating=one.get("rating"),
        review_count=one.get("userRatingCount"),
        price_level=LEVELS.get(str(one.get("priceLevel"))),
        price_text=_range(one.get("priceRange")),
        hours=_hours(one.get("regularOpeningHours")),
        status="moved" if moved else STATUSES.get(str(one.get("businessStatus"))),
        timezone=inside(one, "timeZone", "id"),
        attributes=known({name: one.get(name) for name in OFFERED}) or None,
        photos=_photos(one["photos"]) if "photos" in one else None,
        maps_url=maps_url,
        extras={
            "description": inside(one, "editorialSummary", "text"),
            "moved_to": f"google:{moved.removeprefix('places/')}" if moved else None,
        },
    )


def _parts(components: object) -> dict[str, object]:
    by_type = {kind: part for part in records(components) for kind in texts(part.get("types"))}
    by_type.setdefault("locality", by_type.get("postal_town", {}))
    return {name: by_type.get(kind, {}).get(form) for name, (kind, form) in PARTS.items()}


def _hours(said: object) -> Hours | None:
    words = texts(inside(said, "weekdayDescriptions"))
    spans = [span for period in records(inside(said, "periods")) if (span := _span(period))]
    if spans:
        return hours.of_spans(spans, words)
    return Hours(periods=None, always_open=None, text=words) if words else None


def _span(period: dict[str, Any]) -> hours.Span | None:
    """A period without a close never ends; Sunday is day 0."""
    start, end = _minute(period.get("open")), _minute(period.get("close"))
    if start is None:
        return None
    if end is None:
        return start, start + hours.WEEK_MINUTES
    return start, end if end > start else end + hours.WEEK_MINUTES


def _minute(point: object) -> int | None:
    day, hour, minute = (count(inside(point, name)) for name in ("day", "hour", "minute"))
    if day is None:
        return None
    return (day - 1) % 7 * hours.DAY_MINUTES + (hour or 0) * 60 + (minute or 0)


def _range(said: object) -> str | None:
    """`EUR 10-20`; without an upper end `EUR 10+`."""
    low, high = text(inside(said, "startPrice", "units")), text(inside(said, "endPrice", "units"))
    amount = f"{low}-{high}" if high else f"{low}+"
    return " ".join(filter(None, [text(inside(said, "startPrice", "currencyCode")), amount])) if low else None


def _photos(said: object) -> list[Photo]:
    """Pages of pictures: the pictures themselves take the operator's key."""
    photos = [(text(one.get("googleMapsUri")), records(one.get("authorAttributions"))) for one in records(said)]
    return [Photo(url=url, attribution=_authors(authors)) for url, authors in photos if url]


def _authors(authors: list[dict[str, Any]]) -> str | None:
    return ", ".join(name for author in authors if (name := text(author.get("displayName")))) or None
