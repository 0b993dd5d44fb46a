"""Whatever dies, repeats, arrives late or runs at once: every promise of the call path holds at every moment."""

from hypothesis import HealthCheck, given, settings

from tests.calls.scenarios import SCENARIOS, TAPES
from tests.calls.simulator import Simulation


# The same runs every time; `python -m bench proof` looks for new ones.
@settings(
    max_examples=1000,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
)
@given(SCENARIOS, TAPES)
def test_every_call_and_job_ends_with_its_rows_and_a_bill_that_adds_up(scenario, tape):
    """A34, A37, D03, D05"""
    simulation = Simulation(scenario, tape)

    simulation.run()

    assert simulation.watch.all_ended()
