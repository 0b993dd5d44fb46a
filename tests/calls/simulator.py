"""Runs the call path in the order, and with the deaths and lost replies, that a tape decides, until all has ended."""

from dataclasses import dataclass

from tests.calls.acting import Acting
from tests.calls.callpath import STANDING
from tests.calls.invariants import Violation, Watch
from tests.calls.machine import START, Machine, StoreDown
from tests.calls.scenarios import Asked
from tests.fakes import PRICES, VERBS
from verbena import settings
from verbena.request import Caller

OWNER, BASE = "owner", "http://verbena.test"
RETENTION_S = 30 * 86_400
TICK_S = 60
STEPS_MOST = 20_000
PROCESSES_MOST = 6
TRIES_MOST = 3
# A client without an answer asks again when the gateway would have given up.
AGAIN_S = 35
# So far chaos may move the clock itself: what is left of a job's hour must do for mending.
DRIFT_MOST_S = 900
# Answers too big to be sent in one piece are tried with few rows: they take long to write and read.
FEW = 4


@dataclass(frozen=True, eq=False)
class Visit:
    """When a caller asks, and for which time."""

    moment: float
    asked: Asked
    tries: int = 1


class Simulation(Machine):
    """One owner, its callers, the workers, the dead-letter consumer, the sweeper, and everything that goes wrong."""

    def __init__(self, scenario, tape, path=STANDING):
        super().__init__(scenario, tape, path)
        self.calls = self.calls_over(self.backend)
        is_big = scenario.is_big and len(scenario.items) <= FEW
        self.stage = Acting(self.tape, self.pause, self.kill_current, is_big=is_big)
        self.watch = Watch(self)
        self.changed = self.watch.look
        self.visits = [Visit(START, asked) for asked in scenario.callers]
        self.answers = []
        self.pages = []
        self.cancels, self.resumes = scenario.cancels, scenario.resumes
        self.drift_left = 10**6 if scenario.meets_deadline else DRIFT_MOST_S
        self.ticked_at = START

    def calls_over(self, backend):
        """The call path over some stores, billed or not as the scenario says."""
        prices = PRICES if self.scenario.billing else None
        return self.path.calls.Calls(backend, VERBS, prices, RETENTION_S, {})

    def run(self):
        """Until everything has ended; raises Violation, with the story as its note, if a promise was broken."""
        try:
            self._run()
        except Exception as error:
            error.add_note("\n".join(" ".join(map(str, line)) for line in [(self.scenario,), *self.trace]))
            raise
        finally:
            for process in list(self.processes):
                self.kill(process)
            self.loop.run_ready()

    def _run(self):
        for _ in range(STEPS_MOST):
            self.reap()
            if not self._is_quiet():
                self._step()
            elif not self._encore():
                self.watch.check_end()
                return
        claim = "it never comes to rest"
        raise Violation(claim)

    def _is_quiet(self):
        at_work = self.processes or self.ops or self.late or self.visits or self.broker.letters
        return not at_work and self.watch.all_ended()

    def _encore(self):
        """When all has ended a job may still be resumed, and its end cancelled in vain; whether one is."""
        jobs = self.watch.job_ids()
        if jobs and self.resumes:
            self._resume(jobs[0])
        elif jobs and self.cancels:
            self._cancel(jobs[0])
        else:
            return False
        return True

    # ---- who goes on

    def _step(self):
        choice = self.tape.below(32)
        if choice < 20 and self.ops:
            self.perform(self._next_op())
        elif choice >= 30:
            self._drift()
        elif not self._begin(choice):
            self._forward()

    def _next_op(self):
        """Some processes are slow: they get their turn when no faster one wants it, or by chance."""
        return self.tape.pick(self.ops) if self.tape.below(4) == 3 else max(self.ops, key=lambda op: op.process.rank)

    def _begin(self, choice):
        """Start a process if there is room and cause; whether one was."""
        if len(self.processes) >= PROCESSES_MOST:
            return False
        if choice < 26:
            causes, begin = self.broker.showing(), self._deliver if choice < 25 else self._deliver_twice
        elif choice == 26:
            causes, begin = self._callers()[:1], self._call
        else:
            causes, begin = self.watch.job_ids(), (self._cancel, self._resume, self._visit)[choice - 27]
        if causes:
            begin(self.tape.pick(causes))
        return bool(causes)

    def _drift(self):
        """Time passes though something could happen; a long while brings the sweeper."""
        longest = 3700 if self.scenario.meets_deadline else 31
        seconds = min(self.tape.pick((1, 4, 22, 31, 31, 61, 121, longest)), self.drift_left)
        self.drift_left -= seconds
        self.advance(self.loop.now + seconds)
        if seconds > settings.API_TIMEOUT_S and len(self.processes) < PROCESSES_MOST:
            self._sweep()

    def _forward(self):
        """What would happen next by itself."""
        if self.late:
            self.apply(self.late.pop(0))
        elif self.ops:
            self.perform(self.ops[0])
        elif showing := self.broker.showing():
            self._deliver(showing[0])
        elif callers := self._callers():
            self._call(callers[0])
        elif self.loop.now >= self.ticked_at + TICK_S:
            self._sweep()
        else:
            self.advance(self._next_moment())

    def _next_moment(self):
        moments = [letter.seen_at for letter in self.broker.letters]
        moments += [visit.moment for visit in self.visits]
        moments += [process.dies_at for process in self.processes]
        return min([*moments, *self.loop.timers(), self.ticked_at + TICK_S])

    # ---- what begins

    def _callers(self):
        return [visit for visit in self.visits if visit.moment <= self.loop.now]

    def _call(self, visit):
        self.visits.remove(visit)
        asked = visit.asked

        def ended(process, answered, _error):
            self.answers.append((asked, process.ids[0] if process.ids else None, answered, process.is_hit))
            is_over = answered is not None and (answered.error is None or not answered.error.retryable)
            if not is_over and visit.tries < TRIES_MOST and asked.key:
                moment = self.loop.now + self.tape.pick((AGAIN_S, 1, 0))
                self.visits.append(Visit(moment, asked, visit.tries + 1))

        def make():
            return self.calls.run(
                VERBS[self.scenario.verb], self.body(asked), Caller(OWNER, "key", "correlation", BASE)
            )

        # Now and then one outlives its lease: nothing may rest on a function ending in time.
        lifetime = self.tape.pick((1, 1, 20, 20)) * settings.API_TIMEOUT_S
        self.spawn(f"call {asked.key or '-'}", lifetime, make, ended)

    def body(self, asked):
        """What one caller sends."""
        items = list(self.scenario.items) + (["ok/other"] if asked.other_body else [])
        inputs = {
            "test.list": {"items": items},
            "test.pages": {"pages": len(items), "most": 1 + len(items) // 2},
            "test.thing": {"thing": f"{len(items)}", "items": [item for item in items if item.startswith("ok")]},
        }
        options = {
            "async": self.scenario.is_async,
            "partial": self.scenario.partial,
            "idempotency_key": asked.key,
        }
        return inputs[self.scenario.verb] | {name: value for name, value in options.items() if value}

    def _deliver_twice(self, letter):
        self.broker.duplicate(letter)
        self._deliver(letter)

    def _deliver(self, letter):
        consume = self.calls.parts.bury if letter.is_dead else self.calls.parts.work
        part = letter.part
        self.broker.receive(letter)

        def ended(_process, _result, error):
            """A message that was worked goes, but for a chance; one that broke its worker shows again soon, or late."""
            if error is None and self.tape.below(16) < 15:
                self.broker.delete(letter)
            elif error is not None and (not isinstance(error, StoreDown) or self.tape.below(2)):
                self.broker.retry(letter)

        name = f"{'bury' if letter.is_dead else 'work'} {part.job_id}/{part.part_id}#{letter.receives}"
        self.spawn(name, settings.WORKER_TIMEOUT_S, lambda: consume(part), ended)

    def _sweep(self):
        self.ticked_at = self.loop.now
        sweep = self.path.closing.sweep
        self.spawn("sweep", settings.WORKER_TIMEOUT_S, lambda: sweep(self.backend, RETENTION_S), _nobody_waits)

    def _cancel(self, job_id):
        if self.cancels:
            self.cancels -= 1
            close = self.path.closing.close
            make = lambda: close(self.backend, job_id, "cancelled", RETENTION_S)  # noqa: E731 - awaited in its process
            self.spawn(f"cancel {job_id}", settings.API_TIMEOUT_S, make, _nobody_waits)

    def _resume(self, job_id):
        if self.resumes:
            self.resumes -= 1
            self.spawn(f"resume {job_id}", settings.API_TIMEOUT_S, lambda: self._resumed(job_id), _nobody_waits)

    async def _resumed(self, job_id):
        job = await self.calls.reading.job(OWNER, job_id)
        body = await self.calls.reading.unfinished(job) | {"idempotency_key": f"resume:{job_id}"}
        caller = Caller(OWNER, "key", "correlation", BASE)
        return await self.calls.run(VERBS[job.verb], body, caller, resumed_from=job_id)

    def _visit(self, job_id):
        """Somebody looks at a job: its owner, or the sweeper."""
        if self.tape.below(2):
            self._sweep()
        else:
            self._poll(job_id, self.tape.below(4), 1 + self.tape.below(20))

    def _poll(self, job_id, cursor, limit):
        async def poll():
            job = await self.calls.reading.job(OWNER, job_id)
            return await self.calls.reading.page(job, cursor, limit, BASE)

        def ended(_process, answered, error):
            if error is None:
                self.pages.append((job_id, cursor, answered))

        self.spawn(f"poll {job_id}", settings.API_TIMEOUT_S, poll, ended)


def _nobody_waits(_process, _result, _error):
    """What it did is in the stores."""
