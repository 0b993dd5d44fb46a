"""Whatever dies, repeats, arrives late or runs at once: every promise of the call path holds at every moment."""

import os

from hypothesis import HealthCheck, Phase, given, settings

from tests.calls.scenarios import SCENARIOS, TAPES
from tests.calls.simulator import Simulation

RUNS = int(os.environ.get("VERBENA_SIMULATIONS", "500"))


@settings(
    max_examples=RUNS,
    # The suite explores the same worlds every time; a longer search looks for new ones.
    derandomize=RUNS == 500,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
)
@given(SCENARIOS, TAPES)
def test_every_call_and_job_ends_with_its_rows_and_a_bill_that_adds_up(scenario, tape):
    """A34, A37, D03, D05"""
    Simulation(scenario, tape).run()
