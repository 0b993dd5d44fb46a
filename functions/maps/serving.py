"""One question to the operator's providers, and what every verb of maps tells of the answer."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from maps.asked import Asked, Beside
from maps.places import Origin
from maps.terms import SOURCES
from verbena import settings
from verbena.billing import Units
from verbena.capability import Answer, Call, Capability, Portion
from verbena.catalog.places import MapsMeta, Place, Review
from verbena.engine import Engine, Served
from verbena.envelope import Model
from verbena.providers import Driver
from verbena.selection import Ask


@dataclass(frozen=True, slots=True)
class Desk:
    """The engine with the drivers of one verb, at work for one call."""

    engine: Engine
    verb: Capability
    drivers: Sequence[Driver]
    call: Call

    async def served(self, asked: Asked[Any], wanted: frozenset[str], limit: int, pin: str | None) -> Served:
        """What the first provider that serves found; a ProviderError if none does."""
        return await self.engine.serve(
            Ask(
                verb=self.verb.name,
                drivers=self.drivers,
                input=asked,
                limit=limit,
                deadline=min(self.call.deadline, time.monotonic() + settings.MAPS_DEADLINE_S),
                attempt_s=settings.MAPS_ATTEMPT_S,
                wanted=wanted,
                pin=pin,
            )
        )


def origin(served: Served) -> Origin:
    return Origin(served.row.name, SOURCES[served.driver.name], datetime.now(UTC))


def beside(served: Served) -> Beside:
    return served.found.beside if isinstance(served.found.beside, Beside) else Beside()


def portion(
    served: Served, rows: Sequence[Place | Review], units: Units, meta: MapsMeta, rest: Model | None = None
) -> Portion:
    """What a call returns. What is not open data is stored only briefly, unless the operator may keep it."""
    costs = [cost for cost in served.costs if cost is not None]
    may_keep = served.row.allow_caching or SOURCES[served.driver.name].is_open
    warnings = [*(meta.warnings or []), *served.warnings]
    return Portion(
        answers=tuple(Answer(row=row) for row in rows),
        units=units,
        vendor_cost_micros=sum(costs) if costs else None,
        unknown_costs=len(served.costs) - len(costs),
        attempts=served.attempts,
        meta=meta.model_copy(update={"warnings": warnings or None}),
        rest=rest,
        keep_s=None if may_keep else settings.BRIEF_S,
    )
