"""The providers of one process: one for every driver, with whatever secrets the environment has."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from verbena.providers import ProviderRow
from verbena.rates import Rate
from verbena.settings import secret


@dataclass(frozen=True, slots=True)
class ProvidersMemory:
    """A book that ends with the process. `rows_of` says what is in it."""

    rows_of: Callable[[], Sequence[ProviderRow]]
    environment: Callable[[str], str | None] = secret
    now: Callable[[], float] = time.time
    _resting: dict[str, float] = field(default_factory=dict)
    _free: dict[str, float] = field(default_factory=dict)

    def rows(self, *, fresh: bool = False) -> Sequence[ProviderRow]:  # noqa: ARG002 - the port's words
        return self.rows_of()

    def secrets(self, row: ProviderRow, names: Sequence[str]) -> Mapping[str, str]:  # noqa: ARG002 - the port's words
        known = {name: self.environment(name) for name in names}
        return {name: value for name, value in known.items() if value}

    def resting(self) -> Mapping[str, float]:
        return self._resting

    def rest(self, row: ProviderRow, until: float) -> None:
        self._resting[row.key] = until

    def turn(self, row: ProviderRow, rate: Rate) -> float:
        """Turns at even distances."""
        now = self.now()
        free = self._free.get(row.key, now)
        if free > now:
            return free - now
        self._free[row.key] = now + rate.period_s / rate.turns
        return 0.0
