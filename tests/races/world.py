"""The call path over MiniStack's stores, one owner and one queue a test, and what must be true after every race."""

import asyncio
import json
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import boto3

from tests.races.verbs import CRAWL, VERBS
from verbena import settings
from verbena.aws.clients import CONFIG
from verbena.aws.jobs import JobsTable
from verbena.aws.ledger import LedgerTable
from verbena.aws.objects import Bucket
from verbena.aws.queue import Queues
from verbena.aws.table import Table
from verbena.aws.transact import TableTransactions
from verbena.billing import charge, price_book, total
from verbena.calls import Calls
from verbena.catalog import VERBS as CATALOG_VERBS
from verbena.closing import close, sweep
from verbena.jobs import INLINE, ROOT, Part
from verbena.ports import Backend
from verbena.request import Caller

BASE = "http://verbena.test"
RETENTION_S = 86_400
PRICES = price_book({})
DRAIN_MOST_S = 60
COUNTS = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed"]


@dataclass(frozen=True)
class Place:
    """Where the stores are: everything another process needs to meet this one there."""

    jobs: str
    ledger: str
    bucket: str
    queue: str
    dead: str
    strays: str
    owner: str


def clients_of(endpoint=None):
    """The product's clients; without an endpoint the environment names it."""
    return {name: boto3.client(name, endpoint_url=endpoint, config=CONFIG) for name in ("dynamodb", "s3", "sqs")}


def make_queue(sqs):
    """A part queue and its dead-letter queue, as the template makes them."""
    name = f"race-{uuid.uuid4().hex[:12]}"
    dead = sqs.create_queue(QueueName=f"{name}-dead")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    policy = {"deadLetterTargetArn": arn, "maxReceiveCount": settings.MAX_RECEIVES}
    attributes = {"VisibilityTimeout": str(settings.VISIBILITY_S), "RedrivePolicy": json.dumps(policy)}
    return sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"], dead


@dataclass
class World:
    """One owner's view of the stores. `ahead` is how far its clock is before the real one, in seconds."""

    place: Place
    aws: dict
    ahead: float = 0.0
    ports: dict = field(default_factory=dict)

    @property
    def owner(self):
        return self.place.owner

    def now(self):
        return time.time() + self.ahead

    @property
    def ledger(self):
        return LedgerTable(Table(self.aws["dynamodb"], self.place.ledger))

    @property
    def jobs(self):
        return JobsTable(Table(self.aws["dynamodb"], self.place.jobs), self.now)

    @property
    def queues(self):
        """A sweep also meets jobs that tests of other folders left in the tables: what it sends of those is dropped."""
        strays = dict.fromkeys((verb.package for verb in CATALOG_VERBS.values()), self.place.strays)
        return strays | {"tests": self.place.queue}

    @property
    def backend(self):
        ports = {
            "transactions": TableTransactions(self.aws["dynamodb"]),
            "ledger": self.ledger,
            "jobs": self.jobs,
            "objects": Bucket(lambda: self.aws["s3"], self.place.bucket),
            "queue": Queues(lambda: self.aws["sqs"], self.queues, CATALOG_VERBS | VERBS),
        }
        return Backend(**(ports | self.ports), now=self.now)

    @property
    def calls(self):
        return Calls(self.backend, VERBS, PRICES, RETENTION_S, {})

    def later(self, seconds):
        """The same world seen from later."""
        return replace(self, ahead=self.ahead + seconds)

    def over(self, **ports):
        """The same world with some of its ports replaced."""
        return replace(self, ports=self.ports | ports)

    # ---- what callers and workers do

    def fund(self, micros):
        self.ledger.top_up(self.owner, micros)
        return self

    def wallet(self):
        return self.ledger.wallet(self.owner)

    def call(self, items, verb="test.listed", **options):
        """One call, as any door makes it."""
        caller = Caller(self.owner, "key", uuid.uuid4().hex, BASE)
        body = {"items": items} if isinstance(items, list) else dict(items)
        return asyncio.run(self.calls.run(VERBS[verb], body | options, caller))

    def job(self, items, verb="test.listed", **options):
        """The id of a job whose root waits in the queue."""
        answer = self.call(items, verb, **{"async": True}, **options)
        assert answer.status == "pending", answer
        return answer.job_id

    def planned_job(self, items, verb="test.listed", **options):
        """The id of a job whose root is worked: its slices wait in the queue."""
        job_id = self.job(items, verb, **options)
        root = self.next_part()
        assert (root.job_id, root.part_id) == (job_id, ROOT)
        self.work(root)
        return job_id

    def work(self, part):
        asyncio.run(self.calls.parts.work(part))

    def bury(self, part):
        return asyncio.run(self.calls.parts.bury(part))

    def cancel(self, job_id):
        asyncio.run(close(self.backend, job_id, "cancelled", RETENTION_S))

    def sweep(self):
        return asyncio.run(sweep(self.backend, RETENTION_S))

    def read(self, job_id, cursor=0, limit=1000):
        job = asyncio.run(self.calls.reading.job(self.owner, job_id))
        return asyncio.run(self.calls.reading.page(job, cursor, limit, BASE))

    def receive(self, url=None, visibility_s=settings.VISIBILITY_S, most=1):
        """Messages as (receipt, part)."""
        answer = self.aws["sqs"].receive_message(
            QueueUrl=url or self.place.queue, MaxNumberOfMessages=most, VisibilityTimeout=visibility_s
        )
        return [(m["ReceiptHandle"], Part.of(json.loads(m["Body"]))) for m in answer.get("Messages", [])]

    def next_part(self):
        """The part of the next message, which is taken off the queue."""
        ((receipt, part),) = self.receive()
        self.done_with(receipt)
        return part

    def done_with(self, receipt, url=None):
        self.aws["sqs"].delete_message(QueueUrl=url or self.place.queue, ReceiptHandle=receipt)

    def waiting(self, url):
        counts = self.aws["sqs"].get_queue_attributes(QueueUrl=url, AttributeNames=COUNTS)["Attributes"]
        return sum(map(int, counts.values()))

    def drain(self, *, dead_too=True):
        """Work parts, and dead letters, until there are none: what the event source mappings do."""
        deadline = time.monotonic() + DRAIN_MOST_S
        while self.waiting(self.place.queue) or (dead_too and self.waiting(self.place.dead)):
            assert time.monotonic() < deadline, "the queue never becomes empty"
            self._deliver(self.place.queue, self.work)
            if dead_too:
                self._deliver(self.place.dead, self.bury)

    def _deliver(self, url, consume):
        for receipt, part in self.receive(url, most=10):
            try:
                consume(part)
            except RuntimeError:
                # As the door does, but at once: the message shows again, and at its limit goes to the DLQ.
                self.aws["sqs"].change_message_visibility(QueueUrl=url, ReceiptHandle=receipt, VisibilityTimeout=0)
            else:
                self.done_with(receipt, url)

    # ---- what must be true after every race

    def reconciled(self, funds):
        """Facts == jobs == wallet to the micro, nothing held, every item one row; the facts by call."""
        facts = {call_id: self.ledger.markers(call_id) for call_id in sorted(self.calls_on_record())}
        for call_id, markers in facts.items():
            self._check_call(call_id, markers)
        moved = sum(marker.charge for markers in facts.values() for marker in markers)
        wallet = self.wallet()
        assert wallet.held == 0
        assert wallet.available >= 0
        assert funds - wallet.available == moved
        assert sum(fact.charge for fact in self.ledger.facts(self.owner, "2000", "3000")) == moved
        for job in self.jobs.of_owner(self.owner, "9999", 1000):
            self._check_job(job, facts[job.job_id])
        return facts

    def calls_on_record(self):
        """Every call of the owner that has a hold, a fact, or both."""
        scan = self.aws["dynamodb"].get_paginator("scan")
        pages = scan.paginate(
            TableName=self.place.ledger,
            FilterExpression="#owner = :owner",
            ExpressionAttributeNames={"#owner": "owner"},
            ExpressionAttributeValues={":owner": {"S": self.owner}},
            ConsistentRead=True,
        )
        return {item["pk"]["S"] for page in pages for item in page["Items"]}

    def _check_call(self, call_id, markers):
        hold = self.ledger.hold(call_id)
        assert not hold.open
        assert sum(marker.charge for marker in markers) <= hold.amount
        for marker in markers:
            assert marker.charge == charge(marker.units, hold.prices)
        assert self.jobs.job(call_id) or [marker.part_id for marker in markers] in ([], [INLINE])

    def _check_job(self, job, markers):
        assert (job.status, job.due_at) == ("completed", None)
        assert job.usage["charge_micros"] == sum(marker.charge for marker in markers)
        assert job.usage["units"] == total(marker.units for marker in markers)
        progress = self.jobs.progress(job.job_id)
        assert (progress.state, progress.charge) == ("closing", job.usage["charge_micros"])
        assert total([progress.units]) == job.usage["units"]
        assert progress.open_parts == 1 + sum(len(marker.children) - 1 for marker in markers)
        if job.reason == "finish":
            assert progress.open_parts == 0
        if job.positions is None:
            return
        if job.reason == "finish" and not job.error:
            assert progress.done == job.positions
        self._check_rows(job, markers)

    def _check_rows(self, job, markers):
        rows = self.rows(job.job_id)
        source = asyncio.run(self.calls.parts.source(job.job_id))
        assert [row["index"] for row in rows] == list(range(job.positions))
        assert [row["item"] for row in rows] == list(source.items.echo)
        paid = {row["item"] for row in rows if row["status"] == "success"}
        assert job.usage["units"].get(CRAWL, 0) == len(paid)
        worked = Counter(index for marker in markers for index, _ in self._stored(marker))
        assert set(worked.values()) <= {1}

    def _stored(self, marker):
        body = self.backend.objects.get(marker.result_key) if marker.result_key else None
        return json.loads(body)["rows"] if body else []

    def rows(self, job_id):
        """All rows of a job, page by page."""
        rows, page = [], self.read(job_id, 0, 100)
        while True:
            rows += page.results
            if page.next is None:
                return rows
            page = self.read(job_id, len(rows), 100)

    def statuses(self, job_id):
        return [row["status"] for row in self.rows(job_id)]

    @contextmanager
    def watched(self):
        """Inside, the wallet is read all the time, and is never negative."""
        ended = threading.Event()
        seen = []

        def watch():
            while not ended.wait(0.005):
                seen.append(self.wallet())

        with ThreadPoolExecutor(1) as pool:
            watching = pool.submit(watch)
            try:
                yield
            finally:
                ended.set()
            watching.result()
        assert all(wallet.available >= 0 and wallet.held >= 0 for wallet in seen)


def parallel(count, function):
    """Call `function(number)` in so many threads, all let loose at one moment; the results in order."""
    barrier = threading.Barrier(count)

    def run(number):
        barrier.wait()
        return function(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def codes(answers):
    """How often each outcome came: an error's code, else the status."""
    return Counter(answer.error.code if answer.error else answer.status for answer in answers)
