"""The client on an event loop: `AsyncClient`."""

from collections.abc import Sequence
from datetime import date
from types import TracebackType
from typing import Any, Self

from verbena import settings
from verbena.capability import Capability, by_name
from verbena.catalog import CATALOG
from verbena.client import account, chat
from verbena.client.async_results import AsyncJob, AsyncResult
from verbena.client.course import Course, job_course
from verbena.client.lines import AsyncLine
from verbena.client.namespaces import AsyncVerbs
from verbena.client.wire import Json
from verbena.tools.tool import WHOLE_CHARS
from verbena.views import JobSummary, UsageReport, VerbList, WalletView


class AsyncClient(AsyncVerbs):
    """`Client`, whose calls are awaited: `async for row in client.web.scrape(urls)`."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        progress: bool = True,
        catalog: Sequence[Capability] = CATALOG,
    ) -> None:
        super().__init__(catalog, self._start)
        self._line = AsyncLine(base_url or settings.server_url(), api_key or settings.secret("VERBENA_KEY"))
        self._catalog = catalog
        self._has_bar = progress
        self.jobs = AsyncJobs(self._line, catalog, has_bar=progress)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections."""
        await self._line.close()

    async def wallet(self) -> WalletView:
        """What can be spent and what is held, in micro-USD."""
        return await self._line.run(account.wallet(self._line.peer))

    async def usage(self, first: date | None = None, last: date | None = None) -> UsageReport:
        """What was billed by day and verb; the last 30 days unless said otherwise."""
        return await self._line.run(account.usage(self._line.peer, first, last))

    async def verbs(self) -> VerbList:
        """The server's catalog: schemas, units, prices, limits."""
        return await self._line.run(account.verbs(self._line.peer))

    async def tools(self, form: str = "openai") -> list[dict[str, Any]]:
        """The verbs as tools of a model, for the `tools` of a request: openai, anthropic, gemini or mcp."""
        return await self._line.run(chat.tools(self._line.peer, form))

    async def call(self, tool_call: Any, *, max_chars: int = WHOLE_CHARS, timeout: float = chat.WAIT_S) -> str:  # noqa: ASYNC109 - as Client has it
        """The answer to a model's tool call, in any vendor's form, as text for the model to read.

        It has at most about `max_chars` characters and says how the model reads on. A job is waited for up to
        `timeout` seconds; after that the text has the rows there are.
        """
        talk = chat.answered(self._line.peer, self._catalog, tool_call, max_chars, timeout)
        return await self._line.run(talk)

    def _start(self, capability: Capability, body: Json, wait: bool, timeout: float | None) -> Any:  # noqa: FBT001 - a callback's place, not a caller's
        course: Course[Any, Any] = Course(self._line.peer, capability, body, timeout)
        if wait:
            return AsyncResult(self._line, course, has_bar=self._has_bar)
        return self._left(course)

    async def _left(self, course: Course[Any, Any]) -> AsyncJob[Any, Any]:
        """The handle of a call that is not waited for."""
        await self._line.run(course.send())
        return AsyncJob(self._line, course, has_bar=self._has_bar)


class AsyncJobs:
    """Calls that became jobs."""

    def __init__(self, line: AsyncLine, catalog: Sequence[Capability], *, has_bar: bool) -> None:
        self._line = line
        self._verbs = by_name(catalog)
        self._has_bar = has_bar

    async def list(self, limit: int = 20, before: str | None = None) -> list[JobSummary]:
        """The newest jobs; with `before`, an ISO moment, those created earlier."""
        return await self._line.run(account.jobs(self._line.peer, limit, before))

    async def get(self, job_id: str, verb: str | None = None) -> AsyncJob[Any, Any]:
        """A job by its id; with the name of its verb, its rows are the verb's models instead of JSON."""
        course = await self._line.run(job_course(self._line.peer, self._verbs[verb] if verb else None, job_id))
        return AsyncJob(self._line, course, has_bar=self._has_bar)
