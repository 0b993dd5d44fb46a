"""Cold start: from the start of a process to its first answered call, for each function and for the yardstick.

Every call is a fresh process over the same stores; the functions take turns, so that what else the machine does
meets all of them. CPU is the process's own, of all its threads, and is hardly disturbed by a busy machine.
"""

import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import site, stores
from bench.stores import Event
from local.stack import Stack

FIRST_CALL = Path(__file__).with_name("firstcall.py")
BARE = "bare handler"
PAGE_BYTES = 16_000
ROUNDS = 15
AIM = 1.5


@dataclass
class Times:
    """What the calls of one function took, in milliseconds."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Function:
    """A handler, an event for each call of it, and how to know that it was answered."""

    handler: str
    event: Callable[[], Event]
    answered: Callable[[Any], bool]


def run(*, tiny: bool = False) -> None:
    """Print the table."""
    rounds = 1 if tiny else ROUNDS
    with stores.running() as stack, site.serving(PAGE_BYTES) as base_url:
        functions = _functions(stack, base_url, most=1 + rounds)
        environment = stores.environment(stack)
        for function in functions.values():
            _first_call(function, environment)  # compiles what was never imported on this machine
        times: dict[str, Times] = defaultdict(Times)
        for _ in range(rounds):
            for name, function in functions.items():
                wall, cpu = _first_call(function, environment)
                times[name].wall.append(wall)
                times[name].cpu.append(cpu)
    _report(times)


def _functions(stack: Stack, base_url: str, most: int) -> dict[str, Function]:
    scrape = {"urls": [f"{base_url}/first"]}
    search = {"query": "cafe", "location": "Helsinki"}
    return {
        BARE: _api("bench.bare:handler", "POST /v1/web/scrape", scrape, (200,)),
        "web.scrape, one page": _api("web_scrape.handler:handler", "POST /v1/web/scrape", scrape, (200,)),
        "web.scrape worker, a part of one page": _worker(*_parts(stack, base_url, most)),
        "web.discover": _api("web_discover.handler:handler", "POST /v1/web/discover", {"query": "cafe"}, (200, 503)),
        "maps.search": _api("maps.handler:handler", "POST /v1/maps/search", search, (200, 503)),
        "jobs, the wallet": _api("jobs.handler:handler", "GET /v1/wallet", None, (200,)),
    }


def _api(handler: str, route: str, body: Event | None, statuses: tuple[int, ...]) -> Function:
    return Function(handler, lambda: stores.request(route, body), lambda answer: answer["statusCode"] in statuses)


def _parts(stack: Stack, base_url: str, most: int) -> list[Event]:
    """Deliveries of parts of one page each; the queue here has no worker, so the jobs' roots are worked by hand."""
    environment = stores.environment(stack)
    for number in range(most):
        body = {"urls": [f"{base_url}/{number}"], "async": True}
        _first_call(_api("web_scrape.handler:handler", "POST /v1/web/scrape", body, (202,)), environment)
    for root in _received(stack, most):
        _first_call(_worker(root), environment)
    return _received(stack, most)


def _received(stack: Stack, most: int) -> list[Event]:
    found: list[Event] = []
    while len(found) < most:
        found += stores.deliveries(stack, 10)
    return found


def _worker(*deliveries: Event) -> Function:
    waiting = iter(deliveries)
    return Function("web_scrape.handler:worker", lambda: next(waiting), lambda told: told == {"batchItemFailures": []})


def _first_call(function: Function, environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU milliseconds of one fresh process."""
    event = json.dumps(function.event())
    # -P: this folder must not stand before the functions, whose names it has too.
    command = [sys.executable, "-P", str(FIRST_CALL), function.handler]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    started = time.perf_counter()
    with subprocess.Popen(command, env=environment, **pipes) as process:  # noqa: S603 - a file of this folder
        told = _last_line(process.communicate(event)[0])
    wall = (time.perf_counter() - started) * 1000
    if not function.answered(told["answer"]):
        raise RuntimeError(f"{function.handler} answered {told['answer']}")
    return wall, told["cpu_ms"]


def _last_line(output: str) -> dict[str, Any]:
    """What the child said; the lines before are its logs."""
    told: dict[str, Any] = json.loads(output.splitlines()[-1])
    return told


def _report(times: dict[str, Times]) -> None:
    base = times[BARE]
    print(f"\n| first answer of a fresh process | best | median | CPU | wall / bare (aim {AIM}) | CPU / bare |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, taken in times.items():
        best, middle, cpu = min(taken.wall), statistics.median(taken.wall), statistics.median(taken.cpu)
        wall_ratio = middle / statistics.median(base.wall)
        cpu_ratio = cpu / statistics.median(base.cpu)
        print(f"| {name} | {best:.0f} ms | {middle:.0f} ms | {cpu:.0f} ms | {wall_ratio:.2f} | {cpu_ratio:.2f} |")
