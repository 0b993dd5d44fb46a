"""How a job ends, whatever ends it: running -> closing, then the bill is settled from the facts."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import TypeVar

from verbena import settings
from verbena.billing import total
from verbena.envelope import ErrorInfo, Usage
from verbena.errors import Cancelled, DeadlineExceeded, Unavailable
from verbena.jobs import ROOT, Hold, Job, Marker, Part, Reason, sequence
from verbena.ports import Backend, Write

T = TypeVar("T")


async def close(backend: Backend, job_id: str, reason: Reason, retention_s: int, open_parts: int | None = None) -> None:
    """End a running job and settle it; a job that is closing already is only settled.

    `open_parts` is the count the caller read: finishing is refused if a part was added meanwhile.
    """
    writes = [
        backend.jobs.start_closing(job_id, reason, int(backend.now())),
        backend.jobs.stop_progress(job_id, open_parts),
    ]
    await backend.commit(writes, f"{job_id}/close/{backend.new_id()}", _is_ending, backend, job_id)
    await settle(backend, job_id, retention_s)


def _is_ending(backend: Backend, job_id: str) -> bool:
    job = backend.jobs.job(job_id)
    return job is not None and job.status != "running"


async def settle(backend: Backend, job_id: str, retention_s: int) -> None:
    """Close the hold of a closing job, move the wallet by its facts and complete it; does nothing otherwise."""
    job = await backend.io(backend.jobs.job, job_id)
    if job is None or job.status != "closing":
        return
    markers = sorted(await backend.io(backend.ledger.markers, job_id), key=sequence)
    usage = usage_of(markers)
    error = _error(job, markers)
    ended = replace(
        job,
        status="completed",
        completed_at=backend.at(),
        due_at=None,
        usage=usage.model_dump(),
        error=error.model_dump(exclude_none=True) if error else None,
        expires_at=int(backend.now()) + retention_s,
    )
    writes: list[Write] = [backend.jobs.complete(ended)]
    if job.prices is not None:
        hold = await backend.io(backend.ledger.hold, job_id)
        writes += ending(backend, hold, usage.charge_micros) if hold else []
    refused = await backend.commit(writes, f"{job_id}/settle/{backend.new_id()}", _is_completed, backend, job_id)
    if refused:
        raise Unavailable(f"the bill of job {job_id} could not be settled now")
    if job.reason:
        backend.tally.ended(job.reason)


def ending(backend: Backend, hold: Hold, charge: int) -> list[Write]:
    """The writes that end a hold; one of nothing has no wallet to move."""
    closing: list[Write] = [backend.ledger.close_hold(hold)]
    return [*closing, backend.ledger.pay(hold.owner, hold.amount, charge)] if hold.amount else closing


def _is_completed(backend: Backend, job_id: str) -> bool:
    job = backend.jobs.job(job_id)
    return job is not None and job.status == "completed"


def usage_of(markers: Sequence[Marker]) -> Usage:
    """The sum of facts; unknown vendor costs are counted, never taken for nothing."""
    costs = [marker.vendor_cost for marker in markers if marker.vendor_cost is not None]
    return Usage(
        units=total(marker.units for marker in markers),
        charge_micros=sum(marker.charge for marker in markers),
        vendor_cost_micros=sum(costs) if costs else None,
        unknown_costs=sum(marker.unknown_costs for marker in markers),
    )


def _error(job: Job, markers: Sequence[Marker]) -> ErrorInfo | None:
    if job.reason == "cancelled":
        return ErrorInfo.of(Cancelled())
    if job.reason == "deadline":
        return ErrorInfo.of(DeadlineExceeded())
    return next((ErrorInfo(**marker.error) for marker in markers if marker.error), None)


async def sweep(backend: Backend, retention_s: int) -> int:
    """Mend every job and hold whose time has come; how many jobs met their deadline.

    One that cannot be mended keeps no other waiting: its error is raised once they are.
    """
    outcomes: list[bool | BaseException | None] = []
    for shard in range(settings.DUE_SHARDS):
        jobs = await backend.io(backend.jobs.due_jobs, shard, int(backend.now()))
        outcomes += [await _tried(_mend(backend, job_id, retention_s)) for job_id in jobs]
        holds = await backend.io(backend.ledger.due_holds, shard, int(backend.now()))
        outcomes += [await _tried(_release(backend, call_id)) for call_id in holds]
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return sum(outcome is True for outcome in outcomes)


async def _tried(mending: Awaitable[T]) -> T | BaseException:
    """What mending one came to, its error included: `gather` is how asyncio hands an error over as a value."""
    (outcome,) = await asyncio.gather(mending, return_exceptions=True)
    return outcome


async def _mend(backend: Backend, job_id: str, retention_s: int) -> bool:
    """Whether the job met its deadline."""
    job = await backend.io(backend.jobs.job, job_id)
    now = int(backend.now())
    if job is None or job.due_at is None or job.due_at > now:
        return False
    if job.status == "closing":
        await settle(backend, job_id, retention_s)
    elif job.deadline <= now:
        await close(backend, job_id, "deadline", retention_s)
        return True
    elif not job.planned:
        await backend.io(backend.queue.send, job.verb, job.owner, [(Part(job_id, ROOT), 0)])
        await backend.io(backend.jobs.postpone, job, now + settings.REPLAN_S)
    return False


async def _release(backend: Backend, call_id: str) -> None:
    """Settle the hold of an inline call that died: its facts and its hold end together, so it has no facts."""
    hold = await backend.io(backend.ledger.hold, call_id)
    if hold is None or not hold.open or hold.expires_at is None or hold.expires_at > backend.now():
        return
    charge = sum(marker.charge for marker in await backend.io(backend.ledger.markers, call_id))
    await backend.commit(ending(backend, hold, charge), f"{call_id}/release", _is_closed, backend, call_id)


def _is_closed(backend: Backend, call_id: str) -> bool:
    hold = backend.ledger.hold(call_id)
    return hold is not None and not hold.open
