"""What the words of a query mean in OpenStreetMap: kinds of places, and what beside it must be said of one."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from maps.extract.kinds import KEY_NAMES, NAMES
from maps.extract.words import phrase

MOST_WORDS: Final = 6
"""More words than that describe no kind of place, and make a question that is too long."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Kinds to look for (`amenity=cafe`, `shop=*`), none if the words name no kind; `words` must be said as well."""

    kinds: tuple[str, ...]
    words: tuple[str, ...]


def wish(query: str) -> Wish:
    """`vegan restaurants` are restaurants of which vegan is said; `Ekberg` is whatever is called so."""
    words = tuple(query.casefold().split()[:MOST_WORDS])
    for start in range(len(words)):
        if kinds := _kinds().get(phrase(" ".join(words[start:]))):
            return Wish(kinds, words[:start])
    return Wish((), words)


@cache
def _kinds() -> Mapping[str, tuple[str, ...]]:
    """Kinds by what they are called: the value of the tag, and its names in several languages."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for kind, names in NAMES.items():
        for name in (kind.partition("=")[2].replace("_", " "), *names.split(",")):
            found[phrase(name)][kind] = None
    for key, names in KEY_NAMES.items():
        for name in names.split(","):
            found[phrase(name)][f"{key}=*"] = None
    return {name: tuple(kinds) for name, kinds in found.items()}
