"""The stores in memory, which the proofs run on, refuse, change and answer exactly as the tables do."""

import itertools
import uuid
from dataclasses import dataclass, replace

import pytest

from verbena.aws.codec import due_shard
from verbena.aws.jobs import JobsTable
from verbena.aws.ledger import LedgerTable
from verbena.aws.transact import TableTransactions
from verbena.jobs import Child, Hold, Job, JobProgress, Marker, Record
from verbena.memory import JobsMemory, LedgerMemory, Memory

NOW = 1_800_000_000


@dataclass(frozen=True)
class Stores:
    """One side: the tables or the memory. `at` names things so that examples do not meet in the shared tables."""

    ledger: LedgerTable | LedgerMemory
    jobs: JobsTable | JobsMemory
    commit: object
    at: str

    def hold(self, call, amount, expires_at=None):
        return Hold(self.at + call, self.at, amount, {"web_crawl": 1000}, expires_at)

    def marker(self, call, part, units):
        children = (Child(f"{part}.1", (0, 1, 2, 7), 1),) if units else (Child("0001", None, 0, {"maps_place": 3}),)
        told = {"units": {"web_crawl": units} if units else {}, "charge": units * 1000, "children": children}
        return Marker(self.at + call, part, self.at, "test.list", "2027-01-15T08:00:00.000Z", **told)

    def job(self, call, **changes):
        job = Job(
            job_id=self.at + call,
            owner=self.at,
            key_id="key",
            verb="test.list",
            status="running",
            created_at="2027-01-15T08:00:00.000Z",
            deadline=NOW + 3600,
            due_at=NOW + 60,
            positions=3,
            options={"partial": True},
            prices={"web_crawl": 1000},
            correlation_id="c",
        )
        return replace(job, **changes)

    def record(self, call, state, expires_at):
        return Record(self.at, "test.list", "key", "hash", self.at + call, state, NOW + 30, expires_at)


CALLS = ("a", "b")
MONEY = (0, 300, 700)
TIMES = (None, NOW + 30, NOW + 60)
ENDS = (NOW - 1, NOW, NOW + 1)

# Each write: how it is made of a side's stores, and the values to try it with.
WRITES = {
    "take": (lambda s, a, b: s.ledger.take(s.at, a, b), MONEY, MONEY),
    "pay": (lambda s, a, b: s.ledger.pay(s.at, max(a, b), min(a, b)), MONEY, MONEY),
    "open_hold": (lambda s, c, t: s.ledger.open_hold(s.hold(c, 300, t)), CALLS, TIMES),
    "close_hold": (lambda s, c, t: s.ledger.close_hold(s.hold(c, 0, t)), CALLS, TIMES),
    "keep_hold": (lambda s, c: s.ledger.keep_hold(s.at + c), CALLS),
    "put_marker": (
        lambda s, c, p, n: s.ledger.put_marker(s.marker(c, p, n)),
        CALLS,
        ("0001", "0001.1"),
        (0, 2),
    ),
    "put_job": (lambda s, c: s.jobs.put_job(s.job(c)), CALLS),
    "put_progress": (lambda s, c, n: s.jobs.put_progress(s.at + c, JobProgress("running", n, 1, 0, {})), CALLS, (1,)),
    "advance": (
        lambda s, c, n, m: s.jobs.advance(s.at + c, n, m - 1, {"web_crawl": n} if n else {}, n * 1000),
        CALLS,
        (0, 2),
        (0, 2),
    ),
    "start_closing": (lambda s, c: s.jobs.start_closing(s.at + c, "finish", NOW), CALLS),
    "stop_progress": (lambda s, c, n: s.jobs.stop_progress(s.at + c, n), CALLS, (None, 0, 1)),
    "complete": (
        lambda s, c, t: s.jobs.complete(s.job(c, status="completed", usage={"charge_micros": 1}, expires_at=t)),
        CALLS,
        ENDS,
    ),
    "put_record": (
        lambda s, c, state, t, old: s.jobs.put_record(s.record(c, state, t), old and s.at + old),
        ("b",),
        ("running", "done"),
        ENDS,
        (None, "a", "b"),
    ),
    "end_record": (lambda s, c, state: s.jobs.end_record(s.record(c, state, NOW + 900)), CALLS, ("done", "job")),
    "drop_record": (lambda s, c: s.jobs.drop_record(s.record(c, "running", NOW)), CALLS),
    "postpone": (lambda s, c, t: s.jobs.postpone(s.job(c, due_at=t), NOW + 90), CALLS, (NOW + 60, NOW + 90)),
    "mark_planned": (lambda s, c: s.jobs.mark_planned(s.job(c)), CALLS),
}
KINDS = {
    "wallet": ("take", "pay"),
    "hold": ("open_hold", "close_hold", "keep_hold"),
    "marker": ("put_marker",),
    "job": ("put_job", "start_closing", "complete", "postpone", "mark_planned"),
    "progress": ("put_progress", "advance", "stop_progress"),
    "record": ("put_record", "end_record", "drop_record"),
}
EVERY = [
    (kind, (name, *values))
    for kind, names in KINDS.items()
    for name in names
    for values in itertools.product(*WRITES[name][1:])
]

CALL = [("open_hold", "a", NOW + 30), ("take", 300, 0), ("put_record", "a", "running", NOW + 900, None)]
JOB = [*CALL, ("keep_hold", "a"), ("end_record", "a", "job"), ("put_job", "a"), ("put_progress", "a", 0)]
CLOSING = [*JOB, ("put_marker", "a", "root", 0), ("start_closing", "a"), ("stop_progress", "a", 1)]
SITUATIONS = {
    "nothing": [],
    "a call that runs": CALL,
    "a call whose record is over": [*CALL[:2], ("put_record", "a", "running", NOW, None)],
    "a call that ended": [*CALL, ("close_hold", "a", NOW + 30), ("pay", 300, 300), ("end_record", "a", "done")],
    "a job that runs": JOB,
    "a job that is closing": CLOSING,
    "a job that is completed": [*CLOSING, ("complete", "a", NOW + 1)],
    "a job that is over": [*CLOSING, ("complete", "a", NOW)],
}


def _apply(stores, name, *values):
    """The names of the writes refused."""
    made = WRITES[name][0](stores, *values)
    return stores.commit([made], uuid.uuid4().hex) if made else None


def _read(stores, kind):
    """Everything the ports can say of the items of a kind that a write may have changed."""
    calls = [stores.at + call for call in CALLS]
    ledger, jobs = stores.ledger, stores.jobs
    return {
        "wallet": lambda: ledger.wallet(stores.at),
        "hold": lambda: [_due(ledger.due_holds, calls, NOW + 30), *map(ledger.hold, calls)],
        "marker": lambda: [
            (ledger.markers(call), ledger.marker(call, "0001"), ledger.descendants(call, "0001")) for call in calls
        ],
        "job": lambda: [_due(jobs.due_jobs, calls, NOW + 60), *map(jobs.job, calls)],
        "progress": lambda: [*map(jobs.progress, calls)],
        "record": lambda: jobs.record(stores.at, "test.list", "key"),
    }[kind]()


def _due(index, calls, moment):
    """What an index proposes of these calls; in memory it has one shard only."""
    shards = {0, *(int(due_shard(call).partition("#")[2]) for call in calls)}
    return sorted({name for shard in shards for name in index(shard, moment)} & set(calls))


# One emulator is enough here: the tests beside this one hold both to the same conditions.
@pytest.mark.parametrize("tables", ["ministack"], indirect=True)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_in_every_situation_every_write_does_the_same_to_both(tables, situation):
    def begin():
        at = uuid.uuid4().hex[:12]
        memory = Memory(lambda: NOW)
        jobs = JobsTable(tables["JobsTable"], lambda: NOW)
        commit = TableTransactions(tables["LedgerTable"].client).commit
        sides = (
            Stores(LedgerTable(tables["LedgerTable"]), jobs, commit, at),
            Stores(LedgerMemory(memory), JobsMemory(memory), memory.commit, at),
        )
        for side in sides:
            side.ledger.top_up(at, 700)
            for write in SITUATIONS[situation]:
                assert not _apply(side, *write), write
        return sides

    real, model = begin()
    for kind, write in EVERY:
        refused = _apply(real, *write)
        assert refused == _apply(model, *write), write
        if not refused:
            assert _read(real, kind) == _read(model, kind), write
            real, model = begin()


@pytest.mark.parametrize("side", ["tables", "memory"])
def test_one_write_refused_leaves_all_others_undone(tables, side):
    at = uuid.uuid4().hex
    memory = Memory(lambda: NOW)
    ledger = LedgerTable(tables["LedgerTable"]) if side == "tables" else LedgerMemory(memory)
    commit = TableTransactions(tables["LedgerTable"].client).commit if side == "tables" else memory.commit
    ledger.top_up(at, 700)

    refused = commit([ledger.take(at, 300), ledger.keep_hold(at)], at)

    assert refused == {"hold"}
    assert ledger.wallet(at).held == 0
