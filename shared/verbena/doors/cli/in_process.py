"""Calls in this process: the call path of every other door, over stores in memory that end with it."""

import asyncio
import threading
import uuid
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from functools import cache
from typing import Any, TypeVar

from pydantic_core import from_json

from verbena import net, settings
from verbena.calls import Calls
from verbena.capability import Capability, Services
from verbena.catalog import SCOPES, VERBS
from verbena.client.wire import Json, Refused
from verbena.closing import close
from verbena.doors.cli.target import LOCAL_NEEDS, Stopped
from verbena.doors.mcp_tools import Toolbox
from verbena.envelope import Answered
from verbena.memory import PageMemory, ProvidersMemory, QueueMemory, backend
from verbena.providers import ProviderRow
from verbena.request import Caller
from verbena.selection import usual
from verbena.tools.size import Size

T = TypeVar("T")

OWNER = "local"
# Nothing outlives the process; a day is longer than any of its jobs.
RETENTION_S = 86_400


def _services() -> Services:
    return Services(book=ProvidersMemory(_usual_providers), pages=PageMemory(settings.PAGES_KEPT_S))


class InProcess:
    """Billing is off: there is no wallet here. Jobs are worked in the background until they end."""

    keeps_jobs = False

    def __init__(self) -> None:
        self._queue = QueueMemory()
        self._calls = Calls(
            backend=backend(self._queue, services=_services()),
            verbs=VERBS,
            prices=None,
            retention_s=RETENTION_S,
            inline_limits=settings.current().inline_limits,
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="loop", daemon=True)
        self._thread.start()
        self._work: Future[None] | None = None

    def close(self) -> None:
        self._run(_end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, verb: str, body: Json) -> Json:
        _load(verb)
        answered = self._worked(VERBS[verb], body, _caller())
        if answered.error is not None and answered.results is None:
            raise Refused(answered.wire())
        return answered.wire()

    def toolbox(self, size: Size) -> Toolbox:
        """The tools of MCP in this process, for all scopes; raises Stopped if a verb cannot run here."""
        for verb in VERBS:
            _load(verb)
        return Toolbox(self._calls, _caller(), self._run, self._worked, size)

    def _worked(self, capability: Capability, body: Mapping[str, Any], caller: Caller) -> Answered:
        """The answer to a call; what became a job is worked in the background."""
        answered = self._run(self._calls.run(capability, body, caller))
        if answered.status == "pending":
            self._work = self._submit(self._queue.drain(self._calls.parts))
        return answered

    def job(self, job_id: str) -> Json:
        """How far it is. What ended the work unexpectedly is raised here, or nobody would ever know."""
        if self._work is not None and self._work.done():
            self._work.result()
        return self._run(self._view(job_id)).wire()

    def page(self, job_id: str, cursor: int, limit: int) -> Json:
        return self._run(self._page(job_id, cursor, limit)).wire()

    def row(self, job_id: str, position: int) -> Json:
        row: Json = from_json(self._run(self._row(job_id, position)))
        return row

    def cancel(self, job_id: str) -> Json:
        self._run(close(self._calls.backend, job_id, "cancelled", RETENTION_S))
        return self.job(job_id)

    async def _view(self, job_id: str) -> Answered:
        reading = self._calls.reading
        return await reading.view(await reading.job(OWNER, job_id), "")

    async def _page(self, job_id: str, cursor: int, limit: int) -> Answered:
        reading = self._calls.reading
        return await reading.page(await reading.job(OWNER, job_id), cursor, limit, "")

    async def _row(self, job_id: str, position: int) -> bytes:
        reading = self._calls.reading
        return await reading.row(await reading.job(OWNER, job_id), position)

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._submit(coroutine).result()

    def _submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)


def _caller() -> Caller:
    return Caller(OWNER, OWNER, uuid.uuid4().hex, scopes=frozenset(SCOPES))


@cache
def _usual_providers() -> list[ProviderRow]:
    return usual([driver for verb in VERBS.values() for driver in verb.load_drivers()])


async def _end() -> None:
    """Stop what still runs, and close the connections it used."""
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await net.close()


def _load(verb: str) -> None:
    """Import the executor now: what it lacks is then the caller's news, not a part that fails."""
    try:
        VERBS[verb].load  # noqa: B018 - reading it imports it
    except ModuleNotFoundError as missing:
        message = f"{verb} cannot run in this process: the module {missing.name!r} is not installed"
        raise Stopped(message, LOCAL_NEEDS) from missing
