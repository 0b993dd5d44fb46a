"""A job of two thousand pages against the same work written by hand, on one MiniStack with four workers each.

Both read the same pages with the same code, keep the rows and count them; the product also holds, bills, orders and
survives. A job begins with the request and ends when all of it is done. CPU is that of every process that took part:
MiniStack, workers, site and client.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from bench import byhand, cpu, site
from bench.stores import KEY, SETTINGS
from local import seed
from local.stack import WORKER_CONCURRENCY, Stack

PAGES = 2000
# The more there is to read, the less shows of everything else; pages of the web have 166 KB on average.
PAGE_BYTES = (2_000, 16_000)
ROUNDS = 3
EVERY_S = 0.05
PATIENCE_S = 120.0
AIM = 1.3


@dataclass(frozen=True)
class Taken:
    """Wall and CPU seconds of one job."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Place:
    """Where both sides work; `queue` is the one by hand."""

    stack: Stack
    dynamodb: Any
    sqs: Any
    queue: str


def run(*, tiny: bool = False) -> None:
    """Print a table for each size of page."""
    pages, rounds = (20, 1) if tiny else (PAGES, ROUNDS)
    for size in PAGE_BYTES[:1] if tiny else PAGE_BYTES:
        _compare(size, pages, rounds)


def _compare(size: int, pages: int, rounds: int) -> None:
    hand: list[Taken] = []
    ours: list[Taken] = []
    with site.serving(size) as base_url, Stack(settings=SETTINGS) as stack:
        seed.seed(stack, KEY)
        place = _place(stack)
        urls = [f"{base_url}/page/{number}" for number in range(pages)]
        first_ours = _measured(lambda: _job(place, urls))
        with ExitStack() as consuming:
            first_hand = _measured(partial(_first_by_hand, place, urls, consuming))
            for _ in range(rounds):
                hand.append(_measured(lambda: _by_hand(place, urls)))
                ours.append(_measured(lambda: _job(place, urls)))
    print(f"\n| {pages} pages of {size // 1000} KB | by hand | Verbena | ratio (aim {AIM}) |\n|---|---:|---:|---:|")
    _line("wall, workers warm, median", *(statistics.median(t.wall for t in side) for side in (hand, ours)))
    _line("CPU, workers warm, median", *(statistics.median(t.cpu for t in side) for side in (hand, ours)))
    _line("wall, first job, workers started in it", first_hand.wall, first_ours.wall)
    _line("CPU, first job", first_hand.cpu, first_ours.cpu)


def _place(stack: Stack) -> Place:
    sqs = stack.client("sqs")
    return Place(stack, stack.client("dynamodb"), sqs, sqs.create_queue(QueueName="byhand")["QueueUrl"])


def _line(name: str, hand: float, ours: float) -> None:
    print(f"| {name} | {hand:.2f} s | {ours:.2f} s | {ours / hand:.2f} |")


def _measured(work: Callable[[], object]) -> Taken:
    cpu_before, started = cpu.of_family(), time.perf_counter()
    work()
    return Taken(time.perf_counter() - started, cpu.of_family() - cpu_before)


def _job(place: Place, urls: list[str]) -> None:
    """Post the job as any caller does; its row says when it is over."""
    body = {"urls": urls, "async": True}
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = httpx.post(f"{place.stack.base_url}/v1/web/scrape", json=body, headers=headers, timeout=40)
    key = {"pk": {"S": answer.raise_for_status().json()["job_id"]}, "sk": {"S": "job"}}
    row = _awaited(place, "JobsTable", key, lambda item: item["status"]["S"] == "completed")
    units = row["usage"]["M"]["units"]["M"]["web_crawl"]["N"]
    if units != str(len(urls)):
        raise RuntimeError(f"{units} of {len(urls)} pages were read")


def _by_hand(place: Place, urls: list[str]) -> None:
    """Submit, and wait for the counter to have moved by as much."""
    table, key = place.stack.deployment.outputs["ConfigTable"], byhand.counter(place.queue)
    before = place.dynamodb.get_item(TableName=table, Key=key).get("Item", {}).get("done", {"N": "0"})["N"]
    byhand.submit(place.sqs, place.queue, urls)
    _awaited(place, "ConfigTable", key, lambda item: int(item["done"]["N"]) >= int(before) + len(urls))


def _first_by_hand(place: Place, urls: list[str], consuming: ExitStack) -> None:
    consuming.enter_context(_consumers(place))
    _by_hand(place, urls)


def _awaited(place: Place, table: str, key: dict[str, Any], done: Callable[[Any], bool]) -> Any:
    """The item once `done` is true of it."""
    name = place.stack.deployment.outputs[table]
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        item = place.dynamodb.get_item(TableName=name, Key=key, ConsistentRead=True).get("Item")
        if item and done(item):
            return item
        time.sleep(EVERY_S)
    raise TimeoutError(f"{key} was not done in {PATIENCE_S:.0f} s")


@contextmanager
def _consumers(place: Place) -> Iterator[None]:
    """As many consumers as the product has workers."""
    table = place.stack.deployment.outputs["ConfigTable"]
    command = [sys.executable, "-P", str(Path(byhand.__file__)), place.queue, table]
    started = [subprocess.Popen(command, env=place.stack.env) for _ in range(WORKER_CONCURRENCY)]  # noqa: S603
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()
