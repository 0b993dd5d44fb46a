"""Which providers can serve a call, in the operator's order, or the error that says why none can."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from verbena.errors import (
    NoEligibleProvider,
    NoProvidersConfigured,
    ProviderError,
    ProviderLacksCapability,
    ProviderNotActive,
    ProviderNotFound,
    ProviderUnavailable,
)
from verbena.providers import Book, Driver, ProviderRow, Setup


@dataclass(frozen=True, slots=True)
class Ask:
    """One call of a verb as the engine sees it. `wanted` are the features whoever serves must honour.

    `deadline` is a reading of `time.monotonic`; `attempt_s` bounds each attempt.
    """

    verb: str
    drivers: Sequence[Driver]
    input: Any
    limit: int
    deadline: float
    attempt_s: float
    wanted: frozenset[str] = frozenset()
    pin: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A provider ready to be asked. `rests_until`, in seconds of the epoch, is set while it must be left alone."""

    row: ProviderRow
    driver: Driver
    secrets: Mapping[str, str]
    rests_until: float | None = None

    def setup(self, base_urls: Mapping[str, str], asked: int, today: date) -> Setup:
        """`base_urls` are the operator's, by driver; the row's own comes first."""
        tuning, home = self.row.tuning, self.driver.home
        own = tuning.get("base_url") or base_urls.get(self.driver.name) or self.secrets.get(home, home)
        caps = [cap for cap in (self.row.max_results, self.driver.most) if cap]
        return Setup(str(own).rstrip("/"), self.secrets, tuning, min([max(asked, 1), *caps]), today)


def candidates(book: Book, ask: Ask) -> list[Candidate]:
    """Those that are active, available and capable; a pinned one alone, whether it rests or not."""
    rows = book.rows()
    if not rows:
        raise NoProvidersConfigured
    if ask.pin is not None:
        return [_pinned(book, ask, rows)]
    drivers = _drivers(ask)
    ready = {row.name: _ready(book, row, drivers.get(row.driver), ask) for row in ordered(rows)}
    able = [candidate for candidate in ready.values() if isinstance(candidate, Candidate)]
    if not able:
        refusals = {name: error.message for name, error in ready.items() if isinstance(error, ProviderError)}
        raise NoEligibleProvider(providers=refusals)
    now, resting = time.time(), book.resting()
    return [_resting(candidate, resting.get(candidate.row.key, now), now) for candidate in able]


def _drivers(ask: Ask) -> dict[str, Driver]:
    return {driver.name: driver for driver in ask.drivers}


def _pinned(book: Book, ask: Ask, rows: Sequence[ProviderRow]) -> Candidate:
    row = named(rows, ask.pin or "") or named(book.rows(fresh=True), ask.pin or "")
    if row is None:
        raise ProviderNotFound(f"no provider is called {ask.pin!r}")
    ready = _ready(book, row, _drivers(ask).get(row.driver), ask)
    if isinstance(ready, ProviderError):
        raise ready
    return ready


def _ready(book: Book, row: ProviderRow, driver: Driver | None, ask: Ask) -> Candidate | ProviderError:
    """A provider ready to be asked, or why it is not."""
    if row.status != "active":
        return ProviderNotActive(f"{row.name} is {row.status}", provider=row.name, reason=row.status)
    secrets = book.secrets(row, driver.needs) if driver else {}
    reason = unavailable(row, driver, secrets, datetime.now(UTC).date())
    if driver is None or reason is not None:
        return ProviderUnavailable(f"{row.name} is unavailable: {reason}", provider=row.name, reason=reason)
    if lacks := lacking(driver, ask.wanted):
        message = f"{row.name} cannot honour {', '.join(lacks)}"
        return ProviderLacksCapability(message, provider=row.name, lacks=lacks)
    return Candidate(row, driver, secrets)


def _resting(candidate: Candidate, until: float, now: float) -> Candidate:
    if until <= now:
        return candidate
    return Candidate(candidate.row, candidate.driver, candidate.secrets, until)


def unavailable(row: ProviderRow, driver: Driver | None, secrets: Mapping[str, str], today: date) -> str | None:
    """Why a provider cannot serve at all, in words an operator can act on; None if it can."""
    if driver is None:
        return f"no driver of this verb is called {row.driver!r}"
    if driver.ends is not None and today >= driver.ends:
        return f"{driver.title} ended on {driver.ends}"
    if missing := [name for name in driver.needs if not secrets.get(name)]:
        return f"it needs {' and '.join(missing)}: store it with the provider, or set it in the environment"
    return None


def lacking(driver: Driver, wanted: Iterable[str]) -> list[str]:
    """The features of a call that a driver cannot honour."""
    return sorted(set(wanted) - driver.can)


def ordered(rows: Iterable[ProviderRow]) -> list[ProviderRow]:
    """Lower priority first, ties by name."""
    return sorted(rows, key=lambda row: (row.priority, row.key))


def named(rows: Sequence[ProviderRow], pin: str) -> ProviderRow | None:
    """The row a pin means: by name, else the first active one of a driver, else any of the driver."""
    wanted = pin.casefold()
    of_driver = ordered(row for row in rows if row.driver.casefold() == wanted)
    by_name = [row for row in rows if row.key == wanted]
    active = [row for row in of_driver if row.status == "active"]
    return next(iter([*by_name, *active, *of_driver]), None)


def usual(drivers: Sequence[Driver]) -> list[ProviderRow]:
    """The rows a new deployment starts with: one for each driver, named for it, in the drivers' own order."""
    first = {driver.name: driver for driver in reversed(drivers)}
    return [ProviderRow(name, name, driver.status, driver.priority) for name, driver in first.items()]
