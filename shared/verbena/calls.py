"""The call path, the only place that knows the order of a call.

validate -> idempotency -> quote -> hold -> run inline, or record the job and plan its parts -> settle.
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import from_json, to_json

from verbena import settings
from verbena.billing import Prices, Units
from verbena.capability import CallOptions, Capability
from verbena.closing import ending
from verbena.envelope import Answered, Meta, Quote, failed
from verbena.errors import (
    AnswerExpired,
    Expired,
    Forbidden,
    IdempotencyMismatch,
    InProgress,
    InsufficientBalance,
    InternalError,
    OverMaxCharge,
    Unavailable,
    VerbenaError,
)
from verbena.execution import Outcome, accounted, execute
from verbena.items import Items, listed
from verbena.jobs import INLINE, ROOT, Child, Hold, Part, Record
from verbena.parts import Parts
from verbena.ports import Backend, Write
from verbena.reading import Reading
from verbena.request import Caller, Request
from verbena.selection import Ask, candidates
from verbena.stored import answer_key, input_key
from verbena.validation import body_hash, checked

logger = logging.getLogger(__name__)

PIN = "pin"
"""The scope of keys that may name their provider."""

HOLD_TRIES = 5
"""How often a hold is tried again after the wallet or the key changed under it."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Every door and every direct caller comes through `run`. `prices` is None when billing is off."""

    backend: Backend
    verbs: Mapping[str, Capability]
    prices: Prices | None
    retention_s: int
    inline_limits: Mapping[str, int]

    @property
    def parts(self) -> Parts:
        """The worker's side, over the same stores."""
        return Parts(self.backend, self.verbs, self.retention_s)

    @property
    def reading(self) -> Reading:
        """The reader's side, over the same stores."""
        return Reading(self.parts)

    async def run(
        self, capability: Capability, body: Mapping[str, Any], caller: Caller, resumed_from: str | None = None
    ) -> Answered:
        """One call of a verb; a typed failure is an answer with its error, nothing else is caught."""
        try:
            request = self._request(capability, body, caller, resumed_from)
            if request.options.dry_run:
                quote = Quote(units=request.bound, max_charge_micros=request.amount)
                return Answered(status="completed", results=[], meta=Meta(quote=quote))
            return await self._held(request)
        except VerbenaError as error:
            return failed(error)

    def _request(
        self, capability: Capability, body: Mapping[str, Any], caller: Caller, resumed_from: str | None
    ) -> Request:
        arguments, options = checked(capability, body, is_resumed=resumed_from is not None)
        if getattr(arguments, "provider", None) is not None and PIN not in caller.scopes:
            raise Forbidden("this key may not pin a provider; leave `provider` unset", scope=PIN)
        items = listed(capability, getattr(arguments, capability.mode.items)) if capability.mode.items else None
        return Request(
            call_id=self.backend.new_id(),
            capability=capability,
            arguments=arguments,
            options=options,
            items=items,
            caller=caller,
            prices=self._frozen(capability.units_at_most(arguments)),
            body_hash=body_hash(arguments, options),
            inline=self._fits_inline(capability, options, items),
            resumed_from=resumed_from,
        )

    def _frozen(self, units: Units) -> Prices | None:
        """The prices this call is quoted at; None when billing is off."""
        return None if self.prices is None else {unit: self.prices[unit] for unit in units}

    def _fits_inline(self, capability: Capability, options: CallOptions, items: Items | None) -> bool:
        if options.async_ or items is None:
            return not options.async_
        limit = self.inline_limits.get(capability.id, capability.mode.inline_limit)
        return limit is None or len(items.unique) <= limit

    # ---- idempotency and hold

    async def _held(self, request: Request) -> Answered:
        """Take the hold and go on, or answer what the key already stands for."""
        most = request.options.max_charge_micros
        for _ in range(HOLD_TRIES):
            standing = await self._standing(request)
            if standing is not None and not self._is_abandoned(standing, request):
                return await self._answer_of(standing, request)
            if most is not None and request.amount > most:
                raise OverMaxCharge(required_micros=request.amount, max_charge_micros=most)
            if not request.inline:
                await self._servable(request)
            old = await self._hold_of(standing)
            funded = await self._funded(request, old)
            if await self._take(funded, standing, old):
                return await (self._inline(funded) if funded.inline else self._pending(funded.call_id, funded))
        raise Unavailable("this wallet or idempotency key is changing too fast")

    async def _servable(self, request: Request) -> None:
        """Raises why no provider can serve a verb of providers: nobody should wait for a job to be told.

        A call in the request is told by its executor as soon.
        """
        verb = request.capability
        if verb.drivers is not None:
            wanted, pin = verb.wanted(request.arguments), getattr(request.arguments, "provider", None)
            ask = Ask(verb.name, verb.load_drivers(), request.arguments, 0, 0.0, 0.0, wanted, pin)
            await self.backend.io(candidates, self.backend.services.book, ask)

    async def _standing(self, request: Request) -> Record | None:
        key = request.options.idempotency_key
        if key is None:
            return None
        return await self.backend.io(self.backend.jobs.record, request.caller.owner, request.capability.name, key)

    def _is_abandoned(self, standing: Record, request: Request) -> bool:
        """A running record whose lease is over belongs to a call that died; its key can be taken over."""
        if standing.body_hash != request.body_hash:
            raise IdempotencyMismatch
        if standing.state == "running" and standing.lease > self.backend.now():
            raise InProgress(retry_after_s=1)
        return standing.state == "running"

    async def _answer_of(self, standing: Record, request: Request) -> Answered:
        """The answer or job of an earlier call with this key; a job not planned yet is sent once more."""
        if standing.state == "job":
            job = await self.backend.io(self.backend.jobs.job, standing.call_id)
            if job is not None and job.status == "running" and not job.planned:
                return await self._pending(standing.call_id, request)
            return await self.reading.answer(standing.call_id, request.caller.base_url, request.caller.answer_cap)
        if standing.kept_until is not None and standing.kept_until <= self.backend.now():
            raise AnswerExpired
        key = answer_key(standing.call_id, is_brief=standing.kept_until is not None)
        body = await self.backend.io(self.backend.objects.get, key)
        if body is None:
            raise InternalError("the answer kept for this idempotency key is gone")
        stored = from_json(body)
        meta = request.capability.meta.model_validate(stored.pop("meta")) if "meta" in stored else None
        return Answered(**stored).model_copy(update={"meta": meta})

    async def _hold_of(self, abandoned: Record | None) -> Hold | None:
        """The hold of a call whose key is taken over, if the sweeper has not closed it yet."""
        if abandoned is None or self.prices is None:
            return None
        hold = await self.backend.io(self.backend.ledger.hold, abandoned.call_id)
        return hold if hold is not None and hold.open else None

    async def _available(self, owner: str, old: Hold | None) -> int:
        wallet = await self.backend.io(self.backend.ledger.wallet, owner)
        return (wallet.available if wallet else 0) + (old.amount if old else 0)

    async def _funded(self, request: Request, old: Hold | None) -> Request:
        """With `partial`, only as many items as the wallet covers now."""
        return request.funding(await self._available(request.caller.owner, old)) if request.is_partial else request

    async def _take(self, request: Request, standing: Record | None, old: Hold | None) -> bool:
        """Money, key and, for a job, the job itself: all or nothing. False when it is worth another look.

        The wallet comes last: stores name the first refusal, and a key or hold that stands says more.
        """
        backend = self.backend
        if not request.inline:
            await backend.io(backend.objects.put, input_key(request.call_id), request.source().stored())
        writes = self._taking(request, standing, old)
        if not writes:
            return True
        token = f"{request.call_id}/hold/{backend.new_id()}"  # another try asks for something else
        refused = await backend.commit(writes, token, self._is_taken, request)
        if refused == {"wallet"}:
            balance = await self._available(request.caller.owner, old)
            if balance < request.amount and not request.is_partial:
                raise InsufficientBalance(balance_micros=balance, required_micros=request.amount)
        return not refused

    def _taking(self, request: Request, standing: Record | None, old: Hold | None) -> list[Write]:
        backend = self.backend
        writes: list[Write] = []
        record = request.record("running" if request.inline else "job", backend.now())
        if record is not None:
            writes.append(backend.jobs.put_record(record, standing.call_id if standing else None))
        if not request.inline:
            writes.append(backend.jobs.put_job(request.job(backend.now())))
            writes.append(backend.jobs.put_progress(request.call_id, request.progress(Outcome(), 1)))
        return writes if request.prices is None else writes + self._holding(request, old)

    def _holding(self, request: Request, old: Hold | None) -> list[Write]:
        backend = self.backend
        writes: list[Write] = [backend.ledger.open_hold(request.hold(backend.now()))]
        if old is not None:
            writes.append(backend.ledger.close_hold(old))
        released = old.amount if old else 0
        if request.amount or released:
            writes.append(backend.ledger.take(request.caller.owner, request.amount, released))
        return writes

    def _is_taken(self, request: Request) -> bool:
        """Whether this very call already has what `_take` asks for: an earlier try's reply was lost."""
        if request.prices is not None:
            return self.backend.ledger.hold(request.call_id) is not None
        if not request.inline:
            return self.backend.jobs.job(request.call_id) is not None
        key = request.options.idempotency_key or ""
        record = self.backend.jobs.record(request.caller.owner, request.capability.name, key)
        return record is not None and record.call_id == request.call_id

    # ---- in the request

    async def _inline(self, request: Request) -> Answered:
        try:
            outcome = await self._work(request)
        except VerbenaError as error:
            return await self._settled(request, Outcome(attempts=error.attempts), failed(error))
        except Exception:
            if request.items is None:
                await self._settled(request, Outcome(), failed(InternalError()))
                raise
            # One bad item must not cost the others their rows: as parts of a job it ends up failing alone.
            logger.exception(
                "the executor of %s broke; call %s becomes a job", request.capability.name, request.call_id
            )
            return await self._converted(request, Outcome(), request.rest(Outcome()))
        if rest := request.rest(outcome):
            return await self._converted(request, outcome, rest)
        answer = request.answer(outcome)
        if len(to_json(answer.wire())) > request.caller.answer_cap:
            return await self._converted(request, outcome, ())
        return await self._settled(request, outcome, answer)

    async def _work(self, request: Request) -> Outcome:
        if request.items is not None and not request.items.funded:
            return Outcome()
        arguments = request.narrowed()
        portion = await execute(
            self.verbs,
            request.capability,
            arguments,
            owner=request.caller.owner,
            correlation_id=request.caller.correlation_id,
            budget_s=settings.INLINE_BUDGET_S,
            services=self.backend.services,
        )
        indexes = range(request.items.funded) if request.items else None
        return accounted(request.capability, portion, indexes, request.each)

    async def _settled(self, request: Request, outcome: Outcome, answer: Answered) -> Answered:
        """End an inline call in one transaction. A call that failed whole leaves its key free for another try."""
        backend = self.backend
        writes: list[Write] = [backend.ledger.put_marker(request.marker(outcome, backend.now()))]
        record = request.record("done", backend.now())
        if record is not None and answer.error is None:
            until = outcome.kept_until(backend.now())
            key = answer_key(request.call_id, is_brief=until is not None)
            await backend.io(backend.objects.put, key, to_json(answer.wire()))
            writes.append(backend.jobs.end_record(replace(record, kept_until=until)))
        elif record is not None:
            writes.append(backend.jobs.drop_record(record))
        if request.prices is not None:
            own = replace(request.hold(backend.now()), expires_at=None)
            writes += ending(backend, own, answer.usage.charge_micros if answer.usage else 0)
        token = f"{request.call_id}/settle"
        refused = await backend.commit(writes, token, backend.ledger.marker, request.call_id, INLINE)
        if refused:
            return await self._lost(request)
        backend.tally.rows(row for _, row in outcome.rows)
        backend.tally.attempts(outcome.attempts)
        return answer

    async def _lost(self, request: Request) -> Answered:
        """Another call took the key over, or the sweeper ended the hold: these rows are discarded, unbilled."""
        standing = await self._standing(request)
        if standing is None or standing.call_id == request.call_id:
            raise Expired
        if standing.state == "running":
            raise InProgress(retry_after_s=1)
        return await self._answer_of(standing, request)

    # ---- as a job

    async def _pending(self, job_id: str, request: Request) -> Answered:
        root = Part(job_id, ROOT)
        with suppress(Unavailable):  # the job stands: the sweeper sends its root within a minute
            await self.backend.io(self.backend.queue.send, request.capability.name, request.caller.owner, [(root, 0)])
        return await self.reading.answer(job_id, request.caller.base_url, request.caller.answer_cap)

    async def _converted(self, request: Request, outcome: Outcome, children: tuple[Child, ...]) -> Answered:
        """An inline call becomes a job that has its root worked already: the rows so far, the rest as children."""
        backend = self.backend
        await backend.io(backend.objects.put, input_key(request.call_id), request.source().stored())
        job = request.job(backend.now())
        marker = await self.parts.recorded(job, ROOT, outcome, children)
        writes: list[Write] = [
            backend.jobs.put_job(job),
            backend.jobs.put_progress(job.job_id, request.progress(outcome, len(children))),
            backend.ledger.put_marker(marker),
        ]
        if request.prices is not None:
            writes.append(backend.ledger.keep_hold(request.call_id))
        if (record := request.record("job", backend.now())) is not None:
            writes.append(backend.jobs.end_record(record))
        refused = await backend.commit(writes, f"{request.call_id}/convert", backend.jobs.job, request.call_id)
        if refused:
            return await self._lost(request)
        backend.tally.rows(row for _, row in outcome.rows)
        backend.tally.attempts(outcome.attempts)
        with suppress(Unavailable):  # as above
            await self.parts.follow(job, Part(request.call_id, ROOT), marker)
        return await self.reading.answer(request.call_id, request.caller.base_url, request.caller.answer_cap)
