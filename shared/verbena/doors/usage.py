"""What an owner was billed: the ledger's facts, summed by day and verb."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta

from verbena.aws.ledger import LedgerTable
from verbena.billing import total
from verbena.errors import InvalidInput
from verbena.jobs import Marker
from verbena.views import UsageLine, UsageQuery, UsageReport


def report(ledger: LedgerTable, owner: str, asked: UsageQuery) -> UsageReport:
    """The sums of the days asked for, both included; InvalidInput if they are the wrong way round."""
    last = asked.last or datetime.now(UTC).date()
    first = asked.first or last - timedelta(days=30)
    if first > last:
        problem = f"{first} is after {last}"
        raise InvalidInput(problem, fields=[{"field": "from", "problem": problem, "fix": "send a day before `to`"}])
    lines: dict[tuple[str, str], list[Marker]] = defaultdict(list)
    for fact in ledger.facts(owner, first.isoformat(), f"{last}T99"):
        lines[fact.at[:10], fact.verb].append(fact)
    days = [
        UsageLine(
            day=day,
            verb=verb,
            units=total(fact.units for fact in facts),
            charge_micros=sum(fact.charge for fact in facts),
        )
        for (day, verb), facts in sorted(lines.items())
    ]
    return UsageReport(days=days, charge_micros=sum(line.charge_micros for line in days))
