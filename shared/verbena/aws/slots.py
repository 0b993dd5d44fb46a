"""One primitive for every rate: a named item that says when the next turn is free, moved by a conditional update."""

import re
from dataclasses import dataclass

from verbena.aws.table import Table

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


@dataclass(frozen=True, slots=True)
class Rate:
    """So many turns in so many seconds, all of which may come at once."""

    turns: int
    period_s: int

    @classmethod
    def of(cls, text: str) -> "Rate":
        """'60/m' is 60 turns a minute; anything else is a ValueError."""
        match = re.fullmatch(r"([1-9]\d*)/([smhd])", text)
        if match is None:
            message = f"a rate is a count and s, m, h or d, such as '60/m', not {text!r}"
            raise ValueError(message)
        return cls(int(match[1]), SECONDS[match[2]])


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
