"""The file of an index: its tables, and how a place's tags are packed.

`word` leads from a folded word or phrase to the terms it means, and says how many places have each. `posting` leads
from a term to its places in the order of cells, with their positions: text and area are one range of one B-tree.
"""

import zlib
from collections.abc import Mapping
from typing import Final

from pydantic_core import from_json, to_json

APPLICATION_ID: Final = 0x56424D50
VERSION: Final = 1

TABLES: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE word (word TEXT, term INTEGER, places INTEGER, PRIMARY KEY (word, term)) WITHOUT ROWID;
CREATE TABLE posting (
    term INTEGER, cell INTEGER, place INTEGER, lat INTEGER, lng INTEGER, depth INTEGER,
    PRIMARY KEY (term, cell, place)
) WITHOUT ROWID;
CREATE TABLE place (id INTEGER PRIMARY KEY, lat INTEGER, lng INTEGER, timezone TEXT, tags BLOB);
CREATE TABLE area (
    name TEXT, place INTEGER, kind TEXT, is_whole INTEGER, radius_m REAL, lat REAL, lng REAL,
    south REAL, west REAL, north REAL, east REAL, within TEXT,
    PRIMARY KEY (name, place)
) WITHOUT ROWID;
"""

KIND: Final = 0
"""The depth of a posting whose term is a kind of the place; of a word of a name it is how many words that name has."""

DEEPEST: Final = 99
"""The depth of words that are neither a kind nor a name: brands, operators."""

TYPES: Final = ("node", "way", "relation")

# What tags have in common; each is packed alone, and most of one is its keys.
COMMON: Final = (
    b'"wikidata":"Q","wikipedia":"en:"start_date":"20"operator":"brand:wikidata":"Q"outdoor_seating":"yes",'
    b'"takeaway":"yes","delivery":"yes"smoking":"outside","internet_access":"wlan","diet:vegetarian":"yes",'
    b'"diet:vegan":"yes","payment:mastercard":"yes","payment:visa":"yes","payment:cash":"yes","contact:website":"'
    b'"contact:phone":"+"contact:email":"info@"alt_name":"short_name":"name:de":"name:ru":"name:fi":"name:en":"'
    b'"name:sv":"level":"0","leisure":"park","healthcare":"doctor","craft":"tourism":"artwork","tourism":"hotel",'
    b'"office":"company","shop":"hairdresser","shop":"clothes","shop":"supermarket","amenity":"fast_food",'
    b'"amenity":"pub","amenity":"bar","amenity":"bank","cuisine":"pizza","cuisine":"coffee_shop","amenity":"cafe",'
    b'"amenity":"restaurant","email":"info@"opening_hours":"24/7","opening_hours":"Mo-Su 10:00-22:00","opening_hours":'
    b'"Mo-Fr 09:00-18:00; Sa 10:00-16:00; Su off","phone":"+"website":"http://www."website":"https://www.'
    b'"wheelchair":"no","wheelchair":"limited","wheelchair":"yes","addr:housename":"addr:country":"addr:postcode":"'
    b'"addr:housenumber":"addr:street":"addr:city":"name":"'
)


def place_number(kind: str, number: int) -> int:
    """One number for an element of OpenStreetMap: node 5 is 20, way 5 is 21, relation 5 is 22."""
    return number * 4 + TYPES.index(kind)


def element_name(place: int) -> str:
    """The element that a number means, such as node/5."""
    return f"{TYPES[place % 4]}/{place // 4}"


def packed(tags: Mapping[str, str]) -> bytes:
    squeeze = zlib.compressobj(9, wbits=-15, zdict=COMMON)
    return squeeze.compress(to_json(dict(sorted(tags.items())))) + squeeze.flush()


def unpacked(body: bytes, common: bytes) -> dict[str, str]:
    tags: dict[str, str] = from_json(zlib.decompressobj(-15, zdict=common).decompress(body))
    return tags
