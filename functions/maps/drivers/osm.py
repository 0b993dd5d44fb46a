"""OpenStreetMap over its public services: Nominatim finds a place by name or id, Overpass all of a kind in an area.

One request a second for the whole application, answers kept, and a named user agent: the services ask for no less.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any, Final

from maps import tags
from maps.areas import Area, box
from maps.asked import Asked, Beside
from maps.kinds import Wish, wish
from maps.places import Said
from maps.said import inside, number, records, text
from verbena.catalog.maps import PlaceInput, SearchInput
from verbena.catalog.places import Cap
from verbena.providers import Driver, Failure, Found, Setup, Step, VendorRequest, VendorResponse
from verbena.rates import Rate

NOMINATIM: Final = "https://nominatim.openstreetmap.org"
OVERPASS: Final = "https://overpass-api.de"
MOST: Final = 500
QUERY_S: Final = 10
KEEP_S: Final = 24 * 3600.0
"""How long an answer is used again: the map changes slowly, and the policy asks for it."""

LETTERS: Final = {"node": "N", "way": "W", "relation": "R"}
ADVICE: Final = "set base_url to your own Nominatim, and overpass_url to your own Overpass, if you have them"
PLACES: Final = f'[~"^({"|".join(tags.KEYS)})$"~"."]'
SAID_OF: Final = "^(name|name:.*|alt_name|brand|operator|cuisine|description|sport|religion|denomination)$"


def search(asked: Asked[SearchInput], setup: Setup) -> VendorRequest:
    """The places of an area; of a named one, first where it is."""
    query = asked.query
    if asked.area is not None:
        return _overpass(setup, query, _within(asked.area))
    where = {"q": query.location, "limit": 1, "countrycodes": query.region and query.region.lower()}
    return _nominatim(setup, "search", where, query.language)


def read_search(response: VendorResponse, _: Setup) -> Found | Failure:
    body = response.json
    return _elements(body) if isinstance(body, dict) else _located(body)


def _located(body: object) -> Found | Failure:
    """Where a name is: the best match alone."""
    if not isinstance(body, list):
        return Failure("transient", "neither a place nor places")
    for one in records(body):
        bounds = [number(edge) for edge in one.get("boundingbox") or ()]
        south, north, west, east = bounds if len(bounds) == 4 else [None] * 4  # noqa: PLR2004 - as it answers
        if south is None or north is None or west is None or east is None:
            continue
        return Found((), Beside(area=box(south, west, north, east)), cost_micros=0, more={"osm": _osm(one)})
    return Failure("vendor_param", "OpenStreetMap knows no place of the name given as location")


def is_named(asked: Asked[SearchInput]) -> bool:
    return asked.area is None


def in_located(asked: Asked[SearchInput], setup: Setup, found: Found) -> VendorRequest:
    """The second question of a named area: within its very border, where it has one."""
    area, osm = found.beside.area, str(inside(found.more, "osm"))
    relation = re.fullmatch(r"relation/(\d+)", osm)
    within = [f"(area:{3_600_000_000 + int(relation[1])})"] if relation else _within(area)
    return _overpass(setup, asked.query, within)


def read_located(response: VendorResponse, found: Found) -> Found | Failure:
    outcome = _elements(response.json)
    if isinstance(outcome, Failure):
        return outcome
    return replace(outcome, beside=replace(outcome.beside, area=found.beside.area))


def _overpass(setup: Setup, query: SearchInput, within: list[str]) -> VendorRequest:
    home = setup.base_url if setup.base_url != NOMINATIM else OVERPASS
    base_url = str(setup.tuning.get("overpass_url") or home).rstrip("/")
    said = [f"nwr{selector}{place};" for selector in _selectors(wish(query.query)) for place in within]
    ql = f"[out:json][timeout:{QUERY_S}];({''.join(said)});out center tags {MOST};"
    return replace(VendorRequest.get(f"{base_url}/api/interpreter", {"data": ql}), keep_s=KEEP_S)


def _selectors(wanted: Wish) -> list[str]:
    """What is asked of a feature: its kind and what is said of it; without a kind, its name."""
    if not wanted.kinds:
        pattern = quoted(".*".join(map(re.escape, wanted.words)))
        return [f'["{key}"~{pattern},i]{PLACES}' for key in ("name", "brand")]
    said = product(_of_kinds(wanted.kinds), *map(_said_of, wanted.words))
    return ["".join(parts) for parts in said]


def _of_kinds(kinds: Iterable[str]) -> list[str]:
    """One selector for each key: any of its values, or all of them."""
    by_key: dict[str, list[str]] = {}
    for key, _, value in (kind.partition("=") for kind in kinds):
        by_key.setdefault(key, []).append(value)
    return [f'["{key}"]' if "*" in values else f'["{key}"~"^({"|".join(values)})$"]' for key, values in by_key.items()]


def _said_of(word: str) -> tuple[str, str]:
    """A word in what is said of a place, or a diet that it serves."""
    pattern = re.escape(word)
    return f"[~{quoted(SAID_OF)}~{quoted(pattern)},i]", f'[~{quoted(f"^diet:{pattern}$")}~"^(yes|only)$"]'


def _within(area: Area) -> list[str]:
    if area.radius_m is not None:
        return [f"(around:{area.radius_m:g},{area.lat},{area.lng})"]
    return [f"({south},{west},{north},{east})" for south, west, north, east in area.boxes()]


def quoted(pattern: str) -> str:
    """A string of Overpass QL."""
    return '"' + pattern.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _elements(body: Any) -> Found | Failure:
    """A remark is a failure that comes as a success: what there is beside it is a part of the answer, in no order."""
    if remark := text(inside(body, "remark")):
        return Failure("transient", f"Overpass: {remark}")
    elements = records(inside(body, "elements"))
    found = [_element(one) for one in elements if one.get("type") in LETTERS and isinstance(one.get("tags"), dict)]
    cap: Cap | None = "source_limit" if len(elements) >= MOST else None
    return Found(found, Beside(capped_by=cap, is_unranked=True), cost_micros=0)


def _element(one: dict[str, Any]) -> Said:
    """A way or a relation is where its centre is."""
    point = one.get("center") if isinstance(one.get("center"), dict) else one
    return tags.said(f"{one['type']}/{one['id']}", _texts(one["tags"]), inside(point, "lat"), inside(point, "lon"))


def look_up(asked: Asked[PlaceInput], setup: Setup) -> VendorRequest:
    kind, _, number_ = (asked.ref.value if asked.ref else "").partition("/")
    return _nominatim(setup, "lookup", {"osm_ids": f"{LETTERS[kind]}{number_}"}, asked.query.language)


def read_place(response: VendorResponse, _: Setup) -> Found:
    return Found([_nominated(one) for one in records(response.json) if one.get("osm_id")], cost_micros=0)


def _nominated(one: dict[str, Any]) -> Said:
    """Nominatim spreads an element over several objects, of which each may be null."""
    address = _texts(one.get("address"))
    told = {
        **_texts(one.get("extratags")),
        **_texts(one.get("namedetails")),
        **({"name": name} if (name := text(one.get("name"))) else {}),
        str(one.get("category") or one.get("class")): str(one.get("type")),
        **{f"addr:{key}": address[name] for name, key in ADDRESS.items() if name in address},
        **({"addr:country": address["country_code"].upper()} if "country_code" in address else {}),
    }
    said = tags.said(_osm(one), told, one.get("lat"), one.get("lon"))
    return replace(said, address=said.address or one.get("display_name"))


# Names of Nominatim by names of OSM; of several the last that is there.
ADDRESS: Final = {
    "road": "street",
    "house_number": "housenumber",
    "postcode": "postcode",
    "state": "state",
    "village": "city",
    "town": "city",
    "city": "city",
}


def _osm(one: dict[str, Any]) -> str:
    return f"{one.get('osm_type')}/{one.get('osm_id')}"


def _texts(said: object) -> dict[str, str]:
    return {str(key): value for key, value in said.items() if isinstance(value, str)} if isinstance(said, dict) else {}


def _nominatim(setup: Setup, path: str, asked: dict[str, Any], language: str | None) -> VendorRequest:
    query = {
        **asked,
        "format": "jsonv2",
        "addressdetails": 1,
        "extratags": 1,
        "namedetails": 1,
        "accept-language": language,
        "email": setup.tuning.get("email"),
    }
    return replace(VendorRequest.get(f"{setup.base_url}/{path}", query), keep_s=KEEP_S)


VENDOR: Final[dict[str, Any]] = {
    "name": "osm",
    "title": "OpenStreetMap",
    "home": NOMINATIM,
    "priority": 90,
    "rate": Rate(1, 1),
    "faults": {"400": "vendor_param", "403": "quota", "429": "transient", "504": "transient"},
    "advice": {"quota": f"its usage policy was broken: {ADVICE}", "config": ADVICE},
}

DRIVERS: Final = (
    Driver(
        **VENDOR,
        verb="maps.search",
        can=frozenset({"strict_name", "language", "region"}),
        most=MOST,
        request=search,
        read=read_search,
        then=Step("places", is_named, in_located, read_located, is_essential=True),
    ),
    Driver(
        **VENDOR,
        verb="maps.place",
        can=frozenset({"osm_id", "language", "region"}),
        request=look_up,
        read=read_place,
    ),
)
