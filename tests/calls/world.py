"""The call path over memory in one process, with a clock that only the test moves, and a way to break any step."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.calls.virtual import VirtualLoop
from tests.fakes import PRICES, STAGE, VERBS, Spoken
from verbena import memory, settings
from verbena.calls import Calls
from verbena.closing import close, sweep
from verbena.request import Caller

OWNER, BASE = "owner", "http://verbena.test"
START = 1_700_000_000.0
RETENTION_S = 30 * 86_400


class Killed(BaseException):
    """The process is gone: nothing catches it."""


@dataclass
class Hook:
    """What happens once, before or after the next store call of a name."""

    step: str
    action: Callable[[], Awaitable[object]]
    is_after: bool


@dataclass
class World:
    """One installation. `funds` is what OWNER's wallet holds; None is no wallet."""

    funds: int | None = 100_000_000
    prices: dict | None = field(default_factory=lambda: dict(PRICES))
    inline_limits: dict = field(default_factory=dict)

    def __post_init__(self):
        self.loop = VirtualLoop(START)
        self.memory = memory.Memory(lambda: self.loop.now)
        self.ledger = memory.LedgerMemory(self.memory)
        self.queue = memory.QueueMemory(lambda: self.loop.now)
        self.ids = 0
        self.steps = []
        self.hooks = []
        self.proposed = {}
        self.backend = memory.backend(self.queue, self.memory, new_id=self._new_id, io=self._io)
        self.stage = Spoken()
        if self.funds is not None:
            self.ledger.top_up(OWNER, self.funds)

    @property
    def calls(self):
        return Calls(self.backend, VERBS, self.prices, RETENTION_S, self.inline_limits)

    def _new_id(self):
        self.ids += 1
        return f"id{self.ids}"

    async def _io(self, function, *arguments):
        step = function.__name__
        if step == "commit":
            step = " ".join(["commit", *(write.name for write in arguments[0])])
        self.steps.append(step)
        await asyncio.sleep(0)
        if step in self.proposed:
            return self.proposed[step]
        hook = next((hook for hook in self.hooks if hook.step == step), None)
        if hook:
            self.hooks.remove(hook)
            if not hook.is_after:
                await hook.action()
        result = function(*arguments)
        if hook and hook.is_after:
            await hook.action()
        return result

    def meanwhile(self, step, action):
        """Something else happens just before the next store call of this name takes effect."""
        self.hooks.append(Hook(step, action, is_after=False))

    def break_before(self, step, error=Killed):
        """The next store call of this name raises and has no effect; a commit's name lists its writes."""
        self.meanwhile(step, _raising(error))

    def break_after(self, step, error=Killed):
        """The next store call of this name raises although it took effect."""
        self.hooks.append(Hook(step, _raising(error), is_after=True))

    # ---- time

    def run(self, coroutine):
        """The result of a coroutine; when it waits for nothing but time, time passes."""
        STAGE.set(self.stage)
        task = self.loop.create_task(coroutine)
        self.loop.run_ready()
        while not task.done():
            self.loop.advance(min(self.loop.timers()))
            self.loop.run_ready()
        return task.result()

    def together(self, *coroutines):
        """The results of coroutines that take turns at every store call."""

        async def all_of_them():
            tasks = [self.loop.create_task(coroutine) for coroutine in coroutines]
            return [await task for task in tasks]

        return self.run(all_of_them())

    def pass_time(self, seconds):
        self.loop.advance(self.loop.now + seconds)

    # ---- what callers do

    def calling(self, verb="test.list", owner=OWNER, resumed_from=None, scopes=(), **body):
        """One call of a verb, not yet made."""
        caller = Caller(owner, "key", "correlation", BASE, frozenset(scopes))
        return self.calls.run(VERBS[verb], body, caller, resumed_from)

    def call(self, verb="test.list", owner=OWNER, **body):
        return self.run(self.calling(verb, owner, **body))

    def job(self, items=("ok/1",), **body):
        """The id of a job of which nothing is worked yet."""
        answer = self.call(items=list(items), **{"async": True}, **body)
        assert answer.status == "pending", answer
        return answer.job_id

    def finished(self, items, **body):
        """The rows of a job that ran to its end."""
        job_id = self.job(items, **body)
        self.drain()
        return self.rows(job_id)

    def view(self, job_id):
        return self.run(self._viewed(job_id))

    async def _viewed(self, job_id):
        return await self.calls.reading.view(await self.calls.reading.job(OWNER, job_id), BASE)

    def page(self, job_id, cursor=0, limit=1000):
        async def read():
            return await self.calls.reading.page(await self.calls.reading.job(OWNER, job_id), cursor, limit, BASE)

        return self.run(read())

    def rows(self, job_id):
        return self.page(job_id).results

    def cancelling(self, job_id):
        return close(self.backend, job_id, "cancelled", RETENTION_S)

    def cancel(self, job_id):
        self.run(self.cancelling(job_id))
        return self.view(job_id)

    def resume(self, job_id):
        """What the door does: a new job of what is left."""

        async def resume():
            job = await self.calls.reading.job(OWNER, job_id)
            body = await self.calls.reading.unfinished(job) | {"idempotency_key": f"resume:{job_id}"}
            return await self.calling(job.verb, resumed_from=job_id, **body)

        return self.run(resume())

    # ---- what happens by itself

    def messages(self):
        return [message.part for message in self.queue.messages]

    def take(self):
        """The parts waiting in the queue, out of it."""
        parts = self.messages()
        self.queue.messages.clear()
        return parts

    def work(self, part, budget_s=settings.PART_BUDGET_S):
        self.run(self.calls.parts.work(part, budget_s))

    def bury(self, part):
        return self.run(self.calls.parts.bury(part))

    def drain(self):
        self.run(self.queue.drain(self.calls.parts))

    def sweeping(self):
        return sweep(self.backend, RETENTION_S)

    def sweep(self):
        return self.run(self.sweeping())

    # ---- what is true

    @property
    def wallet(self):
        return self.ledger.wallet(OWNER)

    @property
    def spent(self):
        """What the wallet moved; nothing may be held any more."""
        assert self.wallet.held == 0
        return self.funds - self.wallet.available

    def facts(self):
        """Every fact, by call and part."""
        return {key[1:]: item for key, item in self.memory.items.items() if key[0] == "part"}

    def charged(self):
        """The sum of facts, which is what the wallet moved."""
        charge = sum(fact.charge for fact in self.facts().values())
        assert charge == self.spent
        return charge


def _raising(error):
    async def action():
        raise error

    return action
