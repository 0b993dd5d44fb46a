"""The simulator is worth what it catches: each line that carries the protocol is changed, and must turn it red."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.calls.callpath import Change, loaded
from tests.calls.invariants import Violation
from tests.calls.scenarios import CONTENDED, SCENARIOS, TAPES
from tests.calls.simulator import Simulation

# The rarest of these is found once in some hundred runs.
RUNS = 3000

MUTATIONS = {
    "a refusal counts although the item is one's own": Change(
        "ports",
        "if refused and await self.io(mine, *arguments):",
        "if False:",
    ),
    "a lost reply counts as a refusal": Change(
        "ports",
        "            if await self.io(mine, *arguments):",
        "            if False:",
    ),
    "the balance is not compared": Change(
        "memory.ledger",
        "wallet.available >= net and",
        "",
    ),
    "a charge is not capped at what was held": Change(
        "execution",
        "capped(total([portion.units, *own]), times(bound, len(answers)))",
        "total([portion.units, *own])",
    ),
    "what was not spent stays held": Change(
        "memory.ledger",
        "wallet.held - held",
        "wallet.held - charge",
    ),
    "a takeover leaves the old hold's money": Change(
        "calls",
        "released = old.amount if old else 0",
        "released = 0",
    ),
    "a call whose key was taken over ends all the same": Change(
        "memory.jobs",
        'return put("record", _record_key(record), record, _names(record.call_id))',
        'return put("record", _record_key(record), record, bool)',
    ),
    "converting leaves the hold its expiry": Change(
        "calls",
        "writes.append(backend.ledger.keep_hold(request.call_id))",
        "pass",
    ),
    "the sweeper does not compare the expiry": Change(
        "memory.ledger",
        "and hold.expires_at in {None, item and item.expires_at}",
        "",
    ),
    "a part may have two markers": Change(
        "memory.ledger",
        'put("marker", ("part", marker.call_id, marker.part_id), marker)',
        'put("marker", ("part", marker.call_id, marker.part_id), marker, lambda _: True)',
    ),
    "a late part still counts": Change(
        "memory.jobs",
        "_is_counting, advanced)",
        "bool, advanced)",
    ),
    "closing leaves the progress running": Change(
        "closing",
        "        backend.jobs.stop_progress(job_id, open_parts),\n",
        "",
    ),
    "a job ends with a part open": Change(
        "parts",
        "progress.open_parts == 0:\n            "
        'await close(backend, job.job_id, "finish", self.retention_s, open_parts=0)',
        'progress.open_parts <= 1:\n            await close(backend, job.job_id, "finish", self.retention_s)',
    ),
    "who finds a marker leaves its children to others": Change(
        "parts",
        "            await self.follow(job, part, marker)\n            return None",
        "            return None",
    ),
    "the plan counts as sent before it is": Change(
        "parts",
        "            await self._send(job, part, marker)\n            if is_root:\n"
        "                await backend.io(backend.jobs.mark_planned, job)\n",
        "            if is_root:\n                await backend.io(backend.jobs.mark_planned, job)\n"
        "            await self._send(job, part, marker)\n",
    ),
    "two deliveries write the same object": Change(
        "parts",
        "result_key(job.job_id, part_id, backend.new_id(),",
        'result_key(job.job_id, part_id, "",',
    ),
}
CONTENDED_ONLY = {"a call whose key was taken over ends all the same", "the sweeper does not compare the expiry"}


@pytest.mark.parametrize("name", MUTATIONS)
def test_the_simulator_catches_that(name):
    path = loaded(MUTATIONS[name])

    @settings(
        max_examples=RUNS,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(CONTENDED if name in CONTENDED_ONLY else SCENARIOS, TAPES)
    def explore(scenario, tape):
        Simulation(scenario, tape, path).run()

    with pytest.raises(Violation):
        explore()


def test_a_change_of_a_line_that_is_not_there_is_no_mutation():
    with pytest.raises(AssertionError, match="is not once in closing"):
        loaded(Change("closing", "no such line", ""))
