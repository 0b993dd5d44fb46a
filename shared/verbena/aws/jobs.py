"""The jobs table: thin job rows, the progress beside each, and idempotency records."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import islice
from time import time
from typing import Any

from verbena.aws.codec import Item, due_shard, encoded
from verbena.aws.table import Table
from verbena.billing import Units
from verbena.jobs import Job, JobProgress, Reason, Record
from verbena.ports import Write

COUNTED = "units_"
# Longer than any retention of a job's row, and a job runs for an hour: it is never gone while it counts.
PROGRESS_KEPT_S = 370 * 86_400


@dataclass(frozen=True, slots=True)
class JobsTable:
    """Job rows, progress items and idempotency records. `now` is seconds since the epoch."""

    table: Table
    now: Callable[[], float] = field(default=time)

    def job(self, job_id: str) -> Job | None:
        """The row of a job; None also once its time is over, which DynamoDB may notice days later."""
        item = self.table.get(job_id, "job")
        return None if item is None or self._is_over(item) else _job(item)

    def progress(self, job_id: str) -> JobProgress | None:
        """How far a job is."""
        item = self.table.get(job_id, "progress")
        if item is None:
            return None
        units = {name.removeprefix(COUNTED): count for name, count in item.items() if name.startswith(COUNTED)}
        return JobProgress(item["state"], item["done"], item["open_parts"], item["charge"], units)

    def record(self, owner: str, verb: str, key: str) -> Record | None:
        """What an idempotency key stands for."""
        item = self.table.get(*_record_key(owner, verb, key))
        if item is None or self._is_over(item):
            return None
        names = Record.__dataclass_fields__
        told = {name: value for name, value in item.items() if name in names}
        return Record(**told, expires_at=item["ttl"])

    def due_jobs(self, shard: int, now: int) -> list[str]:
        """Jobs that may need mending."""
        return [item["pk"] for item in self.table.due(shard, now)]

    def of_owner(self, owner: str, before: str, limit: int, after: str | None = None) -> list[Job]:
        """An owner's newest jobs created before an ISO moment; eventually consistent.

        With `after`, the id of a job created at that moment, what comes next: jobs may share a moment.
        """
        start = {"pk": after, "sk": "job", "owner": owner, "created_at": before}
        items = self.table.indexed(
            "owner",
            f"#owner = :owner AND created_at {'<=' if after else '<'} :before",
            {":owner": owner, ":before": before},
            ExpressionAttributeNames={"#owner": "owner"},
            ScanIndexForward=False,
            Limit=limit,
            **({"ExclusiveStartKey": encoded(start)} if after else {}),
        )
        return list(islice((_job(item) for item in items if not self._is_over(item)), limit))

    def put_job(self, job: Job) -> Write:
        """A call id makes one job, however often the transaction is tried."""
        return self.table.put("job", _job_item(job), "attribute_not_exists(pk)")

    def put_progress(self, job_id: str, progress: JobProgress) -> Write:
        """Apart from the row, so that counting never touches it."""
        counted = {COUNTED + unit: count for unit, count in progress.units.items()}
        item = {"pk": job_id, "sk": "progress", **asdict(progress), "units": None, **counted}
        item["ttl"] = int(self.now()) + PROGRESS_KEPT_S
        return self.table.put("progress", item, "attribute_not_exists(pk)")

    def advance(self, job_id: str, done: int, parts: int, units: Units, charge: int) -> Write:
        """Refused once the job is closing: a late part is dropped unbilled."""
        counted = "".join(f", {COUNTED}{unit} :{unit}" for unit in units)
        return self.table.update(
            "progress",
            (job_id, "progress"),
            f"ADD done :done, open_parts :parts, charge :charge{counted}",
            "#state = :running",
            {":running": "running", ":done": done, ":parts": parts, ":charge": charge}
            | {f":{unit}": count for unit, count in units.items()},
        )

    def start_closing(self, job_id: str, reason: Reason, now: int) -> Write:
        """Due at once, so that the sweeper settles the bill if nobody else does."""
        return self.table.update(
            "job",
            (job_id, "job"),
            "SET #status = :closing, #reason = :reason, due_at = :now",
            "#status = :running",
            {":running": "running", ":closing": "closing", ":reason": reason, ":now": now},
        )

    def stop_progress(self, job_id: str, open_parts: int | None) -> Write:
        """Comparing open_parts refuses to finish a job to which a part was added since it was read."""
        condition = "#state = :running"
        values: dict[str, Any] = {":running": "running", ":closing": "closing"}
        if open_parts is not None:
            condition, values = condition + " AND open_parts = :open", values | {":open": open_parts}
        return self.table.update("progress", (job_id, "progress"), "SET #state = :closing", condition, values)

    def complete(self, job: Job) -> Write:
        """The row is written whole: closing is the last state in which it can change."""
        item = _job_item(job) | {"due_at": None, "due_shard": None}
        return self.table.put("job", item, "#status = :closing", {":closing": "closing"})

    def put_record(self, record: Record, replaces: str | None = None) -> Write:
        """A record whose time is over counts as none; one taken over must still be the one that was read."""
        values: dict[str, Any] = {":now": int(self.now())}
        condition = "attribute_not_exists(pk) OR #ttl <= :now"
        if replaces is not None:
            condition, values = (
                "call_id = :old AND #state = :running",
                {":old": replaces, ":running": "running"},
            )
        return self.table.put("record", _record_item(record), condition, values)

    def end_record(self, record: Record) -> Write:
        """Refused if another call has taken the key over: then this one's rows do not count."""
        return self.table.put(
            "record",
            _record_item(record),
            "call_id = :mine AND #state = :running",
            {":mine": record.call_id, ":running": "running"},
        )

    def drop_record(self, record: Record) -> Write:
        """Free the key."""
        at = _record_key(record.owner, record.verb, record.key)
        condition = "call_id = :mine AND #state = :running"
        return self.table.delete("record", at, condition, {":mine": record.call_id, ":running": "running"})

    def postpone(self, job: Job, due_at: int) -> None:
        """Comparing due_at leaves a job alone that moved on since it was read."""
        values = {":running": "running", ":seen": job.due_at, ":due": due_at}
        condition = "#status = :running AND due_at = :seen"
        self.table.apply(self.table.update("job", (job.job_id, "job"), "SET due_at = :due", condition, values))

    def mark_planned(self, job: Job) -> None:
        """Nothing to look after before the deadline."""
        values = {":running": "running", ":due": job.deadline, ":true": True}
        change = "SET planned = :true, due_at = :due"
        self.table.apply(self.table.update("job", (job.job_id, "job"), change, "#status = :running", values))

    def _is_over(self, item: Item) -> bool:
        return item.get("ttl") is not None and item["ttl"] <= self.now()


def _job_item(job: Job) -> Item:
    told = {name: value for name, value in asdict(job).items() if name != "expires_at"}
    shard = due_shard(job.job_id) if job.due_at is not None else None
    return {"pk": job.job_id, "sk": "job", **told, "ttl": job.expires_at, "due_shard": shard}


def _job(item: Item) -> Job:
    names = Job.__dataclass_fields__
    blank: dict[str, Any] = {"due_at": None, "positions": None, "prices": None}
    told = {name: value for name, value in item.items() if name in names}
    return Job(**(blank | told), expires_at=item.get("ttl"))


def _record_item(record: Record) -> Item:
    pk, sk = _record_key(record.owner, record.verb, record.key)
    told = {name: value for name, value in asdict(record).items() if name != "expires_at"}
    return {"pk": pk, "sk": sk, **told, "ttl": record.expires_at}


def _record_key(owner: str, verb: str, key: str) -> tuple[str, str]:
    """A hash, because keys are the caller's: of any characters, and no secret of the table's reader."""
    return "idempotency#" + hashlib.sha256(f"{owner}\0{verb}\0{key}".encode()).hexdigest(), "record"
