"""Work one part of a job: run it, commit its marker, send what is left of it. Any delivery may be the second.

A part is committed by one transaction: its marker (which must not exist) and the progress (which must be running).
Whoever commits or finds a marker sends the children it records; so a crash anywhere is mended by a redelivery.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import from_json, to_json

from verbena import settings
from verbena.billing import charge
from verbena.capability import Capability
from verbena.closing import close, settle
from verbena.envelope import ErrorInfo, JsonRow
from verbena.errors import InternalError, TimedOut, VerbenaError
from verbena.execution import Outcome, accounted, execute
from verbena.jobs import ROOT, Child, Job, Marker, Part, next_page_id, slice_id, slices
from verbena.ports import Backend, Write
from verbena.stored import Source, input_key, result_key

PAGES_LIMIT = 1000
"""The most pages one paged call may have; a source that never ends is stopped here."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The worker's side of the call path."""

    backend: Backend
    verbs: Mapping[str, Capability]
    retention_s: int

    async def work(self, part: Part, budget_s: float = settings.PART_BUDGET_S, *, is_first: bool = False) -> None:
        """Work one delivery of a part; raises what the executor raised unexpectedly, so that it is delivered again.

        `is_first` spares looking for the marker of an earlier delivery; one that is there all the same wins later.
        """
        job = await self._standing(part, is_first=is_first)
        if job is None:
            return
        if part.part_id == ROOT:
            source = await self.source(job.job_id)
            indexes = range(source.items.funded if source.items else 0)
            await self._commit(job, part, Outcome(), planned(self.verbs[job.verb], source, indexes))
            return
        try:
            outcome = await self._run(job, part, budget_s)
        except VerbenaError as error:
            await self._fail(job, part, error)
        else:
            await self._commit(job, part, *_continued(part, outcome))

    async def bury(self, part: Part) -> bool:
        """Take a part that no delivery could work out of the way; whether it was really stuck.

        A part of several items becomes parts of one, so that one bad item fails alone; that one fails here.
        """
        job = await self._standing(part)
        if job is None:
            return False
        if part.indexes is not None and len(part.indexes) > 1:
            singles = (Child(f"{part.part_id}.{n}", (index,)) for n, index in enumerate(part.indexes, 1))
            await self._commit(job, part, Outcome(), tuple(singles))
        else:
            await self._fail(job, part, InternalError("the work of this part failed every time it was tried"))
        return True

    async def _standing(self, part: Part, *, is_first: bool = False) -> Job | None:
        """The job, if this part is still to be worked; a part already worked is followed up here."""
        backend = self.backend
        job = await backend.io(backend.jobs.job, part.job_id)
        if job is None or job.status == "completed":
            return None
        marker = None if is_first else await backend.io(backend.ledger.marker, part.job_id, part.part_id)
        if marker is not None:
            await self.follow(job, part, marker)
            return None
        if job.status == "closing":
            await settle(backend, part.job_id, self.retention_s)
            return None
        if job.deadline <= backend.now():
            await close(backend, part.job_id, "deadline", self.retention_s)
            return None
        return job

    async def source(self, job_id: str) -> Source:
        body = await self.backend.io(self.backend.objects.get, input_key(job_id))
        if body is None:
            raise InternalError(f"the input of job {job_id} is gone")
        return Source.of_stored(body)

    async def _run(self, job: Job, part: Part, budget_s: float) -> Outcome:
        capability = self.verbs[job.verb]
        arguments = capability.continued.model_validate(part.input)
        bound = capability.units_at_most(arguments) if part.left is None else part.left
        portion = await execute(
            self.verbs,
            capability,
            arguments,
            owner=job.owner,
            correlation_id=job.correlation_id,
            budget_s=min(budget_s, max(0.0, job.deadline - self.backend.now())),
            services=self.backend.services,
        )
        return accounted(capability, portion, part.indexes, bound)

    async def _fail(self, job: Job, part: Part, error: VerbenaError) -> None:
        """Commit a part as failed: a row for each item, else an error that ends the job and can be resumed."""
        if part.indexes is None:
            rest = None if part.part_id == ROOT else dict(part.input)
            await self._commit(job, part, Outcome(rest=rest, attempts=error.attempts), (), ErrorInfo.of(error))
        else:
            await self._commit(job, part, Outcome(rows=_failed_rows(part.indexes, error)), ())

    async def _commit(
        self,
        job: Job,
        part: Part,
        outcome: Outcome,
        children: tuple[Child, ...],
        error: ErrorInfo | None = None,
    ) -> None:
        """Put rows, then marker and progress in one transaction, then follow the marker that won."""
        backend = self.backend
        marker = await self.recorded(job, part.part_id, outcome, children, error)
        done = sum(part.weight(index) for index, _ in outcome.rows)
        writes: list[Write] = [
            backend.ledger.put_marker(marker),
            backend.jobs.advance(job.job_id, done, len(children) - 1, marker.units, marker.charge),
        ]
        found: list[Marker | None] = []

        def mine() -> Marker | None:
            found.append(backend.ledger.marker(job.job_id, part.part_id))
            return found[-1]

        await backend.commit(writes, f"{job.job_id}/{part.part_id}/{backend.new_id()}", mine)
        # Looked for only when the store did not simply say yes: then another delivery's may be the one that stands.
        standing = found[-1] if found else marker
        if standing is None:
            await settle(backend, job.job_id, self.retention_s)
            return
        if standing.result_key == marker.result_key:
            backend.tally.rows(row for _, row in outcome.rows)
            backend.tally.attempts(outcome.attempts)
        await self.follow(job, part, standing)

    async def recorded(
        self,
        job: Job,
        part_id: str,
        outcome: Outcome,
        children: tuple[Child, ...],
        error: ErrorInfo | None = None,
    ) -> Marker:
        """The marker of an outcome, its rows put where the marker says."""
        backend = self.backend
        key, until = None, outcome.kept_until(backend.now())
        if outcome.rows or outcome.rest is not None or outcome.attempts:
            key = result_key(job.job_id, part_id, backend.new_id(), is_brief=until is not None)
            meta = outcome.meta.model_dump(mode="json", exclude_none=True) if outcome.meta else None
            body = to_json({"rows": outcome.rows, "rest": outcome.rest, "attempts": outcome.attempts, "meta": meta})
            await backend.io(backend.objects.put, key, body)
        return Marker(
            call_id=job.job_id,
            part_id=part_id,
            owner=job.owner,
            verb=job.verb,
            at=backend.at(),
            units=outcome.units,
            charge=charge(outcome.units, job.prices or {}),
            vendor_cost=outcome.vendor_cost,
            unknown_costs=outcome.unknown_costs,
            rows=len(outcome.rows),
            result_key=key,
            children=children,
            error=error.model_dump(exclude_none=True) if error else None,
            provider=outcome.provider,
            kept_until=until,
        )

    async def follow(self, job: Job, part: Part, marker: Marker) -> None:
        """Send the children of a marker as it records them, then close the job if no part is open."""
        backend = self.backend
        is_root = marker.part_id == ROOT
        if marker.children and not (is_root and job.planned):
            await self._send(job, part, marker)
            if is_root:
                await backend.io(backend.jobs.mark_planned, job)
        progress = await backend.io(backend.jobs.progress, job.job_id)
        if progress is None:
            return
        if progress.state == "closing":
            await settle(backend, job.job_id, self.retention_s)
        elif progress.open_parts == 0:
            await close(backend, job.job_id, "finish", self.retention_s, open_parts=0)

    async def _send(self, job: Job, part: Part, marker: Marker) -> None:
        if part.part_id == ROOT and self.verbs[job.verb].mode.items is not None:
            part = _whole(self.verbs[job.verb], job.job_id, await self.source(job.job_id))
        if part.indexes is None:
            parts = await self._next_pages(job, part, marker)
        else:
            parts = _cut(self.verbs[job.verb], part, marker.children)
        delays = (settings.BARREN_DELAY_S if child.barren else 0 for child in parts)
        await self.backend.io(self.backend.queue.send, job.verb, job.owner, list(zip(parts, delays, strict=True)))

    async def _next_pages(self, job: Job, part: Part, marker: Marker) -> list[Part]:
        rest = await self.stored_rest(marker)
        if rest is None:
            rest = dict((await self.source(job.job_id)).arguments)
        return [
            Part(job.job_id, child.part_id, rest, depth=part.depth + 1, barren=child.barren, left=child.left)
            for child in marker.children
        ]

    async def stored_rest(self, marker: Marker) -> dict[str, Any] | None:
        """The input that continues a paged part, from the object its marker names."""
        body = await self.backend.io(self.backend.objects.get, marker.result_key) if marker.result_key else None
        return from_json(body)["rest"] if body else None


def planned(capability: Capability, source: Source, indexes: Sequence[int]) -> tuple[Child, ...]:
    """The first parts of a job: contiguous slices of its items, or the one input of a verb without items."""
    if source.items is None:
        left = capability.units_at_most(capability.continued.model_validate(source.arguments))
        return (Child(next_page_id(ROOT), None, 0, left),)
    sizes = [len(item) for item in source.items.unique]
    return tuple(Child(slice_id(n), cut) for n, cut in enumerate(slices(indexes, sizes)))


def _continued(part: Part, outcome: Outcome) -> tuple[Outcome, tuple[Child, ...], ErrorInfo | None]:
    """What a part leaves to its child; a part that gets nowhere, or too deep, ends here."""
    barren = 0 if outcome.rows else part.barren + 1
    stuck = barren >= settings.BARREN_LIMIT
    if part.indexes is None:
        left = {unit: count - outcome.units.get(unit, 0) for unit, count in (part.left or {}).items()}
        over = outcome.rest is None or stuck or part.depth >= PAGES_LIMIT or not any(left.values())
        return outcome, () if over else (Child(next_page_id(part.part_id), None, barren, left),), None
    answered = {index for index, _ in outcome.rows}
    rest = tuple(index for index in part.indexes if index not in answered)
    if not rest:
        return outcome, (), None
    if stuck or part.depth >= settings.DEPTH_LIMIT:
        late = _failed_rows(rest, TimedOut("no attempt at this item ended within its time"))
        return replace(outcome, rows=(*outcome.rows, *late)), (), None
    return outcome, (Child(f"{part.part_id}.1", rest, barren),), None


def _whole(capability: Capability, job_id: str, source: Source) -> Part:
    """The root part of an item verb, with everything in it that its children are cut from."""
    if source.items is None or capability.mode.items is None:
        raise InternalError(f"job {job_id} has no list of items")
    unique, weights = source.items.unique, source.items.weights
    return Part(
        job_id=job_id,
        part_id=ROOT,
        input={**source.arguments, capability.mode.items: unique},
        indexes=tuple(range(len(unique))),
        weights=tuple(weights[index] for index in range(len(unique))),
        depth=-1,
    )


def _cut(capability: Capability, part: Part, children: Sequence[Child]) -> list[Part]:
    """The parts of children, cut out of their parent's input."""
    field = capability.mode.items or ""
    own = part.indexes or ()
    item_of = dict(zip(own, part.input[field], strict=True))
    weight_of = dict(zip(own, part.weights or (1,) * len(own), strict=True))
    return [
        Part(
            job_id=part.job_id,
            part_id=child.part_id,
            input={**part.input, field: [item_of[index] for index in child.indexes or ()]},
            indexes=child.indexes,
            weights=tuple(weight_of[index] for index in child.indexes or ()),
            depth=part.depth + 1,
            barren=child.barren,
        )
        for child in children
    ]


def _failed_rows(indexes: Sequence[int], error: VerbenaError) -> tuple[tuple[int, JsonRow], ...]:
    row = {"status": "failed", "error": ErrorInfo.of(error).model_dump(exclude_none=True)}
    return tuple((index, dict(row)) for index in indexes)
