"""What the engine costs: CPU of a search over that of the bare calls it makes, of the same vendors, in one run.

Vendors are the suite's doubles, in a process of their own. CPU is this process's, of all its threads.
"""

import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from tests.doubles import running
from tests.net.serving import LOOPBACK
from verbena import apis, net
from verbena.capability import Call
from verbena.catalog.web import DiscoverInput
from verbena.engine import Engine
from verbena.memory.providers import ProvidersMemory
from verbena.providers import ProviderRow, Setup, VendorRequest, VendorResponse
from web_discover.drivers import DRIVERS
from web_discover.executor import discover_with

ROUNDS = 400
WARM_UP = 40
QUERY = DiscoverInput(query="heat pump noise limits", top_k=10)
LIMITED, SERVES = "brave", "tavily"
SCRIPTS = {LIMITED: "rate_limited", SERVES: "success"}
DRIVER = {driver.name: driver for driver in DRIVERS}
Turn = Callable[[], Awaitable[object]]


def run(*, tiny: bool = False) -> None:
    """Print the table."""
    rounds = 2 if tiny else ROUNDS
    with _vendors() as vendors:
        taken = asyncio.run(_measure(vendors, rounds))
    print("\n| one search of ten hits | CPU, mean | over its bare calls | wall, median |")
    print("|---|---:|---:|---:|")
    base = {name: statistics.mean(cpu for _, cpu in times) for name, times in taken.items()}
    for name, times in taken.items():
        over = base[name] - base[BARE_OF.get(name, name)]
        wall = statistics.median(wall for wall, _ in times)
        print(f"| {name} | {base[name]:.2f} ms | {f'+{over:.2f} ms' if name in BARE_OF else ''} | {wall:.1f} ms |")


ONE, ONE_BARE = "a search", "its call alone, and its JSON"
TWO, TWO_BARE = "a search whose first vendor is rate limited", "its two calls alone, and their JSON"
BARE_OF = {ONE: ONE_BARE, TWO: TWO_BARE}


async def _measure(vendors: Mapping[str, Any], rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Wall and CPU milliseconds of every turn, by name."""
    async with net.Client(LOOPBACK) as client:

        async def send(request: VendorRequest, *, is_own: bool) -> VendorResponse:  # noqa: ARG001 - the port's words
            return await apis.sent(client, request)

        engine_of = {ONE: _engine([SERVES], vendors, send), TWO: _engine([LIMITED, SERVES], vendors, send)}
        turns: dict[str, Turn] = {
            ONE_BARE: lambda: _bare([SERVES], vendors, client),
            ONE: lambda: _search(engine_of[ONE]),
            TWO_BARE: lambda: _bare([LIMITED, SERVES], vendors, client),
            TWO: lambda: _search(engine_of[TWO]),
        }
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in turns}
        for number in range(WARM_UP + rounds):
            for name, turn in turns.items():
                times = await _timed(turn)
                if number >= WARM_UP:
                    taken[name].append(times)
    return taken


def _engine(names: list[str], vendors: Mapping[str, Any], send: Any) -> Engine:
    rows = [ProviderRow(name, name, priority=place) for place, name in enumerate(names)]
    secrets = {name: value for vendor in vendors.values() for name, value in vendor["key"].items()}
    return Engine(ProvidersMemory(lambda: rows, secrets.get), send, {name: vendors[name]["url"] for name in vendors})


async def _bare(names: list[str], vendors: Mapping[str, Any], client: net.Client) -> None:
    for name in names:
        setup = Setup(vendors[name]["url"], vendors[name]["key"], {}, QUERY.top_k, datetime.now(UTC).date())
        request = DRIVER[name].request(QUERY, setup)
        assert isinstance(request, VendorRequest)  # noqa: S101 - the query is one that every vendor takes
        response = await apis.sent(client, request)
        assert response.json  # noqa: S101 - reading the JSON is part of the call


async def _search(engine: Engine) -> None:
    call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 10, run=_no_other_verb)
    portion = await discover_with(engine, DRIVERS, QUERY, call)
    if len(portion.answers) != QUERY.top_k:
        raise RuntimeError(portion.attempts)


async def _no_other_verb(name: str, arguments: object) -> Any:
    raise RuntimeError(name, arguments)


async def _timed(turn: Turn) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    await turn()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000


@contextlib.contextmanager
def _vendors() -> Iterator[Mapping[str, Any]]:
    """Where the doubles are and what they take as a credential, by name."""
    command = [sys.executable, "-m", "bench.discover"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603
        told = child.stdout.readline() if child.stdout else ""
        try:
            yield json.loads(told)
        finally:
            child.communicate()


def _serve() -> None:
    """Print where the doubles are, then serve until standard input ends."""
    with contextlib.ExitStack() as stack:
        doubles = {name: stack.enter_context(running(name)) for name in SCRIPTS}
        for name, script in SCRIPTS.items():
            doubles[name].will(script)
        print(json.dumps({n: {"url": d.base_url, "key": d.key} for n, d in doubles.items()}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    _serve()
