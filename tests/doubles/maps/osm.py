"""Nominatim and Overpass at one address: positions are text at the one, and both fail in their own words."""

import re

from tests.doubles.contract import Endpoint, Problem, Reply, Script, saying
from tests.doubles.maps import town
from tests.doubles.maps.vendor import MapVendor
from tests.doubles.words import choice, record, text, whole

EXTRA = {
    "format": choice("jsonv2"),
    "addressdetails": choice(0, 1),
    "extratags": choice(0, 1),
    "namedetails": choice(0, 1),
    "accept-language": text(),
    "email": text(),
}
OVERPASS = record("data", data=text())
SEARCH = record("q", "format", q=text(), limit=whole(1, 40), countrycodes=text(pattern="^[a-z]{2}$"), **EXTRA)
LOOKUP = record("osm_ids", "format", osm_ids=text(pattern=r"^[NWR]\d+(,[NWR]\d+)*$"), **EXTRA)
HOURS = "Mo 08:00-12:00,13:00-18:30; Fr 20:00-02:00"
LICENCE = "Data © OpenStreetMap contributors, ODbL 1.0."
TAGS = {"cafe": ("amenity", "cafe"), "hotel": ("tourism", "hotel"), "bakery": ("shop", "bakery")}


def tags(spot):
    key, value = TAGS.get(spot.kind, ("office", spot.kind))
    said = {
        ("disused:" if spot.status == "permanently_closed" else "") + key: value,
        "name": spot.name,
        **{f"name:{tag}": name for tag, name in spot.names},
        "addr:street": spot.street,
        "addr:housenumber": spot.house,
        "addr:city": "Exampleton",
        "addr:country": "FI",
        "phone": spot.phone,
        "website": spot.website,
        "opening_hours": HOURS if spot.has_hours else None,
    }
    return {name: value for name, value in said.items() if value}


def element(spot):
    """Every third is a way, which has a centre."""
    here = {"lat": spot.lat, "lon": spot.lng}
    if spot.number % 3 == 2:
        return {"type": "way", "id": spot.node, "center": here, "tags": tags(spot)}
    return {"type": "node", "id": spot.node, **here, "tags": tags(spot)}


def overpass(request, spots=None):
    data = request.asked["data"]
    known = [
        spot for spot in town.EVERY if spot.lat is not None and (spot.kind in data or spot.name.casefold() in data)
    ]
    found = known if spots is None else spots
    return Reply(body=elements([element(spot) for spot in sorted(found, key=lambda spot: -spot.number)]))


def elements(listed, **more):
    about = {"timestamp_osm_base": "2026-11-30T20:00:00Z", "copyright": "ODbL"}
    return {"version": 0.6, "generator": "Overpass API", "osm3s": about, "elements": listed, **more}


def search(request):
    if "nowhere" in request.asked["q"].casefold():
        return Reply(body=[])
    edges = [f"{edge:.7f}" for edge in (town.SOUTH, town.NORTH, town.WEST, town.EAST)]
    said = {"osm_type": "relation", "osm_id": 34914, "lat": "59.5", "lon": "22.5", "name": "Exampleton"}
    return Reply(body=[{"place_id": 1, "licence": LICENCE, **said, "boundingbox": edges, "extratags": None}])


def lookup(request):
    wanted = request.asked["osm_ids"][1:]
    spot = town.by("node", wanted)
    if spot is None:
        return Reply(body=[])
    said, key = tags(spot), TAGS.get(spot.kind, ("office", ""))[0]
    address = {"road": spot.street, "house_number": spot.house, "city": "Exampleton", "country_code": "fi"}
    outer = {"phone", "website", "opening_hours"}
    place = {
        "place_id": 7,
        "licence": LICENCE,
        "osm_type": "way" if request.asked["osm_ids"][0] == "W" else "node",
        "osm_id": spot.node,
        "lat": str(spot.lat),
        "lon": str(spot.lng),
        "category": key,
        "type": said.get(key),
        "name": spot.name,
        "display_name": f"{spot.name}, {spot.house}, {spot.street}, Exampleton, Suomi",
        "address": address,
        "extratags": {name: value for name, value in said.items() if name in outer} or None,
        "namedetails": {name: value for name, value in said.items() if name.startswith("name")},
    }
    return Reply(body=[place])


def rule(asked):
    """The words of a query, as far as a reader without Overpass can judge them."""
    data = asked["data"]
    if re.fullmatch(r"\[out:json\]\[timeout:\d+\];\((nwr.+;)+\);out center tags \d+;", data) is None:
        return Problem("query", ("data",), "static", "parse error")
    return None


def html(status, words, expected="transient"):
    return saying(expected, status, f"<html><body><p>{words}</p></body></html>", "text/html; charset=utf-8")


def remark(words, *spots):
    return saying("transient", 200, elements([element(spot) for spot in spots], remark=words))


BARE = [
    {"type": "node", "id": 1, "lat": "59.5", "lon": "22.5", "tags": {"amenity": "cafe"}},
    {"type": "way", "id": 2, "tags": {"amenity": "cafe", "name": "No centre", "opening_hours": "when we like"}},
    {"type": "node", "id": 3, "lat": 59.5, "lon": 22.5},
    {"type": "node", "id": 4, "lat": 999, "lon": 22.5, "tags": {"amenity": "cafe", "phone": "1; 2"}},
    {"type": "count", "id": 0, "tags": {"total": "3"}},
    None,
]  # fmt: skip

VENDOR = MapVendor(
    name="osm",
    key={},
    endpoints=(
        Endpoint("GET", "/api/interpreter", OVERPASS, {}, overpass, rule),
        Endpoint("GET", "/search", SEARCH, {}, search),
        Endpoint("GET", "/lookup", LOOKUP, {}, lookup),
    ),
    refuse=lambda problem: Reply(400, {"error": {"code": 400, "message": problem.message}}),
    own={
        "empty": Script("no_results", lambda exchange: exchange.send(Reply(body=elements([])))),
        "timed_out": remark('runtime error: Query timed out in "query" at line 1 after 11 seconds.'),
        "out_of_memory": remark("runtime error: Query run out of memory", *town.CAFES[:2]),
        "too_many": html(429, "rate_limited. Please check /api/status for the quota of your IP address."),
        "too_busy": html(504, "The server is probably too busy to handle your request."),
        "parse_error": html(400, "parse error: Unknown type", "vendor_param"),
        "blocked": html(403, "Access blocked. See the usage policy.", "quota"),
        "bare": saying("success", 200, elements(BARE)),
        "abroad": Script("success", lambda exchange: exchange.send(
            overpass(exchange.received, [town.ABROAD, *town.CAFES[:4]]))),
    },
    answer_scripts={
        "geocoder_blocked": html(403, "Access blocked", "quota"),
        "geocoder_busy": html(429, "Error 54113"),
        "no_such_format": saying("vendor_param", 400, "ERROR 400: Parameter 'format' is none.", "text/plain"),
    },
)  # fmt: skip
