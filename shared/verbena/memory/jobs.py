"""Job rows, their progress and idempotency records in memory, under the conditions of `verbena.aws.jobs`."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from verbena.billing import Units, total
from verbena.jobs import Job, JobProgress, Reason, Record
from verbena.memory.items import Change, Key, Memory, put
from verbena.ports import Write


@dataclass(frozen=True, slots=True)
class JobsMemory:
    """Job rows, their progress, and idempotency records."""

    memory: Memory

    def job(self, job_id: str) -> Job | None:
        job: Job | None = self.memory.get(("job", job_id))
        return None if job is None or self._is_over(job) else job

    def progress(self, job_id: str) -> JobProgress | None:
        progress: JobProgress | None = self.memory.get(("progress", job_id))
        return progress

    def record(self, owner: str, verb: str, key: str) -> Record | None:
        record: Record | None = self.memory.get(("record", owner, verb, key))
        return None if record is None or self._is_over(record) else record

    def due_jobs(self, shard: int, now: int) -> list[str]:
        """All in the first shard: here nothing is hot."""
        jobs: list[Job] = self.memory.under("job") if shard == 0 else []
        return [job.job_id for job in jobs if job.due_at is not None and job.due_at <= now]

    def put_job(self, job: Job) -> Write:
        return put("job", ("job", job.job_id), job)

    def put_progress(self, job_id: str, progress: JobProgress) -> Write:
        return put("progress", ("progress", job_id), progress)

    def advance(self, job_id: str, done: int, parts: int, units: Units, charge: int) -> Write:
        def advanced(progress: JobProgress) -> JobProgress:
            return replace(
                progress,
                done=progress.done + done,
                open_parts=progress.open_parts + parts,
                charge=progress.charge + charge,
                units=total([progress.units, units]),
            )

        return Write("progress", Change(("progress", job_id), _is_counting, advanced))

    def start_closing(self, job_id: str, reason: Reason, now: int) -> Write:
        return Write(
            "job",
            Change(
                ("job", job_id),
                _is_running,
                lambda job: replace(job, status="closing", reason=reason, due_at=now),
            ),
        )

    def stop_progress(self, job_id: str, open_parts: int | None) -> Write:
        def allowed(progress: JobProgress | None) -> bool:
            return _is_counting(progress) and open_parts in {None, progress and progress.open_parts}

        stopped = Change(("progress", job_id), allowed, lambda progress: replace(progress, state="closing"))
        return Write("progress", stopped)

    def complete(self, job: Job) -> Write:
        return put(
            "job",
            ("job", job.job_id),
            replace(job, due_at=None),
            lambda item: item is not None and item.status == "closing",
        )

    def put_record(self, record: Record, replaces: str | None = None) -> Write:
        def is_free(item: Record | None) -> bool:
            return item is None or self._is_over(item)

        allowed = is_free if replaces is None else _names(replaces)
        return put("record", _record_key(record), record, allowed)

    def end_record(self, record: Record) -> Write:
        return put("record", _record_key(record), record, _names(record.call_id))

    def drop_record(self, record: Record) -> Write:
        return put("record", _record_key(record), None, _names(record.call_id))

    def postpone(self, job: Job, due_at: int) -> None:
        self.memory.apply(
            Change(
                ("job", job.job_id),
                lambda item: _is_running(item) and item.due_at == job.due_at,
                lambda item: replace(item, due_at=due_at),
            )
        )

    def mark_planned(self, job: Job) -> None:
        planned = Change(
            ("job", job.job_id), _is_running, lambda item: replace(item, planned=True, due_at=job.deadline)
        )
        self.memory.apply(planned)

    def _is_over(self, item: Job | Record) -> bool:
        return item.expires_at is not None and item.expires_at <= self.memory.now()


def _is_running(job: Job | None) -> bool:
    return job is not None and job.status == "running"


def _is_counting(progress: JobProgress | None) -> bool:
    return progress is not None and progress.state == "running"


def _names(call_id: str) -> Callable[[Record | None], bool]:
    return lambda item: item is not None and item.call_id == call_id and item.state == "running"


def _record_key(record: Record) -> Key:
    return "record", record.owner, record.verb, record.key
