"""Memory of a worker: what its process holds after five hundred pages, and after five thousand.

A child process works a job's parts one after another, as a worker does that is never replaced. The pages differ in
their addresses only, so what grows is what the worker keeps.
"""

import importlib
import os
import subprocess
import sys

from bench import cpu, site, stores
from bench.cold import PAGE_BYTES

PAGES = 5000
EVERY = 500
PART = 10


def run(*, tiny: bool = False) -> None:
    """Print the table."""
    pages, every = (40, 20) if tiny else (PAGES, EVERY)
    with stores.running() as stack, site.serving(PAGE_BYTES) as base_url:
        command = [sys.executable, "-m", "bench.memory", base_url, str(pages), str(every)]
        child = subprocess.run(  # noqa: S603 - this very file
            command, env=stores.environment(stack), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        )
    samples = [line.split() for line in child.stdout.decode().splitlines() if line.startswith("pages ")]
    resident = {int(pages): int(size) / 2**20 for _, pages, size in samples}
    first, last = min(resident), max(resident)
    print("\n| pages read by one worker | memory held |\n|---:|---:|")
    for done, megabytes in resident.items():
        print(f"| {done} | {megabytes:.1f} MB |")
    print(f"\nGrowth from {first} to {last} pages: {resident[last] - resident[first]:+.1f} MB.")


def _work(base_url: str, pages: int, every: int) -> None:
    """Post a job and work all of its parts, saying from time to time what is held."""
    scrape = importlib.import_module("web_scrape.handler")
    queues = importlib.import_module("verbena.runtime").current().queues
    sqs, url = queues.connect(), queues.urls["web_scrape"]
    body = {"urls": [f"{base_url}/{number}" for number in range(pages)], "async": True}
    scrape.handler(stores.request("POST /v1/web/scrape", body), stores.Context())
    done = -PART  # the first part is the plan
    while done < pages:
        for message in sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=1).get("Messages", []):
            scrape.worker(stores.delivery(message), stores.Context())
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            done += PART
            if done and done % every == 0:
                print(f"pages {done} {cpu.resident_bytes(os.getpid())}", flush=True)


if __name__ == "__main__":
    _work(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    os._exit(0)
