"""What a million URLs cost on AWS, as jobs of web.scrape: quantities of a real job, counted, times list prices.

A child process works a whole job over MiniStack, whose DynamoDB says how many units a request takes by the rules of
the real one. What no bench can measure is assumed, and stands as a number above the code: how long a part waits for
the slowest of its ten sites, how often a caller looks at a job, and that a core of Lambda is as fast as this one.
"""

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from bench import prices, site, stores
from bench.pages import average

JOB = 2000
PART = 10
PAGE_BYTES = 2000
MEMORY_MB = 1024
WAIT_S = 1.0
WAITS_S = (0.5, 1.0, 2.0)
POLLS, ROWS = 20, 100
API_S, API_MEMORY_MB = 0.1, 512
# What Lambda logs itself of an invocation, in JSON: its start and its report.
PLATFORM_BYTES = 700 + 2 * prices.LOGS_LINE_BYTES
AIM = 3.5

Line = tuple[str, str, float]


def run(*, tiny: bool = False) -> None:
    """Print the table."""
    pages = 20 if tiny else JOB
    with stores.running() as stack, site.serving(PAGE_BYTES) as base_url:
        command = [sys.executable, "-m", "bench.cost", base_url, str(pages)]
        child = subprocess.run(  # noqa: S603 - this very file
            command, env=stores.environment(stack), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        )
    *logged, last = child.stdout.splitlines()
    billed = json.loads(last)
    read = average(PAGE_BYTES, tiny=tiny)
    billed["log bytes"] = sum(len(line) + prices.LOGS_LINE_BYTES for line in logged)
    billed["stored bytes"] += read.content_bytes * pages
    cpu_s = billed["cpu s"] / billed["parts"] + PART * read.ms / 1000
    print(f"\nA part of ten pages takes {cpu_s * 1000:.0f} ms of CPU; {read.ms:.1f} ms a page to read ({read.pages}).")
    _report({name: count / pages * prices.MILLION for name, count in billed.items()}, cpu_s)


def _report(million: dict[str, float], cpu_s: float) -> None:
    rest = [*_storage(million), *_around(million)]
    lines = [*_compute(million["parts"], cpu_s, WAIT_S, MEMORY_MB), *rest]
    print(f"\n| a million URLs, jobs of {JOB:,} | quantity x price | $ |\n|---|---|---:|")
    for name, arithmetic, dollars in lines:
        print(f"| {name} | {arithmetic} | {dollars:.3f} |")
    print(f"| **all** (aim {AIM}) | | **{_sum(lines):.2f}** |")
    print(f"\n| a part waits for its sites | worker of {MEMORY_MB} MB | of {MEMORY_MB // 2} MB |\n|---:|---:|---:|")
    for wait_s in WAITS_S:
        all_in = [
            _sum([*_compute(million["parts"], cpu_s, wait_s, memory), *rest]) for memory in (MEMORY_MB, MEMORY_MB // 2)
        ]
        print(f"| {wait_s} s | ${all_in[0]:.2f} | ${all_in[1]:.2f} |")


def _sum(lines: Iterable[Line]) -> float:
    return sum(dollars for _, _, dollars in lines)


def _compute(parts: float, cpu_s: float, wait_s: float, memory_mb: int) -> Iterator[Line]:
    """Waiting and working are added, though a part reads its first pages while it waits for the last."""
    share = memory_mb / prices.VCPU_MEMORY_MB
    seconds = wait_s + cpu_s / share
    how = f"{parts:,.0f} parts x ({wait_s} s waiting + {cpu_s / share:.2f} s at {share:.2f} vCPU) x {memory_mb} MB"
    dollars = parts * seconds * memory_mb / 1024 * prices.LAMBDA_GB_SECOND
    yield "Lambda, workers' time", f"{how} x ${prices.LAMBDA_GB_SECOND:.10f} a GB-s", dollars
    yield _priced("Lambda, workers' invocations", parts, prices.LAMBDA_REQUEST)


def _storage(million: dict[str, float]) -> Iterator[Line]:
    yield _priced("DynamoDB, write units", million["write units"], prices.DYNAMODB_WRITE_UNIT)
    yield _priced("DynamoDB, read units", million["read units"], prices.DYNAMODB_READ_UNIT)
    yield _priced("S3, puts", million["puts"], prices.S3_PUT)
    yield _priced("S3, gets, rows read once", million["gets"] + million["parts"], prices.S3_GET)
    gigabytes = million["stored bytes"] / prices.GB
    yield "S3, rows kept 30 days", f"{gigabytes:.1f} GB x ${prices.S3_GB_MONTH}", gigabytes * prices.S3_GB_MONTH


def _around(million: dict[str, float]) -> Iterator[Line]:
    requests = million["sends"] + 2 * million["parts"]
    yield _priced("SQS, sends, receives, deletes", requests, prices.SQS_REQUEST + prices.SQS_FAIR)
    gigabytes = (million["log bytes"] + million["parts"] * PLATFORM_BYTES) / prices.GB
    yield "CloudWatch Logs", f"{gigabytes:.2f} GB x ${prices.LOGS_GB:.2f}", gigabytes * prices.LOGS_GB
    jobs = prices.MILLION / JOB
    answers = -(-million["stored bytes"] / jobs // prices.API_CHUNK_BYTES) * jobs
    yield _priced("API Gateway, posts, polls, rows", jobs * (1 + POLLS) + answers, prices.API_REQUEST)
    calls = jobs * (1 + POLLS + JOB / ROWS)
    own = calls * (API_S * API_MEMORY_MB / 1024 * prices.LAMBDA_GB_SECOND + prices.LAMBDA_REQUEST)
    yield "Lambda, the API's", f"{calls:,.0f} calls x {API_S} s x {API_MEMORY_MB} MB", own


def _priced(name: str, quantity: float, price: float) -> Line:
    return name, f"{quantity:,.0f} x ${price * prices.MILLION:.3f} a million", quantity * price


def _work(base_url: str, pages: int) -> dict[str, Any]:
    """Post a job, work all of its parts, and say what was billed."""
    scrape = importlib.import_module("web_scrape.handler")
    meter = importlib.import_module("bench.meter").Meter()
    queues = importlib.import_module("verbena.runtime").current().queues
    sqs, url = queues.connect(), queues.urls["web_scrape"]
    body = {"urls": [f"{base_url}/{number}" for number in range(pages)], "async": True}
    scrape.handler(stores.request("POST /v1/web/scrape", body), stores.Context())
    parts, spent = 0, 0.0
    while parts <= -(-pages // PART):
        for message in sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=1).get("Messages", []):
            started = time.process_time()
            scrape.worker(stores.delivery(message), stores.Context())
            spent += time.process_time() - started
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            parts += 1
    return {**meter.billed, "parts": parts, "cpu s": spent}


if __name__ == "__main__":
    told = _work(sys.argv[1], int(sys.argv[2]))
    print(json.dumps(told), flush=True)
    os._exit(0)
