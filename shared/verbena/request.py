"""One call on its way through the call path, and what can be worked out from it alone."""

from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel

from verbena import settings
from verbena.billing import Prices, charge, times
from verbena.capability import CallOptions, Capability
from verbena.envelope import Answered, JsonRow, Usage
from verbena.execution import Outcome
from verbena.items import Items, row_at, unworked_row, verdict_before_work
from verbena.jobs import INLINE, ROOT, Child, Hold, Job, JobProgress, Marker, Record, next_page_id
from verbena.parts import planned
from verbena.ports import iso
from verbena.stored import Source

LIFETIME_S = settings.API_TIMEOUT_S + 1
"""When the function of an inline call is surely gone: its hold and its lease end here."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose call it is, as the door has authenticated it. `base_url` is where absolute links start.

    `answer_cap` is how many bytes the door can carry back; a larger answer is stored, and told a page at a time.
    """

    owner: str
    key_id: str
    correlation_id: str
    base_url: str = ""
    scopes: frozenset[str] = frozenset()
    answer_cap: int = settings.ANSWER_CAP_BYTES


@dataclass(frozen=True, slots=True)
class Request:
    """A valid call. `prices` is None when billing is off; `inline` whether it may end in the request."""

    call_id: str
    capability: Capability
    arguments: BaseModel
    options: CallOptions
    items: Items | None
    caller: Caller
    prices: Prices | None
    body_hash: str
    inline: bool
    resumed_from: str | None = None

    @property
    def each(self) -> dict[str, int]:
        """The most one item, or a call without items, may bill."""
        return self.capability.units_at_most(self.arguments)

    @property
    def bound(self) -> dict[str, int]:
        """The most the whole call may bill: its quote."""
        return times(self.each, self.items.funded) if self.items else self.each

    @property
    def amount(self) -> int:
        """The quote in micro-USD: what is held."""
        return charge(self.bound, self.prices or {})

    @property
    def is_partial(self) -> bool:
        """Whether a short balance shrinks the call; one thing cannot be had in part."""
        return self.options.partial and self.items is not None and self.prices is not None

    def funding(self, available: int) -> "Request":
        """The same call with only as many items as an amount covers."""
        price = charge(self.each, self.prices or {})
        if self.items is None or price == 0:
            return self
        return replace(self, items=self.items.funding(available // price))

    def hold(self, now: float) -> Hold:
        """An inline call's hold expires; a job's has no expiry of its own."""
        expires_at = int(now) + LIFETIME_S if self.inline else None
        return Hold(self.call_id, self.caller.owner, self.amount, dict(self.prices or {}), expires_at)

    def record(self, state: Literal["running", "done", "job"], now: float) -> Record | None:
        """What its idempotency key stands for; None without a key."""
        if self.options.idempotency_key is None:
            return None
        return Record(
            owner=self.caller.owner,
            verb=self.capability.name,
            key=self.options.idempotency_key,
            body_hash=self.body_hash,
            call_id=self.call_id,
            state=state,
            lease=int(now) + LIFETIME_S if state == "running" else 0,
            expires_at=int(now) + settings.IDEMPOTENCY_KEPT_S,
        )

    def source(self) -> Source:
        """Its input as a job stores it: the list apart, with nothing in it that rows would not show."""
        listed = {self.capability.mode.items} if self.capability.mode.items else set()
        return Source(self.arguments.model_dump(mode="json", exclude=listed), self.items)

    def narrowed(self) -> BaseModel:
        """The input the executor gets: each item once, invalid and unfunded ones left out."""
        if self.items is None or self.capability.mode.items is None:
            return self.arguments
        return self.arguments.model_copy(
            update={self.capability.mode.items: list(self.items.unique[: self.items.funded])}
        )

    def rest(self, outcome: Outcome) -> tuple[Child, ...]:
        """What an execution did not get to, as the first parts of a job."""
        if self.items is None:
            left = {unit: count - outcome.units.get(unit, 0) for unit, count in self.bound.items()}
            over = outcome.rest is None or not any(left.values())
            return () if over else (Child(next_page_id(ROOT), None, 0, left),)
        answered = {index for index, _ in outcome.rows}
        unanswered = [index for index in range(self.items.funded) if index not in answered]
        return planned(self.capability, self.source(), unanswered)

    def answer(self, outcome: Outcome) -> Answered:
        """The envelope of a call that ended in its request."""
        usage = Usage(
            units=dict(outcome.units),
            charge_micros=charge(outcome.units, self.prices or {}),
            vendor_cost_micros=outcome.vendor_cost,
            unknown_costs=outcome.unknown_costs,
        )
        return Answered(
            status="completed",
            results=self._rows(outcome),
            usage=usage,
            attempts=list(outcome.attempts) or None,
            meta=outcome.meta,
        )

    def _rows(self, outcome: Outcome) -> list[JsonRow]:
        if self.items is None:
            return [row for _, row in outcome.rows]
        by_index = dict(outcome.rows)
        rows = []
        for position, index in enumerate(self.items.order):
            error = verdict_before_work(self.items, position)
            if error is not None:
                rows.append(unworked_row(self.capability, self.items, position, error))
            elif index is not None:
                rows.append(row_at(self.capability, self.items, position, by_index[index]))
        return rows

    def marker(self, outcome: Outcome, now: float) -> Marker:
        """The usage fact of a call that ended in its request."""
        return Marker(
            call_id=self.call_id,
            part_id=INLINE,
            owner=self.caller.owner,
            verb=self.capability.name,
            at=iso(now),
            units=outcome.units,
            charge=charge(outcome.units, self.prices or {}),
            vendor_cost=outcome.vendor_cost,
            unknown_costs=outcome.unknown_costs,
            rows=len(outcome.rows),
            provider=outcome.provider,
        )

    def job(self, now: float) -> Job:
        """Its row as a job."""
        inherited = self.options.model_dump(by_alias=True, include={"max_charge_micros", "partial"})
        return Job(
            job_id=self.call_id,
            owner=self.caller.owner,
            key_id=self.caller.key_id,
            verb=self.capability.name,
            status="running",
            created_at=iso(now),
            deadline=int(now) + settings.JOB_DEADLINE_S,
            due_at=int(now) + settings.REPLAN_S,
            positions=len(self.items.order) if self.items else None,
            options={name: value for name, value in inherited.items() if value},
            prices=self.prices,
            correlation_id=self.caller.correlation_id,
            resumed_from=self.resumed_from,
        )

    def progress(self, outcome: Outcome, open_parts: int) -> JobProgress:
        """Where its job starts: positions that need no work count as done at once."""
        done = len(outcome.rows)
        if self.items is not None:
            weights = self.items.weights
            done = self.items.unanswerable + sum(weights[index] for index, _ in outcome.rows)
        return JobProgress("running", done, open_parts, charge(outcome.units, self.prices or {}), outcome.units)
