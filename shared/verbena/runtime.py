"""The composition root: settings become stores, stores become the call path; one event loop per process."""

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from verbena import settings
from verbena.aws import clients
from verbena.aws.connections import Connections
from verbena.aws.jobs import JobsTable
from verbena.aws.keys import Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.metrics import CloudWatch
from verbena.aws.objects import Bucket
from verbena.aws.pages import KeptPages
from verbena.aws.post import Post
from verbena.aws.providers import Providers
from verbena.aws.queue import Queues
from verbena.aws.slots import Slots
from verbena.aws.table import Table
from verbena.aws.transact import TableTransactions
from verbena.aws.vault import Vault
from verbena.billing import price_book
from verbena.calls import Calls
from verbena.capability import Capability, Services
from verbena.catalog import VERBS
from verbena.ports import Backend
from verbena.rates import Rate
from verbena.settings import Settings

T = TypeVar("T")

DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Runtime:
    """Everything a door works with. `rate` is the limit of keys that have none of their own."""

    settings: Settings
    verbs: Mapping[str, Capability]
    calls: Calls
    ledger: LedgerTable
    jobs: JobsTable
    queues: Queues
    keys: Keys
    slots: Slots
    providers: Providers
    post: Post
    rate: Rate | None


def build(chosen: Settings, verbs: Mapping[str, Capability] = VERBS) -> Runtime:
    """Wire the stores that some settings name; opens no connection but DynamoDB's client."""
    dynamodb = clients.client("dynamodb")
    ledger = LedgerTable(Table(dynamodb, chosen.ledger_table))
    jobs = JobsTable(Table(dynamodb, chosen.jobs_table))
    config = Table(dynamodb, chosen.config_table)
    slots = Slots(config)
    vault = Vault(lambda: clients.client("kms"), chosen.master_key)
    providers = Providers(config, Connections(config, vault), slots)
    bodies = Bucket(lambda: clients.client("s3"), chosen.results_bucket, "application/zstd")
    pages = KeptPages(jobs.table, bodies, min(settings.PAGES_KEPT_S, chosen.retention_days * DAY_S))
    post = Post(lambda: clients.client("sqs"))
    queues = Queues(lambda: clients.client("sqs"), chosen.queues, verbs)
    backend = Backend(
        transactions=TableTransactions(dynamodb),
        ledger=ledger,
        jobs=jobs,
        objects=Bucket(lambda: clients.client("s3"), chosen.results_bucket),
        queue=queues,
        tally=CloudWatch(),
        services=Services(book=providers, pages=pages),
    )
    calls = Calls(
        backend=backend,
        verbs=verbs,
        prices=price_book(chosen.prices) if chosen.billing else None,
        retention_s=chosen.retention_days * DAY_S,
        inline_limits=chosen.inline_limits,
    )
    rate = Rate.of(chosen.rate_limit) if chosen.rate_limit else None
    return Runtime(chosen, verbs, calls, ledger, jobs, queues, Keys(config), slots, providers, post, rate)


@cache
def current() -> Runtime:
    """The runtime of this process, made on first use."""
    return build(settings.current())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One loop for the life of the process, so that connections outlive an invocation."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="loop", daemon=True).start()
    return loop


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the process's loop from synchronous code; a hop costs 40-90 us."""
    return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()
