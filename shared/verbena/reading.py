"""Read a job: how far it is, a page of its rows in input order, one row whole, and what is left to resume."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from pydantic_core import from_json, to_json

from verbena import settings
from verbena.capability import Capability
from verbena.envelope import Answered, Attempt, ErrorInfo, JsonRow, Meta, Progress, Usage
from verbena.errors import AnswerExpired, NotAttempted, NotCompleted, NotFound, NothingToResume
from verbena.items import Items, row_at, unworked_row, verdict_before_work
from verbena.jobs import ROOT, Job, JobProgress, Marker, sequence, slice_of
from verbena.parts import Parts
from verbena.stored import Source

FIRST_PAGE = 100
"""How many rows a link to results asks for."""

READERS = 16
"""How many stored results are fetched at once."""

WINDOW = 20
"""How many rows are in memory at once: one may be tens of megabytes, and a job has ten thousand."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What one part left behind."""

    rows: tuple[tuple[int, JsonRow], ...]
    attempts: tuple[Attempt, ...]
    meta: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Reading:
    """The reader's side of the call path."""

    parts: Parts

    async def job(self, owner: str, job_id: str) -> Job:
        """A job of this owner; another's is NotFound, and so is one whose time is over."""
        backend = self.parts.backend
        job = await backend.io(backend.jobs.job, job_id)
        if job is None or job.owner != owner:
            raise NotFound(f"no job {job_id}")
        return job

    async def answer(self, job_id: str, base_url: str, cap: int = settings.ANSWER_CAP_BYTES) -> Answered:
        """What a call that became this job says: its first rows if it is over, else how far it is."""
        backend = self.parts.backend
        job = await backend.io(backend.jobs.job, job_id)
        if job is None:
            raise NotFound(f"no job {job_id}")
        if job.status != "completed":
            return await self.view(job, base_url)
        return await self.page(job, 0, FIRST_PAGE, base_url, cap)

    async def view(self, job: Job, base_url: str) -> Answered:
        """Status, progress and usage without rows: small whatever the job's size."""
        backend = self.parts.backend
        progress = await backend.io(backend.jobs.progress, job.job_id)
        return Answered(
            status="completed" if job.status == "completed" else "pending",
            job_id=job.job_id,
            progress=_progress(job, progress),
            usage=_usage(job, progress),
            error=ErrorInfo(**job.error) if job.error else None,
            next=page_url(base_url, job.job_id, 0, FIRST_PAGE),
        )

    async def page(
        self, job: Job, cursor: int, limit: int, base_url: str, cap: int = settings.ANSWER_CAP_BYTES
    ) -> Answered:
        """The view with up to `limit` rows, of at most `cap` bytes, from an input position on.

        While the job is pending, of the finished prefix.
        """
        answer = await self.view(job, base_url)
        rows, attempts, meta = await self._rows_from(job, cursor, limit)
        shown = _fitting(job.job_id, cursor, rows, cap)
        after = cursor + len(shown)
        is_over = job.status == "completed" and answer.progress is not None and after >= answer.progress.done
        return answer.model_copy(
            update={
                "results": shown,
                "attempts": attempts or None,
                "meta": meta,
                "next": None if is_over else page_url(base_url, job.job_id, after, limit),
            }
        )

    async def row(self, job: Job, position: int) -> bytes:
        """One row whole, as JSON in ASCII; NotFound before it is there."""
        rows, _, _ = await self._rows_from(job, position, 1)
        if not rows:
            raise NotFound(f"job {job.job_id} has no row {position} (yet)")
        return json.dumps(rows[0], separators=(",", ":")).encode()

    async def unfinished(self, job: Job) -> dict[str, Any]:
        """The body of a call that runs what failed or was not attempted; raises if nothing did."""
        if job.status != "completed":
            raise NotCompleted
        source = await self.parts.source(job.job_id)
        capability = self.parts.verbs[job.verb]
        if source.items is None or capability.mode.items is None:
            return {**await self._last_rest(job, source), **job.options, "async": True}
        again = await self._failed(job, source.items)
        unique = [source.items.unique[index] for index in sorted(again)]
        if not unique:
            raise NothingToResume
        return {**source.arguments, capability.mode.items: unique, **job.options, "async": True}

    async def _failed(self, job: Job, items: Items) -> set[int]:
        """The unique items whose row failed."""
        failed: set[int | None] = set()
        async for positions, rows in self._windows(job, items, range(len(items.order))):
            failed |= {items.order[at] for at, row in zip(positions, rows, strict=True) if row["status"] == "failed"}
        return {index for index in failed if index is not None}

    async def _last_rest(self, job: Job, source: Source) -> dict[str, Any]:
        """Where a paged job stopped: the rest of its last part, or all of it if none was worked."""
        backend = self.parts.backend
        markers = sorted(await backend.io(backend.ledger.markers, job.job_id), key=sequence)
        worked = [marker for marker in markers if marker.result_key]
        rest = await self.parts.stored_rest(worked[-1]) if worked else dict(source.arguments)
        if rest is None:
            raise NothingToResume
        return rest

    async def _rows_from(self, job: Job, cursor: int, limit: int) -> tuple[list[JsonRow], list[Attempt], Meta | None]:
        capability = self.parts.verbs[job.verb]
        source = await self.parts.source(job.job_id)
        if source.items is None:
            return await self._paged_rows(job, capability, cursor, limit)
        shown: list[JsonRow] = []
        size = 0
        wanted = range(cursor, min(cursor + limit, len(source.items.order)))
        async for _, rows in self._windows(job, source.items, wanted):
            shown += rows
            size += sum(min(len(to_json(row)), settings.ROW_CAP_BYTES) for row in rows)
            if size > settings.ANSWER_CAP_BYTES:
                break
        return shown, [], None

    async def _windows(
        self, job: Job, items: Items, positions: range
    ) -> AsyncIterator[tuple[Sequence[int], list[JsonRow]]]:
        """The rows of some positions, few of them in memory at once; ends at the first gap of a pending job."""
        capability = self.parts.verbs[job.verb]
        for start in range(0, len(positions), WINDOW):
            window = positions[start : start + WINDOW]
            rows = _in_order(job, capability, items, window, await self._item_rows(job, items, window))
            yield window, rows
            if len(rows) < len(window):
                return

    async def _item_rows(self, job: Job, items: Items, positions: Iterable[int]) -> dict[int, JsonRow]:
        """Rows by unique index for some positions: the root's own, and those of the slices they fell into."""
        backend = self.parts.backend
        root = await backend.io(backend.ledger.marker, job.job_id, ROOT)
        if root is None:
            return {}
        wanted = {items.order[position] for position in positions}
        slices = {slice_of(child.part_id) for child in root.children if wanted & set(child.indexes or ())}
        found = await _gathered(
            [backend.io(backend.ledger.descendants, job.job_id, slice_id) for slice_id in sorted(slices)]
        )
        markers = [root, *(marker for group in found for marker in group)]
        stored = await _gathered([self._stored(marker) for marker in markers if marker.rows])
        return {index: row for part in stored for index, row in part.rows}

    async def _paged_rows(
        self, job: Job, capability: Capability, cursor: int, limit: int
    ) -> tuple[list[JsonRow], list[Attempt], Meta | None]:
        """Rows of a paged verb are numbered through its parts in order."""
        backend = self.parts.backend
        markers = sorted(await backend.io(backend.ledger.markers, job.job_id), key=sequence)
        wanted: list[Marker] = []
        start, first = 0, 0
        for marker in markers:
            # A part without rows has its attempts to show.
            if start + max(marker.rows, 1) > cursor and start < cursor + limit and marker.result_key:
                first = first if wanted else start
                wanted.append(marker)
            start += marker.rows
        if any(marker.kept_until is not None and marker.kept_until <= backend.now() for marker in wanted):
            raise AnswerExpired
        parts = await _gathered([self._stored(marker) for marker in wanted])
        rows = [row for part in parts for _, row in part.rows][cursor - first : cursor - first + limit]
        metas = [part.meta for part in parts if part.meta]
        attempts = [attempt for part in parts for attempt in part.attempts]
        return rows, attempts, capability.meta.model_validate(metas[-1]) if metas else None

    async def _stored(self, marker: Marker) -> Stored:
        body = await self.parts.backend.io(self.parts.backend.objects.get, marker.result_key or "")
        stored: dict[str, Any] = from_json(body) if body else {"rows": ()}
        return Stored(
            rows=tuple((index, row) for index, row in stored["rows"]),
            attempts=tuple(Attempt(**attempt) for attempt in stored.get("attempts") or ()),
            meta=stored.get("meta"),
        )


def page_url(base_url: str, job_id: str, cursor: int, limit: int) -> str:
    return f"{base_url}/v1/jobs/{job_id}?{urlencode({'limit': limit, 'cursor': cursor})}"


def _progress(job: Job, progress: JobProgress | None) -> Progress:
    """`done == total` once a job is completed: what was not attempted has its row too."""
    done = progress.done if progress else 0
    if job.status == "completed":
        done = done if job.positions is None else job.positions
        return Progress(done=done, total=done)
    return Progress(done=done, total=job.positions)


def _usage(job: Job, progress: JobProgress | None) -> Usage:
    if job.usage is not None:
        return Usage(**job.usage)
    return Usage(units=dict(progress.units), charge_micros=progress.charge) if progress else Usage()


def _in_order(
    job: Job, capability: Capability, items: Items, positions: Iterable[int], rows: Mapping[int, JsonRow]
) -> list[JsonRow]:
    """Rows as the input lists them; a completed job has all of them, a pending one those before the first gap."""
    shown = []
    for position in positions:
        index = items.order[position]
        error = verdict_before_work(items, position)
        row = rows.get(index) if index is not None and error is None else None
        if row is not None:
            shown.append(row_at(capability, items, position, row))
        elif error is not None or job.status == "completed":
            shown.append(unworked_row(capability, items, position, error or ErrorInfo.of(NotAttempted())))
        else:
            break
    return shown


def _fitting(job_id: str, first: int, rows: Sequence[JsonRow], cap: int) -> list[JsonRow]:
    """As many rows as an answer may hold, each cut to its own cap; at least one."""
    shown: list[JsonRow] = []
    size = 0
    for position, row in enumerate(rows, first):
        fitted, length = _cut(f"/v1/jobs/{job_id}/rows/{position}", row, min(cap, settings.ROW_CAP_BYTES))
        size += length
        if shown and size > cap:
            break
        shown.append(fitted)
    return shown


def _cut(path: str, row: JsonRow, cap: int) -> tuple[JsonRow, int]:
    """A row over its cap loses the end of its longest texts, and says at which path it is whole."""
    length = len(to_json(row))
    if length <= cap:
        return row, length
    fitted = {**row, "truncated": True, "content_ref": path}
    while (length := len(to_json(fitted))) > cap:
        name = max(fitted, key=lambda field: len(to_json(fitted[field])))
        value = fitted[name]
        if not isinstance(value, str | list) or not value:
            fitted[name] = None
            continue
        share = cap / length
        fitted[name] = value[: int(len(value) * share * 0.9)]
    return fitted, length


async def _gathered(awaitables: Sequence[Any]) -> list[Any]:
    """All results in order, few at a time."""
    gate = asyncio.Semaphore(READERS)

    async def one(awaitable: Any) -> Any:
        async with gate:
            return await awaitable

    return list(await asyncio.gather(*(one(awaitable) for awaitable in awaitables)))
