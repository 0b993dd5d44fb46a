"""What the call path needs of stores and queues. Reads are consistent unless they say otherwise.

A method that changes something in a shared transaction returns a Write; `Transactions.commit` applies several
at once or none. A Write's name is how a refusal says whose condition did not hold.
"""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from verbena.billing import Units
from verbena.capability import Services
from verbena.envelope import Attempt, JsonRow
from verbena.errors import Unavailable
from verbena.jobs import Hold, Job, JobProgress, Marker, Part, Reason, Record, Wallet

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Write:
    """One conditional change of a transaction; `operation` is the store's own business."""

    name: str
    operation: Any


class Transactions(Protocol):
    def commit(self, writes: Sequence[Write], token: str) -> frozenset[str]:
        """Apply all or nothing; the names of the writes whose condition was refused, empty when applied.

        Conflicts and throttling are retried in place with the same token; a busy store is `Unavailable`.
        """
        ...


class Ledger(Protocol):
    """Wallets, holds and facts. Nothing here ever expires."""

    def wallet(self, owner: str) -> Wallet | None: ...
    def hold(self, call_id: str) -> Hold | None: ...
    def marker(self, call_id: str, part_id: str) -> Marker | None: ...
    def markers(self, call_id: str) -> list[Marker]: ...
    def descendants(self, call_id: str, slice_id: str) -> list[Marker]:
        """The markers of a slice and of every part that came of it."""
        ...

    def due_holds(self, shard: int, now: int) -> list[str]:
        """Call ids whose hold may have expired; the index is stale, the caller reads again."""
        ...

    def take(self, owner: str, amount: int, released: int = 0) -> Write:
        """`wallet`: move an amount to held, giving back what an older hold had taken; refused if not available."""
        ...

    def pay(self, owner: str, held: int, charge: int) -> Write:
        """`wallet`: end a hold, keeping the charge and giving back the rest."""
        ...

    def open_hold(self, hold: Hold) -> Write:
        """`hold`: refused if this call has one."""
        ...

    def close_hold(self, hold: Hold) -> Write:
        """`hold`: refused unless it is open and, if the hold given has an expiry, still expires then."""
        ...

    def keep_hold(self, call_id: str) -> Write:
        """`hold`: remove the expiry of an open hold, because its call became a job."""
        ...

    def put_marker(self, marker: Marker) -> Write:
        """`marker`: refused if this part has one."""
        ...


class Jobs(Protocol):
    """Job rows, their progress, and idempotency records."""

    def job(self, job_id: str) -> Job | None: ...
    def progress(self, job_id: str) -> JobProgress | None: ...
    def record(self, owner: str, verb: str, key: str) -> Record | None:
        """None also for a record whose time is over, which the store may not have removed yet."""
        ...

    def due_jobs(self, shard: int, now: int) -> list[str]:
        """Job ids that may need mending; the index is stale, the caller reads again."""
        ...

    def put_job(self, job: Job) -> Write:
        """`job`: refused if it exists."""
        ...

    def put_progress(self, job_id: str, progress: JobProgress) -> Write:
        """`progress`: refused if it exists."""
        ...

    def advance(self, job_id: str, done: int, parts: int, units: Units, charge: int) -> Write:
        """`progress`: count a part; refused unless running."""
        ...

    def start_closing(self, job_id: str, reason: Reason, now: int) -> Write:
        """`job`: running -> closing, due at once; refused unless running."""
        ...

    def stop_progress(self, job_id: str, open_parts: int | None) -> Write:
        """`progress`: running -> closing; refused unless running with as many open parts as were read."""
        ...

    def complete(self, job: Job) -> Write:
        """`job`: closing -> completed, no longer due, with its usage, error and expiry; refused unless closing."""
        ...

    def put_record(self, record: Record, replaces: str | None = None) -> Write:
        """`record`: refused if the key has one; with `replaces`, unless it is running and names that call."""
        ...

    def end_record(self, record: Record) -> Write:
        """`record`: give a running record its new state; refused unless it still names this call."""
        ...

    def drop_record(self, record: Record) -> Write:
        """`record`: free the key; refused unless it still names this call."""
        ...

    def postpone(self, job: Job, due_at: int) -> None:
        """Look at a running job again later; does nothing if the job moved on meanwhile."""
        ...

    def mark_planned(self, job: Job) -> None:
        """Every child of the root is sent: not due before its deadline; does nothing unless running."""
        ...


class Objects(Protocol):
    """Bodies too big for a table: inputs, rows, answers."""

    def put(self, key: str, body: bytes) -> None: ...
    def get(self, key: str) -> bytes | None: ...


class Queue(Protocol):
    def send(self, verb: str, owner: str, parts: Iterable[tuple[Part, int]]) -> None:
        """Send parts, each after a delay in seconds; returns once every one is accepted, or raises."""
        ...


class Tally(Protocol):
    """Whoever counts what happens; it is told, at once and without an answer."""

    def rows(self, rows: Iterable[JsonRow]) -> None:
        """The rows of one execution, committed in this moment."""
        ...

    def attempts(self, attempts: Sequence[Attempt]) -> None:
        """The providers that one execution asked, in order."""
        ...

    def ended(self, reason: Reason) -> None:
        """A job is over."""
        ...


class Nobody:
    """Counts nothing."""

    def rows(self, rows: Iterable[JsonRow]) -> None: ...
    def attempts(self, attempts: Sequence[Attempt]) -> None: ...
    def ended(self, reason: Reason) -> None: ...


class InThread(Protocol):
    """How a blocking store call is awaited: `asyncio.to_thread`, or a scheduler that looks for interleavings."""

    def __call__(self, function: Callable[..., T], /, *arguments: object) -> Awaitable[T]: ...


@dataclass(frozen=True, slots=True)
class Backend:
    """Everything the call path keeps anything in, and what it lends executors.

    Time is seconds since the epoch.
    """

    transactions: Transactions
    ledger: Ledger
    jobs: Jobs
    objects: Objects
    queue: Queue
    now: Callable[[], float] = time.time
    new_id: Callable[[], str] = lambda: uuid.uuid4().hex
    io: InThread = asyncio.to_thread
    tally: Tally = field(default_factory=Nobody)
    services: Services = field(default_factory=Services)

    def at(self) -> str:
        """This moment as ISO 8601 in UTC, to the millisecond; sorts as it reads."""
        return iso(self.now())

    async def commit(
        self, writes: Sequence[Write], token: str, mine: Callable[..., Any], *arguments: object
    ) -> frozenset[str]:
        """Commit, and say whose condition was refused.

        `mine` reads the item that only this attempt can have put. It is asked before any other reason counts:
        if the item is there, an earlier try was applied and its reply lost, which is success.
        """
        try:
            refused = await self.io(self.transactions.commit, writes, token)
        except Unavailable:
            if await self.io(mine, *arguments):
                return frozenset()
            raise
        if refused and await self.io(mine, *arguments):
            return frozenset()
        return refused


def iso(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
