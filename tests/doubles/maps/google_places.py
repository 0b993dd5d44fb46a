"""Google Places API (New): answers only what the mask names; a token is good for the very same question."""

import base64
import hashlib
import json

from tests.doubles.contract import Endpoint, Problem, Reply, Script, saying
from tests.doubles.maps import town
from tests.doubles.maps.vendor import MapVendor
from tests.doubles.words import choice, flag, record, text, whole

KEY = "google-maps-made-up-key-77aa"
PAGE = 20

POINT = record("latitude", "longitude", latitude={"type": "number", "minimum": -90, "maximum": 90},
               longitude={"type": "number", "minimum": -180, "maximum": 180})  # fmt: skip
CIRCLE = record("center", "radius", center=POINT, radius={"type": "number", "minimum": 0, "maximum": 50_000})
RECTANGLE = record("low", "high", low=POINT, high=POINT)
LEVELS = ["FREE", "INEXPENSIVE", "MODERATE", "EXPENSIVE", "VERY_EXPENSIVE"]

SEARCH = record(
    "textQuery",
    textQuery=text(),
    pageSize=whole(1, 20),
    pageToken=text(),
    languageCode=text(),
    regionCode=text(),
    openNow=flag(),
    minRating={"type": "number", "minimum": 0, "maximum": 5, "multipleOf": 0.5},
    priceLevels={"type": "array", "items": choice(*(f"PRICE_LEVEL_{level}" for level in LEVELS[1:]))},
    includePureServiceAreaBusinesses=flag(),
    locationBias=record(circle=CIRCLE, rectangle=RECTANGLE),
    locationRestriction=record(rectangle=RECTANGLE),
)
GET = record(languageCode=text(), regionCode=text())
STATUSES = {
    "open": "OPERATIONAL",
    "moved": "CLOSED_PERMANENTLY",
    "temporarily_closed": "CLOSED_TEMPORARILY",
    "permanently_closed": "CLOSED_PERMANENTLY",
}
HOURS = {
    "openNow": True,
    "periods": [
        {"open": {"day": 1, "hour": 8, "minute": 0}, "close": {"day": 1, "hour": 12, "minute": 0}},
        {"open": {"day": 1, "hour": 13, "minute": 0}, "close": {"day": 1, "hour": 18, "minute": 30}},
        {"open": {"day": 5, "hour": 20, "minute": 0}, "close": {"day": 6, "hour": 2, "minute": 0}},
    ],
    "weekdayDescriptions": ["Monday: 8:00\u202fAM – 12:00\u202fPM, 1:00 – 6:30\u202fPM", "Tuesday: Closed"],
}


PRICES = {
    "startPrice": {"currencyCode": "EUR", "units": "90"},
    "endPrice": {"currencyCode": "EUR", "units": "140"},
}


def place(spot, language="en"):
    """Everything that is known of it: a field without a value is left out."""
    parts = [("route", spot.street), ("street_number", spot.house), ("locality", "Exampleton"), ("country", "Finland")]
    short = {"Finland": "FI"}
    said = {
        "id": spot.google,
        "displayName": {"text": dict(spot.names).get(language, spot.name), "languageCode": language},
        "types": [spot.kind, "point_of_interest"],
        "primaryType": spot.kind,
        "formattedAddress": f"{spot.street} {spot.house}, Exampleton" if spot.street else None,
        "addressComponents": [
            {"longText": value, "shortText": short.get(value, value), "types": [kind]} for kind, value in parts if value
        ],
        "location": {"latitude": spot.lat, "longitude": spot.lng} if spot.lat is not None else None,
        "businessStatus": STATUSES[spot.status],
        "movedPlaceId": "ChIJmadeUpPlaceNew01" if spot.status == "moved" else None,
        "googleMapsUri": f"https://maps.google.com/?cid={spot.cid}",
        "timeZone": {"id": "Europe/Helsinki"},
        "rating": spot.rating,
        "userRatingCount": spot.count,
        "priceLevel": f"PRICE_LEVEL_{LEVELS[spot.level]}" if spot.level is not None else None,
        "priceRange": PRICES if spot.level == 3 else None,
        "websiteUri": spot.website,
        "internationalPhoneNumber": spot.phone,
        "regularOpeningHours": HOURS if spot.has_hours else None,
        "delivery": False,
        "takeout": True,
        "photos": [
            {"name": "places/x/photos/y", "googleMapsUri": "https://maps.google.com/photo1",
             "authorAttributions": [{"displayName": "A. Tester"}]}
        ],
        "reviews": [review(spot, number) for number in range(5)],
    }  # fmt: skip
    return {name: value for name, value in said.items() if value is not None}


def review(spot, number):
    return {
        "name": f"places/{spot.google}/reviews/r{number}",
        "rating": 5 - number,
        "text": {"text": "Good soup.", "languageCode": "en"},
        "originalText": {"text": "Hyvää keittoa.", "languageCode": "fi"},
        "authorAttribution": {"displayName": "A. Tester", "uri": "https://example.invalid/u/1"},
        "publishTime": f"2026-05-0{number + 1}T10:11:12.123456789Z",
        "relativePublishTimeDescription": "6 months ago",
    }


def masked(said, mask):
    return {name: value for name, value in said.items() if name in mask}


def mask_of(request):
    return request.headers.get("X-Goog-FieldMask", "").split(",")


def digest(asked):
    rest = {name: value for name, value in asked.items() if name not in {"pageToken", "pageSize"}}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:16]


def token_of(start, asked):
    return base64.b64encode(f"{start}:{digest(asked)}".encode()).decode()


def start_of(asked):
    """Where a page begins; a token of another question is refused."""
    if "pageToken" not in asked:
        return 0
    start, _, of = base64.b64decode(asked["pageToken"]).decode().partition(":")
    return int(start) if of == digest(asked) else None


def search(request, spots=None, token=token_of):
    asked, mask = request.asked, mask_of(request)
    start, size = start_of(asked), asked.get("pageSize", PAGE)
    if start is None:
        return Reply(400, error(400, "INVALID_ARGUMENT", "Request contains an invalid page token."))
    found = town.matching(asked["textQuery"]) if spots is None else spots
    shown = found[start : start + size]
    names = [name.removeprefix("places.") for name in mask if name.startswith("places.")]
    body = {"places": [masked(place(spot, asked.get("languageCode", "en")), names) for spot in shown]}
    if not shown:
        body = {}
    if start + size < min(len(found), 60) and "nextPageToken" in mask:
        body["nextPageToken"] = token(start + size, asked)
    return Reply(body=body)


def get(request):
    spot = town.by("google", request.path.rpartition("/")[2])
    if spot is None:
        return Reply(404, error(404, "NOT_FOUND", "The Place ID is no longer valid."))
    language = request.asked.get("languageCode", "en")
    return Reply(body=masked(place(spot, language), mask_of(request)))


def error(status, code, message, **detail):
    return {"error": {"code": status, "message": message, "status": code, "details": [detail] if detail else []}}


BAD_KEY = "API key not valid. Please pass a valid API key."


def authorize(request):
    if request.headers.get("X-Goog-Api-Key") != KEY:
        bad = error(
            400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", reason="API_KEY_INVALID"
        )
        return Reply(400, bad)
    if not request.headers.get("X-Goog-FieldMask"):
        return Reply(400, error(400, "INVALID_ARGUMENT", "FieldMask is a required parameter."))
    return None


def rule(asked):
    if {"locationBias", "locationRestriction"} <= asked.keys():
        return Problem(
            "body", ("locationBias",), "exclusive", "locationBias and locationRestriction exclude each other"
        )
    return None


def answering(change):
    """The script of a search that is changed on its way."""
    return Script("success", lambda exchange: exchange.send(change(exchange.received)))


def repeating(request):
    """Whatever is asked, the same page comes, with a new token each time: a source that never ends."""
    token = request.asked.get("pageToken", "") + "x"
    return Reply(body={"places": [place(spot) for spot in town.CAFES[:PAGE]], "nextPageToken": token})


def same_token(request):
    """New pages for ever, and one token for them all."""
    shown = town.CAFES[:PAGE] if "pageToken" not in request.asked else town.CAFES[PAGE : 2 * PAGE]
    return Reply(body={"places": [place(spot) for spot in shown], "nextPageToken": "again"})


def empty_with_token(request):
    return search(request) if "pageToken" not in request.asked else Reply(body={"nextPageToken": "more"})


def always_open(request):
    return Reply(body={"places": [{"id": "ChIJalways000001", "regularOpeningHours": ALWAYS}]})


def too_early(exchange):
    """A token is not good for a moment after it was given."""
    seen = exchange.server.double.requests
    is_first_try = sum("pageToken" in one.asked for one in seen) == 1
    if "pageToken" in exchange.received.asked and is_first_try:
        exchange.send(Reply(400, error(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")))
    else:
        exchange.send(exchange.success())


def bare(request):
    """Fields null or gone, numbers as text."""
    return Reply(
        body={
            "places": [
                {"id": "ChIJbare00000001", "displayName": None, "location": None, "rating": None, "types": None},
                {"id": "ChIJbare00000002", "location": {"latitude": "59.5", "longitude": "22.5"}, "rating": "4.5"},
                {"id": "ChIJbare00000003", "regularOpeningHours": {}, "photos": [None], "addressComponents": [5]},
                {"displayName": {"text": "No id"}},
                None,
            ]
        }
    )


ALWAYS = {"openNow": True, "periods": [{"open": {"day": 0, "hour": 0, "minute": 0}}], "weekdayDescriptions": ["Open"]}

VENDOR = MapVendor(
    name="google_places",
    key={"GOOGLE_MAPS_API_KEY": KEY},
    endpoints=(
        Endpoint("POST", "/v1/places:searchText", SEARCH, {"textQuery": "cafe"}, search, rule),
        Endpoint("GET", "/v1/places/*", GET, {}, get),
    ),
    refuse=lambda problem: Reply(400, error(400, "INVALID_ARGUMENT", f"Invalid value at '{problem.name}'")),
    authorize=authorize,
    own={
        "empty": Script("no_results", lambda exchange: exchange.send(Reply(body={}))),
        "repeating": answering(repeating),
        "same_token": answering(same_token),
        "empty_with_token": answering(empty_with_token),
        "token_vanishes": answering(lambda request: search(request, token=lambda start, asked: "")),
        "short_page": answering(lambda request: search(request, town.CAFES[:3])),
        "abroad": answering(lambda request: search(request, [town.ABROAD, *town.CAFES[:4], town.PLUMBER])),
        "doubled": answering(lambda request: search(request, [*town.CAFES[:3], *town.CAFES[:3]])),
        "bare": answering(bare),
        "always_open": answering(always_open),
        "too_early": Script("success", too_early),
        "bad_key": saying("auth", 400, error(400, "INVALID_ARGUMENT", "API key not valid. Pass another.")),
        "not_enabled": saying("auth", 403, error(403, "PERMISSION_DENIED", "Places API (New) has not been used.")),
        "disabled": saying("config", 403, error(403, "PERMISSION_DENIED", "Off.", reason="SERVICE_DISABLED")),
        "quota_per_day": saying("quota", 429, error(429, "RESOURCE_EXHAUSTED", "Quota exceeded: requests per day.")),
        "rate_limited": saying("transient", 429, error(429, "RESOURCE_EXHAUSTED", "Quota exceeded: per minute.")),
        "internal": saying("transient", 500, error(500, "INTERNAL", "Internal error.")),
        "bad_value": saying("bad_request", 400, error(400, "INVALID_ARGUMENT", "Invalid value at 'text_query'.")),
    },
)  # fmt: skip
