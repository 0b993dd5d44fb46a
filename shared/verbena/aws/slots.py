"""One primitive for every rate: a named item that says when the next turn is free, moved by a conditional update."""

from collections.abc import Sequence
from dataclasses import dataclass

from verbena.aws.codec import encoded
from verbena.aws.table import Table, key
from verbena.rates import Rate


@dataclass(frozen=True, slots=True)
class Slots:
    """Turns by name (the generic cell rate algorithm), one small item per name.

    A period's turns may come at once; after them one comes free at a time. So a window of one period sees fewer
    than twice as many, and a long one no more than the rate and a first burst; a rate of one turn is exact.
    """

    table: Table

    def take(self, name: str, rate: Rate, now: float) -> float:
        """Take a turn: 0.0 if it was free, else the seconds until one is."""
        at = (f"slot#{name}", "slot")
        now_us, step = int(now * 1e6), rate.period_s * 1_000_000 // rate.turns
        burst = step * (rate.turns - 1)
        expiry = int(now) + 2 * rate.period_s + 1
        busy = self.table.update(
            "slot",
            at,
            "SET free_us = free_us + :step, #ttl = :ttl",
            "free_us >= :now AND free_us <= :last",
            {":step": step, ":now": now_us, ":last": now_us + burst, ":ttl": expiry},
        )
        standing = self.table.apply(busy)
        if standing is None:
            return 0.0
        if standing and standing["free_us"] > now_us + burst:
            return float(standing["free_us"] - now_us - burst) / 1e6
        idle = self.table.update(
            "slot",
            at,
            "SET free_us = :next, #ttl = :ttl",
            "attribute_not_exists(free_us) OR free_us < :now",
            {":next": now_us + step, ":now": now_us, ":ttl": expiry},
        )
        # Refused only if another took a turn in between: the slot is busy now, and the first update fits.
        return 0.0 if self.table.apply(idle) is None else self.take(name, rate, now)

    def close(self, name: str, until: float) -> None:
        """No turn before a moment, in seconds of the epoch."""
        item = {"pk": f"slot#{name}", "sk": "slot", "free_us": int(until * 1e6), "ttl": int(until) + 1}
        self.table.client.put_item(TableName=self.table.name, Item=encoded(item))

    def open(self, name: str) -> None:
        """Free at once."""
        self.table.client.delete_item(TableName=self.table.name, Key=key(f"slot#{name}", "slot"))

    def closed(self, names: Sequence[str]) -> dict[str, float]:
        """Until when each of some names is taken, those never taken left out."""
        items = self.table.every([(f"slot#{name}", "slot") for name in names])
        return {item["pk"].removeprefix("slot#"): item["free_us"] / 1e6 for item in items}
