"""Processes that reach their stores one call at a time, and what may befall each call."""

import asyncio
import contextvars
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.calls.acting import Boom
from tests.calls.broker import Broker
from tests.calls.invariants import Violation
from tests.calls.scenarios import Tape
from tests.calls.virtual import VirtualLoop
from tests.fakes import STAGE
from verbena.errors import JobError, Unavailable, VerbenaError
from verbena.memory import ObjectMemory

START = 1_700_000_000.0

PROCESS: contextvars.ContextVar["Process"] = contextvars.ContextVar("PROCESS")


class StoreDown(Exception):
    """A store could not be reached; whether it did what it was asked is not known."""


@dataclass(eq=False)
class Process:
    """One invocation of a function: it ends, breaks, or is killed at its timeout without another word.

    Of two that could go on, the one of the higher rank usually does. `is_hit` says that something befell it.
    """

    name: str
    dies_at: float
    rank: int
    ended: Callable[["Process", Any, BaseException | None], None]
    task: Any = None
    is_dead: bool = False
    is_hit: bool = False
    ids: list = field(default_factory=list)


@dataclass(eq=False)
class Op:
    """One store call that a process waits for."""

    process: Process
    future: Any
    function: Callable[..., Any]
    arguments: tuple

    def __str__(self):
        return f"{self.process.name}: {self.function.__qualname__}"


class Machine:
    """The stores, the processes at work over them, and the calls that wait for their turn."""

    def __init__(self, scenario, tape, path):
        self.scenario, self.tape, self.path = scenario, Tape(tape), path
        self.loop = VirtualLoop(START)
        self.memory = path.items.Memory(lambda: self.loop.now)
        self.broker = Broker(lambda: self.loop.now)
        self.backend = path.ports.Backend(
            transactions=self.memory if scenario.names_all_reasons else self,
            ledger=path.ledger.LedgerMemory(self.memory),
            jobs=path.jobs.JobsMemory(self.memory),
            objects=ObjectMemory(),
            queue=self.broker,
            now=lambda: self.loop.now,
            new_id=self._new_id,
            io=self._io,
        )
        self.stage: Any = None
        self.changed: Callable[[], None] = lambda: None
        self.processes: list[Process] = []
        self.ops: list[Op] = []
        self.late: list[Op] = []
        self.faults = scenario.faults
        self.trace: list[tuple] = []
        self._ids = 0

    # ---- what the call path sees

    def _new_id(self):
        self._ids += 1
        identity = f"id{self._ids}"
        PROCESS.get().ids.append(identity)
        return identity

    def commit(self, writes, token):
        """As stores do that name only the first refusal they meet."""
        refused = self.memory.commit(writes, token)
        return frozenset([write.name for write in writes if write.name in refused][:1])

    def _io(self, function, *arguments):
        """Store calls wait for their turn. The due indexes are stale, so it makes no difference when they are read."""
        process = PROCESS.get()
        if process.is_dead:
            raise asyncio.CancelledError
        future = self.loop.create_future()
        if function.__name__ in {"due_jobs", "due_holds"}:
            future.set_result(self._proposed(function, *arguments))
        else:
            self.ops.append(Op(process, future, function, arguments))
        return future

    def _proposed(self, function, shard, now):
        if shard == 0 and self.tape.below(8) == 7:
            kind = {"due_jobs": "job", "due_holds": "hold"}[function.__name__]
            return [key[1] for key in self.memory.items if key[0] == kind]
        return function(shard, now)

    def pause(self):
        """An executor takes its time."""
        return self._io(_a_moment)

    def kill_current(self):
        """The process that asks is gone."""
        self.kill(PROCESS.get())

    # ---- processes

    def spawn(self, name, lifetime, make, ended):
        process = Process(name, self.loop.now + lifetime, self.tape.below(4), ended)
        context = contextvars.copy_context()
        context.run(PROCESS.set, process)
        context.run(STAGE.set, self.stage)
        process.task = self.loop.create_task(make(), context=context)
        self.processes.append(process)
        self.note("starts", name)

    def kill(self, process):
        self.note("killed", process.name)
        self._forget(process)
        process.task.cancel()  # it may tidy up, but reaches no store any more
        process.ended(process, None, StoreDown())

    def _forget(self, process):
        process.is_dead = True
        self.processes.remove(process)
        self.ops = [op for op in self.ops if op.process is not process]

    def reap(self):
        """Let everything run that waits for no store, and see who ended."""
        self.loop.run_ready()
        for process in [process for process in self.processes if process.task.done()]:
            error = process.task.exception()
            self.note("ends", process.name, repr(error or ""))
            self._forget(process)
            self._check_end(process, error)
            process.ended(process, None if error else process.task.result(), error)

    def _check_end(self, process, error):
        is_expected = error is None or isinstance(error, StoreDown | Boom | JobError)
        if not is_expected and not (isinstance(error, Unavailable) and process.is_hit):
            claim = f"{process.name} broke"
            raise Violation(claim) from error

    def advance(self, now):
        """Time passes: functions are killed at their timeout, and timers fire."""
        self.note("time")
        for process in [process for process in self.processes if process.dies_at <= now]:
            self.kill(process)
        self.loop.advance(now)

    # ---- store calls

    def perform(self, op):
        """Make a store call, unless something befalls it."""
        self.ops.remove(op)
        fault = self.tape.below(56) - 48 if self.faults else -1
        if fault < 0:
            self._answer(op, self.apply(op))
            return
        self.faults -= 1
        op.process.is_hit = True
        FAULTS[fault](self, op)

    def apply(self, op):
        """The result of a store call, or its error."""
        self.note(op)
        try:
            result = op.function(*op.arguments)
        except VerbenaError as error:
            return error
        if op.function.__name__ == "commit":
            self.changed()
        return result

    def _answer(self, op, result):
        if op.process.is_dead or op.future.done():
            return
        if isinstance(result, Exception):
            op.future.set_exception(result)
        else:
            op.future.set_result(result)

    def crash_before(self, op):
        self.kill(op.process)

    def crash_after(self, op):
        self.apply(op)
        self.kill(op.process)

    def crash_while_it_is_on_its_way(self, op):
        self.late.append(op)
        self.kill(op.process)

    def lose_reply(self, op):
        self.apply(op)
        self._fail(op, "reply lost")

    def lose_request(self, op):
        self._fail(op, "never arrived")

    def repeat(self, op):
        """A reply is lost, and the client library sends the call again after its token was forgotten."""
        self.apply(op)
        self.memory.tokens.clear()
        self._answer(op, self.apply(op))

    def take_in_part(self, op):
        """A queue accepts some of what it is sent; other stores know no such thing."""
        if op.function == self.broker.send:
            self.broker.accepts = self.tape.below(4)
        self._answer(op, self.apply(op))

    def _fail(self, op, how):
        """Transactions and queues translate what they meet; the other stores pass it on."""
        self.note(how, op)
        self._answer(op, Unavailable() if op.function.__name__ in {"commit", "send"} else StoreDown())

    def note(self, *what):
        """Part of the story that is told if a promise is broken."""
        self.trace.append((self.loop.now - START, *what))


FAULTS = (
    Machine.crash_before,
    Machine.crash_after,
    Machine.crash_while_it_is_on_its_way,
    Machine.lose_reply,
    Machine.lose_reply,
    Machine.repeat,
    Machine.lose_request,
    Machine.take_in_part,
)


def _a_moment():
    """Nothing changes but the time."""
