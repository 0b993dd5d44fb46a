"""Under which words and names a feature is filed."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from maps.areas import Area, box, circle
from maps.extract import kinds
from maps.extract.features import Feature, area_kind
from maps.extract.schema import DEEPEST, KIND, place_number
from maps.extract.words import phrase, words

NAMES: Final = re.compile(r"(alt_|int_|loc_|official_|old_|short_)?name(:[a-z]{2,3}([-_][A-Za-z]{2,4})?)?")
OTHER: Final = ("brand", "operator")
WITHIN: Final = ("is_in", "is_in:country", "is_in:country_code", "is_in:state", "addr:country", "addr:city")

RADII: Final[Mapping[str, int]] = {
    "city": 8_896,
    "municipality": 8_896,
    "town": 4_448,
    "district": 4_448,
    "borough": 2_224,
    "village": 2_224,
    "suburb": 1_112,
    "quarter": 1_112,
    "neighbourhood": 1_112,
    "hamlet": 1_112,
}
"""How far, in metres, a place reaches of which only the middle is known: half of what Nominatim takes it to be across,
0.16, 0.08, 0.04 or 0.02 degrees by its rank. Of countries and islands only a shape says where they are."""


def postings(tags: Mapping[str, str]) -> dict[str, int]:
    """The labels under which a place is found, each with its depth."""
    found = dict.fromkeys((word for key in OTHER for word in words(tags.get(key, ""))), DEEPEST)
    for name in names(tags):
        own = set(words(name))
        for word in own:
            found[word] = min(len(own), found.get(word, DEEPEST), DEEPEST - 1)
    return found | dict.fromkeys(kinds.labels(tags), KIND)


def names(tags: Mapping[str, str]) -> Iterator[str]:
    """All it is called, in every language."""
    for key, value in tags.items():
        if NAMES.fullmatch(key):
            yield from filter(None, map(str.strip, value.split(";")))


def area_of(feature: Feature) -> Area | None:
    """Where one looks who names it: its shape's box, or a circle as wide as such places mostly are."""
    kind = area_kind(feature.tags)
    if kind is None:
        return None
    if feature.bounds is not None:
        return box(*feature.bounds)
    radius_m = RADII.get(kind)
    return circle(feature.lat, feature.lng, radius_m) if radius_m else None


def areas(feature: Feature, shape: Area) -> Iterator[tuple[object, ...]]:
    number, kind = place_number(feature.kind, feature.number), area_kind(feature.tags)
    known = {phrase(part) for key in WITHIN for part in re.split("[;,]", feature.tags.get(key, ""))} - {""}
    within = "|".join(["", *sorted(known), ""])
    for name in sorted({phrase(name) for name in names(feature.tags)} - {""}):
        yield (
            name, number, kind, feature.is_whole, shape.radius_m, shape.lat, shape.lng, *shape.bounds, within,
        )  # fmt: skip
