"""Run an executor within its time, and make what it produced billable: rows, units and what is left to do."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from verbena.billing import Units, billable, capped, times, total
from verbena.capability import Answer, Call, Capability, Portion, Services
from verbena.envelope import Attempt, JsonRow, Meta
from verbena.errors import TimedOut

OVERRUN_S = 1.0
"""How long after its deadline an executor may still be returning what it has."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A portion made billable. `rows` are (index, row): the unique index of an item, else a running number.

    `rest` is the input that continues a paged verb; an item verb's rest is the indexes that have no row.
    """

    rows: tuple[tuple[int, JsonRow], ...] = ()
    units: Units = field(default_factory=dict)
    vendor_cost: int | None = None
    unknown_costs: int = 0
    attempts: Sequence[Attempt] = ()
    meta: Meta | None = None
    rest: dict[str, Any] | None = None
    keep_s: int | None = None

    @property
    def provider(self) -> str | None:
        """Who served, if providers were asked."""
        return next((attempt.provider for attempt in self.attempts if attempt.ok), None)

    def kept_until(self, now: float) -> int | None:
        """When it must be forgotten, in seconds of the epoch."""
        return None if self.keep_s is None else int(now) + self.keep_s


async def execute(
    verbs: Mapping[str, Capability],
    capability: Capability,
    arguments: BaseModel,
    *,
    owner: str,
    correlation_id: str,
    budget_s: float,
    services: Services,
) -> Portion:
    """Run a verb's executor, and those it uses, within a budget in seconds.

    An item verb out of time has answered nothing: all of its input is left. Any other verb has failed.
    """
    used: list[tuple[Capability, Portion]] = []

    async def run(verb: str, inner: BaseModel) -> Portion:
        portion = await verbs[verb].load(inner, call)
        used.append((verbs[verb], portion))
        return portion

    call = Call(owner, correlation_id, time.monotonic() + budget_s, run, services=services)
    try:
        async with asyncio.timeout(budget_s + OVERRUN_S):
            portion = await capability.load(arguments, call)
    except TimeoutError:
        if capability.mode.items is None:
            raise TimedOut(f"{capability.name} did not answer within {budget_s:.0f} s") from None
        portion = Portion()
    return _joined(portion, used)


def accounted(
    capability: Capability,
    portion: Portion,
    indexes: Sequence[int] | None,
    bound: Units,
) -> Outcome:
    """What a portion is worth: each item capped at its bound, a call without items at what is left of its bound."""
    if indexes is None:
        extra = (answer.extra_units for answer in portion.answers)
        units = capped(total([portion.units, *extra]), bound)
        rows = tuple(enumerate(_dumped(answer) for answer in portion.answers))
        rest = portion.rest.model_dump(mode="json") if portion.rest else None
        outcome = Outcome(rows=rows, units=units, rest=rest)
    else:
        answers = {indexes[answer.position]: answer for answer in portion.answers if answer.position is not None}
        own = (capped(_units_of(capability, answer), bound) for answer in answers.values())
        units = capped(total([portion.units, *own]), times(bound, len(answers)))
        outcome = Outcome(rows=tuple((index, _dumped(answer)) for index, answer in answers.items()), units=units)
    return replace(
        outcome,
        vendor_cost=portion.vendor_cost_micros,
        unknown_costs=portion.unknown_costs,
        attempts=portion.attempts,
        meta=portion.meta,
        keep_s=portion.keep_s,
    )


def _dumped(answer: Answer) -> JsonRow:
    """A field that was not set was not asked for and stays out; one set to null is unknown and stays in."""
    return answer.row.model_dump(mode="json", exclude_unset=True)


def _units_of(capability: Capability, answer: Answer) -> dict[str, int]:
    paid = billable(getattr(answer.row, "status", "success"), from_cache=answer.from_cache)
    return total([{capability.unit: 1} if paid else {}, answer.extra_units])


def _joined(portion: Portion, used: Sequence[tuple[Capability, Portion]]) -> Portion:
    """The verbs an executor used are paid for with it."""
    if not used:
        return portion
    units = total([portion.units, *(_item_units(capability, inner) for capability, inner in used)])
    costs = [p.vendor_cost_micros for p in (portion, *(inner for _, inner in used)) if p.vendor_cost_micros is not None]
    return replace(
        portion,
        units=units,
        vendor_cost_micros=sum(costs) if costs else None,
        unknown_costs=portion.unknown_costs + sum(inner.unknown_costs for _, inner in used),
        attempts=(*portion.attempts, *(attempt for _, inner in used for attempt in inner.attempts)),
    )


def _item_units(capability: Capability, portion: Portion) -> dict[str, int]:
    if capability.mode.items is None:
        return dict(portion.units)
    return total([portion.units, *(_units_of(capability, answer) for answer in portion.answers)])
