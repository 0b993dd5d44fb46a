"""A job of two thousand pages against the same work written by hand, on one MiniStack with four workers each.

Both read the same pages with the same code, put the rows into S3 and count in DynamoDB; the product also holds,
bills, orders and survives. A job begins with the request and ends when it is completed, here as by hand. CPU is that
of every process that took part: MiniStack, workers, site and client.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from bench import byhand, cpu, site
from bench.stores import KEY, SETTINGS
from local import seed
from local.stack import WORKER_CONCURRENCY, Stack

PAGES = 2000
PAGE_BYTES = 16_000
ROUNDS = 5
EVERY_S = 0.02
PATIENCE_S = 120.0
AIM = 1.3


@dataclass(frozen=True)
class Taken:
    """Wall and CPU seconds of one job."""

    wall: float
    cpu: float


def run(*, tiny: bool = False) -> None:
    """Print the table."""
    pages, rounds = (20, 1) if tiny else (PAGES, ROUNDS)
    hand: list[Taken] = []
    ours: list[Taken] = []
    with site.serving(PAGE_BYTES) as base_url, Stack(settings=SETTINGS) as stack:
        seed.seed(stack, KEY)
        urls = [f"{base_url}/page/{number}" for number in range(pages)]
        first_ours = _measured(lambda: _job(stack, urls))
        with ExitStack() as consuming:
            queue = _queue(stack)
            first_hand = _measured(lambda: _by_hand(stack, consuming.enter_context(_consumers(stack, queue)), urls))
            for _ in range(rounds):
                hand.append(_measured(lambda: _by_hand(stack, queue, urls)))
                ours.append(_measured(lambda: _job(stack, urls)))
    print(f"\n| {pages} pages | by hand | Verbena | ratio (aim {AIM}) |\n|---|---:|---:|---:|")
    _line("wall, workers warm, best", min(taken.wall for taken in hand), min(taken.wall for taken in ours))
    _line("wall, workers warm, median", *(statistics.median(t.wall for t in side) for side in (hand, ours)))
    _line("CPU, workers warm, median", *(statistics.median(t.cpu for t in side) for side in (hand, ours)))
    _line("wall, first job, workers started in it", first_hand.wall, first_ours.wall)
    _line("CPU, first job", first_hand.cpu, first_ours.cpu)


def _line(name: str, hand: float, ours: float) -> None:
    print(f"| {name} | {hand:.2f} s | {ours:.2f} s | {ours / hand:.2f} |")


def _measured(work: Callable[[], None]) -> Taken:
    cpu_before, started = cpu.of_family(), time.perf_counter()
    work()
    return Taken(time.perf_counter() - started, cpu.of_family() - cpu_before)


def _job(stack: Stack, urls: list[str]) -> None:
    """Post the job as any caller does; its row says when it is over."""
    body = {"urls": urls, "async": True}
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = httpx.post(f"{stack.base_url}/v1/web/scrape", json=body, headers=headers, timeout=40)
    job_id = answer.raise_for_status().json()["job_id"]
    key = {"pk": {"S": job_id}, "sk": {"S": "job"}}
    row = _awaited(stack, "JobsTable", key, lambda item: item["status"]["S"] == "completed")
    units = row["usage"]["M"]["units"]["M"]["web_crawl"]["N"]
    if units != str(len(urls)):
        raise RuntimeError(f"{units} of {len(urls)} pages were read")


def _by_hand(stack: Stack, queue: str, urls: list[str]) -> None:
    """Submit, and wait for the counter to have moved by as much."""
    dynamodb, table = stack.client("dynamodb"), stack.deployment.outputs["ConfigTable"]
    key = byhand.counter(queue)
    before = dynamodb.get_item(TableName=table, Key=key).get("Item", {}).get("done", {"N": "0"})["N"]
    byhand.submit(stack.client("sqs"), queue, urls)
    goal = int(before) + len(urls)
    _awaited(stack, "ConfigTable", key, lambda item: int(item["done"]["N"]) >= goal)


def _awaited(stack: Stack, table: str, key: dict[str, Any], done: Callable[[Any], bool]) -> Any:
    """The item once `done` is true of it."""
    dynamodb, name = stack.client("dynamodb"), stack.deployment.outputs[table]
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        item = dynamodb.get_item(TableName=name, Key=key, ConsistentRead=True).get("Item")
        if item and done(item):
            return item
        time.sleep(EVERY_S)
    raise TimeoutError(f"{key} was not done in {PATIENCE_S:.0f} s")


def _queue(stack: Stack) -> str:
    url: str = stack.client("sqs").create_queue(QueueName="byhand")["QueueUrl"]
    return url


@contextmanager
def _consumers(stack: Stack, queue: str) -> Iterator[str]:
    """As many consumers as the product has workers; the queue, for convenience."""
    outputs = stack.deployment.outputs
    command = [
        sys.executable,
        "-P",
        str(Path(byhand.__file__)),
        queue,
        outputs["ResultsBucket"],
        outputs["ConfigTable"],
    ]
    started = [subprocess.Popen(command, env=stack.env) for _ in range(WORKER_CONCURRENCY)]  # noqa: S603
    try:
        yield queue
    finally:
        for process in started:
            process.kill()
            process.wait()
