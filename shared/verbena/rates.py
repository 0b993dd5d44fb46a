"""How often something may happen: a count in a period, written like '60/m'."""

import re
from dataclasses import dataclass

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
