"""The provider engine: one loop over the operator's providers, with everything that can go wrong recorded.

The first provider that serves ends it; `bad_request` ends it too, for it is wrong everywhere; any other failure lets
the next one try, until the deadline.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from verbena.envelope import Attempt
from verbena.errors import AllProvidersFailed, InvalidRequest, ProviderError, ReadError
from verbena.kept import Kept
from verbena.providers import (
    Book,
    Driver,
    Failure,
    Found,
    Kind,
    ProviderRow,
    Setup,
    Step,
    VendorRequest,
    VendorResponse,
    classify,
    hidden,
    shown,
)
from verbena.selection import Ask, Candidate, candidates

logger = logging.getLogger(__name__)

REST_S: Mapping[Kind, float] = {"quota": 900.0, "auth": 300.0}
"""How long a provider is left alone when it does not say itself: long enough to spare every search an attempt, short
enough that a mended account is soon asked again."""

MOST_REST_S = 3600.0

SURPRISES = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
"""What a driver raises over an answer of another shape, or because it is wrong: one attempt, never the search."""


class Sender(Protocol):
    """Whoever sends one request and reads the answer whole: the guarded client, or what stands in for it."""

    async def __call__(self, request: VendorRequest, *, is_own: bool) -> VendorResponse:
        """`is_own`: the target is of the operator's choice, and may be a private one. Failures are ReadErrors."""
        ...


@dataclass(frozen=True, slots=True)
class Served:
    """What a provider found. `limit` is how many items it was asked for; `warnings` what was adjusted.

    `costs` has the vendor's own price of each call that served, in micro-USD; None where it does not say.
    """

    row: ProviderRow
    driver: Driver
    found: Found
    limit: int
    costs: tuple[int | None, ...] = ()
    warnings: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine over a book of providers. `base_urls` are the operator's, by driver; `kept` are earlier answers."""

    book: Book
    send: Sender
    base_urls: Mapping[str, str] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)

    async def serve(self, ask: Ask) -> Served:
        """What the first provider that serves found; a ProviderError, with the attempts, if none does."""
        attempts: list[Attempt] = []
        spare: Served | None = None
        for candidate in await asyncio.to_thread(candidates, self.book, ask):
            if candidate.rests_until is not None:
                attempts.append(_rested(candidate, candidate.rests_until))
            elif ask.deadline > time.monotonic():
                served = await self._one(candidate, ask, attempts)
                if served is not None and (served.found.items or not candidate.driver.is_last_resort):
                    return replace(served, attempts=tuple(attempts))
                spare = spare or served
        if spare is None:
            raise _with(AllProvidersFailed(), attempts)
        return replace(spare, attempts=tuple(attempts))

    async def _one(self, candidate: Candidate, ask: Ask, attempts: list[Attempt]) -> Served | None:
        """What one provider found; None when the next one is to try, InvalidRequest when none need."""
        setup = candidate.setup(self.base_urls, ask.limit, datetime.now(UTC).date())
        found = await self._attempt(candidate, setup, ask, attempts)
        if isinstance(found, Failure):
            if found.kind == "bad_request":
                raise _with(InvalidRequest(found.message, provider=candidate.row.name), attempts)
            return None
        warnings = _clamped(candidate, setup, ask)
        served = Served(candidate.row, candidate.driver, found, setup.limit, (found.cost_micros,), warnings)
        step = candidate.driver.then
        if step is None or not step.needed(ask.input):
            return served
        second = replace(candidate, driver=_following(candidate.driver, step, found))
        more = await self._attempt(second, setup, ask, attempts)
        if isinstance(more, Found):
            return replace(served, found=more, costs=(*served.costs, more.cost_micros))
        if step.is_essential:
            return None
        failed = f"{step.name}_failed: {candidate.row.name}: {more.message}"
        return replace(served, warnings=(*served.warnings, failed))

    async def _attempt(self, candidate: Candidate, setup: Setup, ask: Ask, attempts: list[Attempt]) -> Found | Failure:
        """One attempt, recorded whatever happens in it; a provider that refuses our account is left alone."""
        started = time.monotonic()
        bound = min(ask.attempt_s, ask.deadline - started)
        try:
            async with asyncio.timeout(bound):
                outcome = await self._asked(candidate, setup, ask.input)
        except TimeoutError:
            outcome = Failure("transient", f"no answer within {bound:.1f} s")
        if isinstance(outcome, Failure):
            outcome = replace(outcome, message=shown(outcome.message, candidate.secrets.values()))
            await self._leave_alone(candidate.row, outcome)
        attempts.append(_recorded(candidate, outcome, time.monotonic() - started))
        return outcome

    async def _asked(self, candidate: Candidate, setup: Setup, asked: Any) -> Found | Failure:
        driver = candidate.driver
        try:
            embedded = driver.is_embedded
            request = (
                await asyncio.to_thread(driver.request, asked, setup) if embedded else driver.request(asked, setup)
            )
            if not isinstance(request, VendorRequest):
                return request
            outcome = await self._answered(candidate, setup, request)
        except ReadError as error:
            return Failure("transient", f"{error.code}: {error.message}")
        except SURPRISES as error:
            trace = hidden("".join(traceback.format_exception(error)), candidate.secrets.values())
            logger.warning("the driver %s broke: %s", driver.name, trace)
            return Failure("transient", f"its answer was not understood ({type(error).__name__})")
        is_nothing = isinstance(outcome, Failure) and outcome.kind == "no_results"
        return Found() if is_nothing else outcome

    async def _answered(self, candidate: Candidate, setup: Setup, request: VendorRequest) -> Found | Failure:
        """What the vendor says, or said to the same question if its answers are kept."""
        driver = candidate.driver
        kept = await self.kept.find(request)
        if kept is not None:
            return driver.read(kept, setup)
        await self._turn(candidate)
        response = await self.send(request, is_own=setup.base_url != driver.home)
        outcome = classify(driver, response) or driver.read(response, setup)
        if isinstance(outcome, Found):
            await self.kept.keep(request, response)
        return outcome

    async def _turn(self, candidate: Candidate) -> None:
        """Wait for a turn of the vendor's rate, as long as the attempt may take."""
        rate = candidate.driver.rate
        while rate is not None and (wait := await asyncio.to_thread(self.book.turn, candidate.row, rate)):  # noqa: ASYNC110 - the turn is in a store
            await asyncio.sleep(wait)

    async def _leave_alone(self, row: ProviderRow, failure: Failure) -> None:
        seconds = min(failure.retry_after_s or REST_S.get(failure.kind, 0.0), MOST_REST_S)
        if seconds:
            await asyncio.to_thread(self.book.rest, row, time.time() + seconds)


def _following(driver: Driver, step: Step, found: Found) -> Driver:
    """The driver whose call is the second one."""
    return replace(
        driver,
        request=lambda asked, setup: step.request(asked, setup, found),
        read=lambda response, _: step.read(response, found),
    )


def _clamped(candidate: Candidate, setup: Setup, ask: Ask) -> tuple[str, ...]:
    if setup.limit >= ask.limit:
        return ()
    return (f"truncated: {candidate.row.name} returns at most {setup.limit} results",)


def _recorded(candidate: Candidate, outcome: Found | Failure, seconds: float) -> Attempt:
    row, driver, ms = candidate.row.name, candidate.driver.name, round(seconds * 1000)
    if isinstance(outcome, Found):
        return Attempt(provider=row, driver=driver, ok=True, ms=ms, hits=len(outcome.items))
    return Attempt(provider=row, driver=driver, ok=False, kind=outcome.kind, ms=ms, message=outcome.message)


def _rested(candidate: Candidate, until: float) -> Attempt:
    moment = datetime.fromtimestamp(until, UTC).isoformat(timespec="seconds")
    message = f"not asked before {moment}: it refused this account"
    row, driver = candidate.row.name, candidate.driver.name
    return Attempt(provider=row, driver=driver, ok=False, kind="resting", ms=0, message=message)


def _with(error: ProviderError, attempts: list[Attempt]) -> ProviderError:
    error.attempts = tuple(attempts)
    return error
