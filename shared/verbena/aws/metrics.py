"""What CloudWatch counts: lines of the log in its embedded metric format, printed by Powertools.

Few, because each name under each set of dimensions costs 0.30 USD a month: calls and their latency by verb and
status; rows by status; jobs by how they ended; parts that failed every try; attempts and their latency by provider
and outcome, and how many calls the first provider in order did not serve.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from verbena.envelope import Answered, Attempt, JsonRow
from verbena.jobs import Reason

# Named here and not by the environment, because the alarms of the template rest on it.
NAMESPACE: Final = "Verbena"
SERVICE: Final = "verbena"
ROWS: Final[Mapping[str, str]] = {"success": "RowsSuccess", "empty": "RowsEmpty", "failed": "RowsFailed"}
JOBS: Final[Mapping[Reason, str]] = {
    "finish": "JobsFinished",
    "cancelled": "JobsCancelled",
    "deadline": "JobsPastDeadline",
}


class CloudWatch:
    """The tally of a function."""

    def rows(self, rows: Iterable[JsonRow]) -> None:
        """Rows of a verb without these statuses are what was asked for; a place has a status of its own."""
        counts = Counter(ROWS.get(str(row.get("status")), ROWS["success"]) for row in rows)
        if counts:
            emit(counts)

    def attempts(self, attempts: Sequence[Attempt]) -> None:
        """Each provider asked, how it answered and how long it took; and whether another than the first served."""
        for attempt in attempts:
            outcome = "ok" if attempt.ok else attempt.kind or "failed"
            took = {"ProviderMs": attempt.ms}
            emit({"ProviderAttempts": 1}, milliseconds=took, provider=attempt.provider, outcome=outcome)
        if attempts:
            served = next((attempt.provider for attempt in attempts if attempt.ok), None)
            emit({"NotFirstChoice": int(served != attempts[0].provider)})

    def ended(self, reason: Reason) -> None:
        emit({JOBS[reason]: 1})


def called(verb: str, answered: Answered, ms: float) -> None:
    """One call over a door: completed, pending, or failed, whatever rows it has."""
    status = "failed" if answered.error else answered.status
    emit({"Calls": 1}, milliseconds={"Latency": ms}, verb=verb, status=status)


def parts_failed(count: int) -> None:
    """Parts that failed every time they were tried."""
    emit({"PartsFailed": count})


def emit(counts: Mapping[str, int], milliseconds: Mapping[str, float] | None = None, **dimensions: str) -> None:
    """One line, 33 us."""
    line = EphemeralMetrics(namespace=NAMESPACE, service=SERVICE)
    for name, value in dimensions.items():
        line.add_dimension(name, value)
    for name, count in counts.items():
        line.add_metric(name, MetricUnit.Count, count)
    for name, took in (milliseconds or {}).items():
        line.add_metric(name, MetricUnit.Milliseconds, took)
    line.flush_metrics()
