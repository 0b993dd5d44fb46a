"""A walk over a source's pages: ids once, a limit in all, and every way it can end without going round in circles."""

import hashlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar

from pydantic_core import to_json

from verbena import settings
from verbena.catalog.maps import ReviewsInput, SearchInput
from verbena.catalog.places import Cap, Coverage, Place, Review, Walk

DROPPED: Final = ("dropped_out_of_area", "dropped_duplicates", "dropped_by_filter")

R = TypeVar("R", Place, Review)
Verdict = Literal["dropped_out_of_area", "dropped_by_filter"]


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """What is left of a page: its rows, and the walk after it. `capped_by` is why it ends, if it is cut short."""

    rows: Sequence[R]
    walk: Walk
    goes_on: bool
    capped_by: Cap | None


@dataclass(frozen=True, slots=True)
class Turn(Generic[R]):
    """A page as it came: rows with their ids, what continues it, and what the source says ends it."""

    rows: Sequence[tuple[str, R]]
    more: Mapping[str, Any] | None
    source_cap: Cap | None = None


def walked(turn: Turn[R], walk: Walk, verdict: Callable[[R], Verdict | None]) -> Page[R]:
    """Sift a page: what was seen before, is not wanted or is too much goes; then see whether there is a next one."""
    seen = set(walk.seen)
    counts: Counter[str] = Counter()
    kept: list[R] = []
    for key, row in turn.rows:
        digest = digest_of(key)
        fate = "dropped_duplicates" if digest in seen else verdict(row) or "returned"
        if fate == "returned" and walk.returned + len(kept) >= walk.limit:
            counts["over"] += 1
            continue
        seen.add(digest)
        counts[fate] += 1
        if fate == "returned":
            kept.append(row)
    token = digest_of(to_json(turn.more))
    after = walk.model_copy(
        update={
            "more": dict(turn.more or {}),
            "seen": sorted(seen),
            "tokens": [*walk.tokens, token],
            "returned": walk.returned + len(kept),
            **{name: getattr(walk, name) + counts[name] for name in DROPPED},
            "pages": walk.pages + bool(kept),
            "barren": 0 if kept else walk.barren + 1,
        }
    )
    goes_on, cap = _end(turn, after, is_new=len(seen) > len(walk.seen), is_over=bool(counts["over"]))
    return Page(kept, after, goes_on, cap)


def _end(turn: Turn[Any], after: Walk, *, is_new: bool, is_over: bool) -> tuple[bool, Cap | None]:
    """Whether there is a next page, and if not, what cut the walk short."""
    if after.returned >= after.limit:
        return False, "limit" if is_over or turn.more is not None else turn.source_cap
    if turn.more is None:
        return False, turn.source_cap
    ends: tuple[tuple[bool, Cap], ...] = (
        (not turn.rows, "empty_page"),
        (not is_new, "repeated_page"),
        (after.tokens[-1] in after.tokens[:-1], "repeated_token"),
        (after.barren >= settings.BARREN_LIMIT, "barren_pages"),
    )
    cap = next((cap for ended, cap in ends if ended), None)
    return cap is None, cap


def coverage(walk: Walk, requested: int, capped_by: Cap | None) -> Coverage:
    """What is told of a walk; a limit that is reached below the one asked for is the source's."""
    cap = "source_limit" if walk.limit < requested and walk.returned >= walk.limit else capped_by
    told = {name: getattr(walk, name) for name in ("returned", *DROPPED)}
    return Coverage(requested=requested, capped_by=cap, **told)


def continued(query: SearchInput | ReviewsInput, walk: Walk) -> dict[str, Any]:
    """What a caller asked, and where its walk stands now."""
    return {**query.model_dump(exclude={"walk"}), "walk": walk.model_dump()}


def digest_of(key: str | bytes) -> str:
    """Eight characters that stand for an id: five thousand of them fit in a message, and two alike are one in 10^7."""
    data = key.encode() if isinstance(key, str) else key
    return urlsafe_b64encode(hashlib.sha256(data).digest()[:6]).decode()
