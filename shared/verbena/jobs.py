"""What a job is made of: the job row, its parts and their markers, holds and idempotency records."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from verbena import settings
from verbena.billing import Prices, Units

ROOT = "root"
"""The part whose work is planning: it has no rows of its own and the slices as children."""

INLINE = "inline"
"""The ledger item of a call that ended in its request."""

Reason = Literal["finish", "cancelled", "deadline"]


@dataclass(frozen=True, slots=True)
class Job:
    """The thin row of a job. `prices` are those frozen in the hold; None when billing is off.

    Times are whole seconds since the epoch. `due_at` is when the sweeper looks at it next.
    """

    job_id: str
    owner: str
    key_id: str
    verb: str
    status: Literal["running", "closing", "completed"]
    created_at: str
    deadline: int
    due_at: int | None
    positions: int | None
    options: Mapping[str, Any]
    prices: Prices | None
    correlation_id: str
    planned: bool = False
    reason: Reason | None = None
    resumed_from: str | None = None
    completed_at: str | None = None
    usage: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    expires_at: int | None = None


@dataclass(frozen=True, slots=True)
class JobProgress:
    """The item that counts: `done` positions of the input, `open_parts` not yet committed, units so far."""

    state: Literal["running", "closing"]
    done: int
    open_parts: int
    charge: int
    units: Units


@dataclass(frozen=True, slots=True)
class Child:
    """A part as its parent's marker records it. `left` is what a paged verb may still bill."""

    part_id: str
    indexes: tuple[int, ...] | None = None
    barren: int = 0
    left: Units | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One input of a job, worked by one message. `indexes` are positions in the job's unique list.

    `weights` are how many input positions each index stands for, when any stands for more than one.
    """

    job_id: str
    part_id: str
    input: Mapping[str, Any] = field(default_factory=dict)
    indexes: tuple[int, ...] | None = None
    weights: tuple[int, ...] | None = None
    depth: int = 0
    barren: int = 0
    left: Units | None = None

    def message(self) -> dict[str, Any]:
        """The body of its queue message."""
        body: dict[str, Any] = {"job_id": self.job_id, "part_id": self.part_id, "depth": self.depth}
        if self.indexes is not None:
            body["indexes"] = written(self.indexes)
        if self.weights and any(weight != 1 for weight in self.weights):
            body["weights"] = self.weights
        for name in ("input", "barren", "left"):
            if value := getattr(self, name):
                body[name] = value
        return body

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "Part":
        """The part of a message body; a body that is none is a KeyError, TypeError or ValueError."""
        return cls(
            job_id=body["job_id"],
            part_id=body["part_id"],
            input=body.get("input", {}),
            indexes=ranged(body["indexes"]) if "indexes" in body else None,
            weights=tuple(body["weights"]) if "weights" in body else None,
            depth=body["depth"],
            barren=body.get("barren", 0),
            left=body.get("left"),
        )

    def weight(self, index: int) -> int:
        """How many input positions one of its indexes answers."""
        if self.weights is None or self.indexes is None:
            return 1
        return self.weights[self.indexes.index(index)]


@dataclass(frozen=True, slots=True)
class Marker:
    """The ledger's one immutable item of a finished part: usage fact, where its rows are, and its children.

    `provider` is who served, if one did; after `kept_until`, in seconds of the epoch, its rows are not shown.
    """

    call_id: str
    part_id: str
    owner: str
    verb: str
    at: str
    units: Units
    charge: int
    vendor_cost: int | None = None
    unknown_costs: int = 0
    rows: int = 0
    result_key: str | None = None
    children: tuple[Child, ...] = ()
    error: Mapping[str, Any] | None = None
    provider: str | None = None
    kept_until: int | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """Money set aside for one call, with the prices it was quoted at. A job's hold has no expiry of its own."""

    call_id: str
    owner: str
    amount: int
    prices: Prices
    expires_at: int | None
    open: bool = True


@dataclass(frozen=True, slots=True)
class Wallet:
    """What an owner can spend, in micro-USD; never negative."""

    available: int
    held: int


@dataclass(frozen=True, slots=True)
class Record:
    """What an idempotency key stands for. `lease` is when a running call can no longer be alive.

    After `kept_until` the answer of a call that is done is not given again.
    """

    owner: str
    verb: str
    key: str
    body_hash: str
    call_id: str
    state: Literal["running", "done", "job"]
    lease: int
    expires_at: int
    kept_until: int | None = None


def written(indexes: Sequence[int]) -> str:
    """Indexes in ascending order as runs: (0, 1, 2, 7) is '0-2,7'. Keeps the marker of a big plan small."""
    runs: list[list[int]] = []
    for index in indexes:
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def ranged(text: str) -> tuple[int, ...]:
    """The indexes that `written` wrote."""
    return tuple(_spread(text))


def _spread(text: str) -> Iterator[int]:
    for run in text.split(",") if text else ():
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)


def slices(indexes: Sequence[int], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Cut indexes, in order, into parts of about PART_ITEMS items and at most PART_BYTES of text."""
    cut: list[list[int]] = []
    weight = 0
    for index in indexes:
        size = sizes[index]
        if not cut or len(cut[-1]) >= settings.PART_ITEMS or weight + size > settings.PART_BYTES:
            cut.append([])
            weight = 0
        cut[-1].append(index)
        weight += size
    return [tuple(part) for part in cut]


def slice_id(number: int) -> str:
    """The part id of a slice, or of a page of a paged verb: zero-padded, so that ids sort as they were cut."""
    return f"{number:04d}"


def next_page_id(part_id: str) -> str:
    """The part id of the page after this one: pages follow each other, they do not nest."""
    return slice_id(0 if part_id == ROOT else int(part_id) + 1)


def slice_of(part_id: str) -> str:
    """The slice a part descends from; its own id for a slice."""
    return part_id.partition(".")[0]


def sequence(marker: Marker) -> tuple[bool, str]:
    """Sort key that puts the root first, then parts in the order they were cut."""
    return (marker.part_id not in {ROOT, INLINE}, marker.part_id)
