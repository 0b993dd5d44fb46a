"""What a driver of maps is asked: the caller's input with what the executor has worked out from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from maps.areas import Area
from maps.refs import Ref
from verbena.catalog.maps import PlaceInput, ReviewsInput, SearchInput
from verbena.catalog.places import Cap

Q = TypeVar("Q", SearchInput, PlaceInput, ReviewsInput)


@dataclass(frozen=True, slots=True)
class Asked(Generic[Q]):
    """`ref` is the place that is meant, `area` where a search is if that is no name.

    `more` is what the driver itself said continues the walk (`Found.more`).
    """

    query: Q
    ref: Ref | None = None
    area: Area | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a driver says beside what it found. `area` is where a named location is; `capped_by` why there is no more.

    `is_unranked`: what was found comes in no order that means anything to a caller.
    """

    area: Area | None = None
    capped_by: Cap | None = None
    is_unranked: bool = False
