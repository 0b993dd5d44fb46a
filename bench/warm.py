"""Warm calls: what a call costs once its process runs, one page and three, beside the yardstick's one write.

All handlers live in one child process and take turns there, over the same stores. CPU is that process's, of all its
threads; MiniStack and the site are processes of their own.
"""

import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from typing import Any

from bench import site, stores
from bench.cold import BARE, PAGE_BYTES

ROUNDS = 200
WARM_UP = 20
CALLS = {"web.scrape, one page": 1, "web.scrape, three pages": 3}
SCRAPE = "POST /v1/web/scrape"


def run(*, tiny: bool = False) -> None:
    """Print the table."""
    rounds = 2 if tiny else ROUNDS
    with stores.running() as stack, site.serving(PAGE_BYTES) as base_url:
        command = [sys.executable, "-m", "bench.warm", base_url, str(rounds)]
        child = subprocess.run(  # noqa: S603 - this very file
            command, env=stores.environment(stack), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        )
    _report(json.loads(child.stdout.splitlines()[-1]))


def _report(taken: dict[str, list[list[float]]]) -> None:
    base = _typical(taken[BARE])
    print("\n| one call of a warm function | wall, median | CPU, mean | wall / bare | CPU / bare |")
    print("|---|---:|---:|---:|---:|")
    for name, times in taken.items():
        wall, cpu = _typical(times)
        print(f"| {name} | {wall:.1f} ms | {cpu:.1f} ms | {wall / base[0]:.1f} | {cpu / base[1]:.1f} |")


def _typical(times: list[list[float]]) -> tuple[float, float]:
    return statistics.median(wall for wall, _ in times), statistics.mean(cpu for _, cpu in times)


def _measure(base_url: str, rounds: int) -> dict[str, list[list[float]]]:
    """Wall and CPU milliseconds of every call, by name."""
    bare = importlib.import_module("bench.bare").handler
    ours = importlib.import_module("web_scrape.handler").handler
    bodies = {name: {"urls": [f"{base_url}/{number}" for number in range(pages)]} for name, pages in CALLS.items()}
    taken: dict[str, list[list[float]]] = defaultdict(list)
    for number in range(WARM_UP + rounds):
        turns = [(BARE, bare, {}), *((name, ours, body) for name, body in bodies.items())]
        for name, handler, body in turns:
            times = _timed(handler, stores.request(SCRAPE, body))
            if number >= WARM_UP:
                taken[name].append(times)
    return taken


def _timed(handler: Any, event: stores.Event) -> list[float]:
    wall, cpu = time.perf_counter(), time.process_time()
    answer = handler(event, stores.Context())
    times = [(time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000]
    if answer["statusCode"] != 200:  # noqa: PLR2004 - OK
        raise RuntimeError(answer["body"])
    return times


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], int(sys.argv[2]))), flush=True)
    os._exit(0)
