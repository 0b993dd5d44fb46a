"""Doors: what each adds to a call of one page, and what the process of MCP's takes to load.

Each door answers the same call in turn, in one warm process over the same stores; the direct call is the call path
without a door. Loading is measured in fresh processes, and beside it what the package of the protocol would add.
"""

import importlib
import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from bench import site, stores
from bench.cold import PAGE_BYTES

ROUNDS, LOADS, WARM_UP = 200, 9, 20
DIRECT = "direct: the call path, no door"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
LOADED = {
    "Python alone": "sys",
    "jobs.handler": "jobs.handler",
    "mcp_door.handler": "mcp_door.handler",
    "the package mcp, its server": "mcp.server",
}
MEASURE = (
    "import importlib, json, re, sys, time; started = time.perf_counter(), time.process_time();"
    "importlib.import_module(sys.argv[1]); ended = time.perf_counter(), time.process_time();"
    "held = int(re.search(r'VmRSS:\\s+(\\d+)', open('/proc/self/status').read())[1]) / 1024;"
    "print(json.dumps([(ended[0] - started[0]) * 1000, (ended[1] - started[1]) * 1000, held]), flush=True)"
)

Call = Callable[[dict[str, Any]], Any]


def run(*, tiny: bool = False) -> None:
    """Print both tables."""
    rounds, loads = (2, 1) if tiny else (ROUNDS, LOADS)
    with stores.running() as stack, site.serving(PAGE_BYTES) as base_url:
        environment = stores.environment(stack)
        _report_loads({name: [_load(module, environment) for _ in range(loads)] for name, module in LOADED.items()})
        command = [sys.executable, "-m", "bench.doors", base_url, str(rounds)]
        child = subprocess.run(  # noqa: S603 - this very file
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        )
    _report_calls(json.loads(child.stdout.splitlines()[-1]))


def _load(module: str, environment: dict[str, str]) -> list[float]:
    """Wall and CPU milliseconds of an import in a fresh process, and the megabytes it holds then."""
    command = [sys.executable, "-P", "-c", MEASURE, module]
    ran = subprocess.run(command, env=environment, capture_output=True, check=True)  # noqa: S603 - our own line
    told: list[float] = json.loads(ran.stdout)
    return told


def _report_loads(loads: dict[str, list[list[float]]]) -> None:
    print("\n| a process that imports | wall, best | CPU, median | memory |\n|---|---:|---:|---:|")
    for name, taken in loads.items():
        walls, times, held = zip(*taken, strict=True)
        print(
            f"| {name} | {min(walls):.0f} ms | {statistics.median(times):.0f} ms | {statistics.median(held):.0f} MB |"
        )


def _report_calls(taken: dict[str, list[list[float]]]) -> None:
    """Differences are those of calls that followed one another: what else the machine did met both."""
    base = taken[DIRECT]
    print("\n| one page, warm | p50 | over the direct call, p50 | CPU over it, mean |\n|---|---:|---:|---:|")
    for name, times in taken.items():
        middle = statistics.median(wall for wall, _ in times)
        more = statistics.median(wall - direct for (wall, _), (direct, _) in zip(times, base, strict=True))
        cpu = statistics.mean(own - direct for (_, own), (_, direct) in zip(times, base, strict=True))
        print(f"| {name} | {middle:.1f} ms | {more:+.2f} ms | {cpu:+.2f} ms |")


def _measure(base_url: str, rounds: int) -> dict[str, list[list[float]]]:
    """Wall and CPU milliseconds of every call, by door; the doors take turns."""
    doors = _doors()
    taken: dict[str, list[list[float]]] = defaultdict(list)
    for number in range(WARM_UP + rounds):
        for name, call in doors.items():
            times = _timed(call, {"urls": [f"{base_url}/{number}"]})
            if number >= WARM_UP:
                taken[name].append(times)
    return taken


def _timed(call: Call, body: dict[str, Any]) -> list[float]:
    wall, cpu = time.perf_counter(), time.process_time()
    answer = call(body)
    times = [(time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000]
    if site.SENTENCE.strip() not in json.dumps(answer):
        raise RuntimeError(answer)
    return times


def _doors() -> dict[str, Call]:
    """The same call through each door: a line a door."""
    from verbena import runtime  # noqa: PLC0415 - only the child has the environment for it
    from verbena.catalog import WEB_SCRAPE  # noqa: PLC0415
    from verbena.request import Caller  # noqa: PLC0415

    here = runtime.current()
    key = here.keys.find(stores.KEY)
    if key is None:
        raise RuntimeError("the benches' key is not there")
    caller = Caller(key.owner, key.key_id, "bench", scopes=frozenset(key.scopes))
    handlers = ("web_scrape", "mcp_door", "intake", "compat")
    rest, mcp, messages, compat = (importlib.import_module(f"{name}.handler") for name in handlers)
    return {
        DIRECT: lambda body: runtime.run(here.calls.run(WEB_SCRAPE, body, caller)).wire(),
        "REST": lambda body: rest.handler(stores.request("POST /v1/web/scrape", body), stores.Context()),
        "MCP, 2025-11-25": lambda body: mcp.handler(_message(body), stores.Context()),
        "MCP, 2026-07-28": lambda body: mcp.handler(_message(body, _meta=META), stores.Context()),
        "Firecrawl's scrape": lambda body: compat.handler(
            stores.request("POST /v2/scrape", {"url": body["urls"][0]}), stores.Context()
        ),
        "Tavily's extract": lambda body: compat.handler(stores.request("POST /extract", body), stores.Context()),
        "message, by invoking": lambda body: messages.invoke(
            {"verb": WEB_SCRAPE.name, "input": body, "key_id": key.key_id}, stores.Context(uuid.uuid4().hex)
        ),
    }


def _message(arguments: dict[str, Any], **meta: Any) -> stores.Event:
    params = {"name": "web_scrape", "arguments": arguments, **meta}
    event = stores.request("POST /mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    version = {"mcp-protocol-version": "2026-07-28" if meta else "2025-11-25"}
    return event | {"headers": event["headers"] | version | {"mcp-method": "tools/call", "mcp-name": "web_scrape"}}


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], int(sys.argv[2]))), flush=True)
    os._exit(0)
