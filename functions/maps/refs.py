"""Which place an id or a map service's URL means, as far as the text alone can say. Nothing is fetched here."""

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import SplitResult, parse_qs, unquote_plus, urlsplit

from verbena.errors import InvalidInput

Kind = Literal["google_place", "google_feature", "google_cid", "osm", "name", "short"]
"""A Google place id, a feature id (0x..:0x..) or its decimal half; an OSM element; a name and no id; a short link."""

FORMS: Final = (
    "google:ChIJ…, google_feature:0x…:0x…, google_cid:123…, osm:node/123, or a URL of Google Maps or OpenStreetMap"
)
GOOGLE: Final = re.compile(r"(www\.|maps\.)?google\.[a-z]{2,3}(\.[a-z]{2})?")
OSM: Final = frozenset({"openstreetmap.org", "www.openstreetmap.org", "osm.org", "www.osm.org"})
SHORT: Final = frozenset({"maps.app.goo.gl", "goo.gl"})

FEATURE: Final = r"0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16}"
# Tried in this order; the prefix of a canonical id says which of them is meant.
IDS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("google_feature", re.compile(rf"(?:google_feature:)?({FEATURE})", re.IGNORECASE)),
    ("google_cid", re.compile(r"(?:google_)?cid:(\d{1,20})|(\d{10,20})")),
    ("google_place", re.compile(r"google:([\w-]{10,300})|((?:ChIJ|GhIJ)[\w-]{10,300})", re.ASCII)),
    ("osm", re.compile(r"(?:osm:)?((?:node|way|relation)/\d{1,19})|(?:osm:)?([NWR]\d{1,19})", re.ASCII)),
)
LETTERS: Final = {"N": "node", "W": "way", "R": "relation"}
# Parts of the `data` of a Google URL: a place id, a feature id.
DATA: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("google_place", re.compile(r"!19s((?:ChIJ|GhIJ)[\w-]+)", re.ASCII)),
    ("google_feature", re.compile(rf"!1s({FEATURE})", re.IGNORECASE)),
)
NAMED: Final = re.compile(r"/maps/(?:place|search)/([^/@]+)")
AT: Final = re.compile(r"/@(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Ref:
    """A place that is meant. Of a name, `lat` and `lng` are where the map looked, if the link says."""

    kind: Kind
    value: str
    lat: float | None = None
    lng: float | None = None

    @property
    def canonical(self) -> str:
        """As rows write it."""
        return f"{'google' if self.kind == 'google_place' else self.kind}:{self.value}"

    @property
    def cid(self) -> str | None:
        """The decimal id Google's links carry."""
        if self.kind == "google_feature":
            return str(int(self.value.partition(":")[2], 16))
        return self.value if self.kind == "google_cid" else None


def ref_of(said: str, field: str) -> Ref:
    """What an id or URL means; InvalidInput, naming the input's field, if nothing."""
    said = said.strip()
    ref = of_url(said) if "://" in said else of_id(said)
    if ref is None:
        problem = {"field": field, "problem": "names no place", "fix": f"give {FORMS}"}
        raise InvalidInput(f"{field} names no place: give {FORMS}", fields=[problem])
    return ref


def of_id(said: str) -> Ref | None:
    for kind, pattern in IDS:
        if match := pattern.fullmatch(said):
            value = next(filter(None, match.groups()))
            return _osm(value) if kind == "osm" else Ref(kind, _written(kind, value))
    return None


def of_url(url: str) -> Ref | None:
    """A place from a URL of one of the known map services; any other host is none."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"}:
        return None
    if host in SHORT:
        return Ref("short", url)
    return _of_osm(parts) if host in OSM else _of_google(host, parts)


def _of_osm(parts: SplitResult) -> Ref | None:
    match = re.match(r"/((?:node|way|relation)/\d{1,19})(/|$)", parts.path, re.ASCII)
    return Ref("osm", match[1]) if match else None


def _of_google(host: str, parts: SplitResult) -> Ref | None:
    """Its maps alone: the search has the same host."""
    if not GOOGLE.fullmatch(host) or not (host.startswith("maps.") or parts.path.startswith("/maps")):
        return None
    query = parse_qs(parts.query)
    return _of_query(query) or _of_data(unquote_plus(parts.path)) or _named(parts.path, query)


def _of_query(query: dict[str, list[str]]) -> Ref | None:
    """`cid`, `ftid`, `query_place_id`, or a `q` that is a place id."""
    said = {name: values[0] for name, values in query.items()}
    words = [
        f"cid:{said['cid']}" if "cid" in said else "",
        said.get("ftid", ""),
        f"google:{said['query_place_id']}" if "query_place_id" in said else "",
    ]
    asked = said.get("q", "") or said.get("query", "")
    if asked.startswith("place_id:"):
        words.append(f"google:{asked.removeprefix('place_id:')}")
    return next((ref for word in words if word and (ref := of_id(word))), None)


def _of_data(path: str) -> Ref | None:
    found = ((kind, pattern.search(path)) for kind, pattern in DATA)
    return next((Ref(kind, _written(kind, match[1])) for kind, match in found if match), None)


def _named(path: str, query: dict[str, list[str]]) -> Ref | None:
    match, at = NAMED.search(path), AT.search(path)
    said = unquote_plus(match[1]) if match else next(iter(query.get("q") or query.get("query") or []), "")
    name = " ".join(said.split())[:500]
    if not name:
        return None
    return Ref("name", name, float(at[1]), float(at[2])) if at else Ref("name", name)


def _osm(value: str) -> Ref:
    return Ref("osm", value if "/" in value else f"{LETTERS[value[0]]}/{value[1:]}")


def _written(kind: Kind, value: str) -> str:
    return value.lower() if kind == "google_feature" else value
