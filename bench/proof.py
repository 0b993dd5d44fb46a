"""The proof at length: new random runs of the call path, looking for one that breaks a promise.

The suite explores the same few hundred runs every time; this searches where it has not been. A counterexample is
shrunk, and printed with its story.
"""

import logging
import time
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings

from tests.calls.scenarios import SCENARIOS, TAPES, Scenario
from tests.calls.simulator import Simulation

RUNS = 20_000
FEW = 200


def run(*, tiny: bool = False) -> None:
    """Print how many runs held, how they ended and how fast they were; raise the first that did not hold."""
    logging.disable(logging.CRITICAL)  # executors break on purpose here, thousands of times
    seen: Counter[str] = Counter()

    @settings(max_examples=FEW if tiny else RUNS, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(SCENARIOS, TAPES)
    def explore(scenario: Scenario, tape: bytes) -> None:
        simulation = Simulation(scenario, tape)
        simulation.run()
        seen.update(_told(simulation))

    started = time.process_time()
    explore()
    took = time.process_time() - started
    _report(seen, took)


def _told(simulation: Any) -> Counter[str]:
    jobs = [item for key, item in simulation.memory.items.items() if key[0] == "job"]
    told = Counter(f"jobs that ended by {job.reason}" for job in jobs)
    told["runs"] = 1
    told["store calls, starts and ends"] = len(simulation.trace)
    told["faults"] = simulation.scenario.faults - simulation.faults
    told["functions that died"] = sum(what[1] == "killed" for what in simulation.trace)
    told["facts"] = sum(key[0] == "part" for key in simulation.memory.items)
    return told


def _report(seen: Counter[str], took: float) -> None:
    print("\n| the call path under simulated faults | |")
    print("|---|---:|")
    for what, count in sorted(seen.items()):
        print(f"| {what} | {count:,} |")
    print(f"| runs that broke a promise | {0:,} |")
    print(f"| CPU a run | {took / seen['runs'] * 1000:.1f} ms |")
