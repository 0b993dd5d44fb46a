"""What an input of maps asks of whoever serves it: a filter that a source drops in silence would be a lie."""

from collections.abc import Iterable

from maps.refs import Ref, ref_of
from verbena.catalog.maps import PlaceInput, ReviewsInput, SearchInput

FILTERS = ("open_now", "min_rating", "price_levels", "language", "region")


def of_search(query: SearchInput) -> frozenset[str]:
    """Filters; `strict_name` is keeping to an area that only has a name."""
    strict = query.strict_area and isinstance(query.location, str)
    return frozenset(_asked(query, FILTERS) | ({"strict_name"} if strict else set()))


def of_place(query: PlaceInput, ref: Ref | None = None) -> frozenset[str]:
    """`ref` is where a short link led, if that is known by now."""
    return frozenset(_asked(query, FILTERS) | of_ref(ref or ref_of(*query.said)))


def of_reviews(query: ReviewsInput, ref: Ref | None = None) -> frozenset[str]:
    """The same, with the order."""
    known = ref or ref_of(query.place, "place")
    return frozenset(_asked(query, ("language", "since")) | {f"sort_{query.sort}"} | of_ref(known))


def of_ref(ref: Ref) -> set[str]:
    """The kind of id; a short link and a name have none before something is asked."""
    return set() if ref.kind in {"name", "short"} else {f"{ref.kind}_id"}


def _asked(query: object, names: Iterable[str]) -> set[str]:
    return {name for name in names if getattr(query, name, None)}
