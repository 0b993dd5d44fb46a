"""Google Places API (New): the official source. A call costs by its field mask, so that holds only what is asked."""

from collections.abc import Iterable
from math import floor
from typing import Any, Final

from maps.areas import Area
from maps.asked import Asked
from maps.drivers.google_fields import mask, place
from maps.reviews import SaidReview
from maps.said import inside, records
from verbena.catalog.maps import PlaceInput, ReviewsInput, SearchInput
from verbena.providers import (
    Driver,
    Found,
    Json,
    Kind,
    Setup,
    VendorRequest,
    VendorResponse,
    said,
    vendor_codes,
)

KEY: Final = "GOOGLE_MAPS_API_KEY"
PAGE: Final = 20
MOST: Final = 60
"""How many places all pages of one search have together."""

PRICES: Final = (
    "PRICE_LEVEL_FREE",
    "PRICE_LEVEL_INEXPENSIVE",
    "PRICE_LEVEL_MODERATE",
    "PRICE_LEVEL_EXPENSIVE",
    "PRICE_LEVEL_VERY_EXPENSIVE",
)


def search(asked: Asked[SearchInput], setup: Setup) -> VendorRequest:
    query = asked.query
    words = query.query if asked.area or query.location == query.query else f"{query.query} in {query.location}"
    body = {
        "textQuery": words,
        "pageSize": min(setup.limit, PAGE),
        "pageToken": asked.more.get("token"),
        "languageCode": query.language,
        "regionCode": query.region,
        "openNow": query.open_now or None,
        # It rounds up to the next half, which would drop places that are good enough.
        "minRating": floor(query.min_rating * 2) / 2 if query.min_rating else None,
        "priceLevels": _prices(query.price_levels),
        "includePureServiceAreaBusinesses": not query.strict_area,
        **(_where(asked.area, is_strict=query.strict_area) if asked.area else {}),
    }
    wanted = mask(query.detail, is_rated=bool(query.min_rating), is_priced=bool(query.price_levels))
    fields = ",".join(["nextPageToken", *(f"places.{name}" for name in wanted)])
    return VendorRequest.post(f"{setup.base_url}/v1/places:searchText", body, _headers(setup, fields))


def _where(area: Area, *, is_strict: bool) -> dict[str, Any]:
    """A bias to the area; to keep to it, a box around it, for it knows no other restriction."""
    if area.radius_m is not None and not is_strict:
        centre = {"latitude": area.lat, "longitude": area.lng}
        return {"locationBias": {"circle": {"center": centre, "radius": area.radius_m}}}
    low = {"latitude": area.south, "longitude": area.west}
    high = {"latitude": area.north, "longitude": area.east}
    return {"locationRestriction" if is_strict else "locationBias": {"rectangle": {"low": low, "high": high}}}


def _prices(levels: list[int]) -> list[str] | None:
    """It takes no filter for what is free."""
    return [PRICES[level] for level in sorted(set(levels))] if levels and 0 not in levels else None


def read_search(response: VendorResponse, _: Setup) -> Found:
    token = response.json.get("nextPageToken")
    more = {"token": token} if isinstance(token, str) and token else None
    return Found([place(one) for one in records(response.json.get("places")) if one.get("id")], more=more)


def look_up(asked: Asked[PlaceInput], setup: Setup) -> VendorRequest:
    query = asked.query
    return _get(asked, setup, ",".join(mask(query.detail)), query.region)


def read_place(response: VendorResponse, _: Setup) -> Found:
    return Found([place(response.json)] if response.json.get("id") else [])


def read_about(asked: Asked[ReviewsInput], setup: Setup) -> VendorRequest:
    return _get(asked, setup, "id,reviews", None)


def read_reviews(response: VendorResponse, setup: Setup) -> Found:
    return Found([_review(one) for one in records(response.json.get("reviews"))][: setup.limit])


def _review(one: dict[str, Any]) -> SaidReview:
    """`text` is a translation where the original is in another language."""
    original = one.get("originalText") or one.get("text")
    language, shown = inside(original, "languageCode"), inside(one, "text", "languageCode")
    author = one.get("authorAttribution")
    return SaidReview(
        review_id=one.get("name"),
        rating=one.get("rating"),
        text=inside(original, "text"),
        language=language,
        translation=inside(one, "text", "text") if shown != language else None,
        published_at=one.get("publishTime"),
        relative_time=one.get("relativePublishTimeDescription"),
        author={
            "name": inside(author, "displayName"),
            "url": inside(author, "uri"),
            "photo": inside(author, "photoUri"),
        },
        source="Google",
    )


AUTHOR: Final = {"name": "displayName", "url": "uri", "photo": "photoUri"}


def _get(asked: Asked[Any], setup: Setup, fields: str, region: str | None) -> VendorRequest:
    place_id = asked.ref.value if asked.ref else ""
    query = {"languageCode": asked.query.language, "regionCode": region}
    return VendorRequest.get(f"{setup.base_url}/v1/places/{place_id}", query, _headers(setup, fields))


def _headers(setup: Setup, fields: str) -> dict[str, str]:
    return {"X-Goog-Api-Key": setup.secrets[KEY], "X-Goog-FieldMask": fields}


def _codes(body: Json) -> Iterable[str]:
    """The reasons of an error, then its status; a wrong key, or a day's quota used, may be in the words alone."""
    message = said(body) or ""
    if message.startswith("API key not valid"):
        yield "API_KEY_INVALID"
    if "per day" in message:
        yield "per_day"
    yield from (str(one["reason"]) for one in records(inside(body, "error", "details")) if one.get("reason"))
    yield from filter(None, [inside(body, "error", "status")])
    yield from vendor_codes(body)


FAULTS: Final[dict[str, Kind]] = {
    "API_KEY_INVALID": "auth",
    "API_KEY_SERVICE_BLOCKED": "auth",
    "SERVICE_DISABLED": "config",
    "BILLING_DISABLED": "config",
    "PERMISSION_DENIED": "auth",
    "429 per_day": "quota",
    "RESOURCE_EXHAUSTED": "transient",
}
ADVICE: Final[dict[Kind, str]] = {
    "auth": "GOOGLE_MAPS_API_KEY must be a key of a project with Places API (New) enabled",
    "config": "enable Places API (New) and billing for the key's project",
}
VENDOR: Final[dict[str, Any]] = {
    "name": "google_places",
    "title": "Google Places API (New)",
    "home": "https://places.googleapis.com",
    "needs": (KEY,),
    "priority": 10,
    "codes": _codes,
    "advice": ADVICE,
}
FILTERS: Final = frozenset({"open_now", "min_rating", "price_levels", "language", "region"})

DRIVERS: Final = (
    Driver(**VENDOR, verb="maps.search", can=FILTERS, most=MOST, request=search, read=read_search, faults=FAULTS),
    Driver(
        **VENDOR,
        verb="maps.place",
        can=frozenset({"google_place_id", "language", "region"}),
        request=look_up,
        read=read_place,
        faults=FAULTS | {"NOT_FOUND": "no_results"},
    ),
    Driver(
        **VENDOR,
        verb="maps.reviews",
        can=frozenset({"google_place_id", "language", "sort_relevant"}),
        most=5,
        request=read_about,
        read=read_reviews,
        faults=FAULTS | {"NOT_FOUND": "no_results"},
    ),
)
