"""The client that waits: `Client`."""

from collections.abc import Sequence
from datetime import date
from types import TracebackType
from typing import Any, Self

from verbena import settings
from verbena.capability import Capability, by_name
from verbena.catalog import CATALOG
from verbena.client import account, chat
from verbena.client.course import Course, job_course
from verbena.client.lines import Line
from verbena.client.namespaces import Verbs
from verbena.client.results import Job, Result
from verbena.client.wire import Json
from verbena.tools.tool import WHOLE_CHARS
from verbena.views import JobSummary, UsageReport, VerbList, WalletView


class Client(Verbs):
    """Calls the verbs of a server: `client.web.scrape(["https://example.com"])`.

    `base_url` and `api_key` default to VERBENA_URL and VERBENA_KEY. `progress=False` shows no bar on a terminal.
    `catalog` is what the server serves, if it has verbs of its own. May be shared between threads.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        progress: bool = True,
        catalog: Sequence[Capability] = CATALOG,
    ) -> None:
        super().__init__(catalog, self._start)
        self._line = Line(base_url or settings.server_url(), api_key or settings.secret("VERBENA_KEY"))
        self._catalog = catalog
        self._has_bar = progress
        self.jobs = Jobs(self._line, catalog, has_bar=progress)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._line.close()

    def wallet(self) -> WalletView:
        """What can be spent and what is held, in micro-USD."""
        return self._line.run(account.wallet(self._line.peer))

    def usage(self, first: date | None = None, last: date | None = None) -> UsageReport:
        """What was billed by day and verb; the last 30 days unless said otherwise."""
        return self._line.run(account.usage(self._line.peer, first, last))

    def verbs(self) -> VerbList:
        """The server's catalog: schemas, units, prices, limits."""
        return self._line.run(account.verbs(self._line.peer))

    def tools(self, form: str = "openai") -> list[dict[str, Any]]:
        """The verbs as tools of a model, for the `tools` of a request: openai, anthropic, gemini or mcp."""
        return self._line.run(chat.tools(self._line.peer, form))

    def call(self, tool_call: Any, *, max_chars: int = WHOLE_CHARS, timeout: float = chat.WAIT_S) -> str:
        """The answer to a model's tool call, in any vendor's form, as text for the model to read.

        It has at most about `max_chars` characters and says how the model reads on. A job is waited for up to
        `timeout` seconds; after that the text has the rows there are.
        """
        talk = chat.answered(self._line.peer, self._catalog, tool_call, max_chars, timeout)
        return self._line.run(talk)

    def _start(self, capability: Capability, body: Json, wait: bool, timeout: float | None) -> Any:  # noqa: FBT001 - a callback's place, not a caller's
        course: Course[Any, Any] = Course(self._line.peer, capability, body, timeout)
        self._line.run(course.send())
        made = Result if wait else Job
        return made(self._line, course, has_bar=self._has_bar)


class Jobs:
    """Calls that became jobs."""

    def __init__(self, line: Line, catalog: Sequence[Capability], *, has_bar: bool) -> None:
        self._line = line
        self._verbs = by_name(catalog)
        self._has_bar = has_bar

    def list(self, limit: int = 20, before: str | None = None) -> list[JobSummary]:
        """The newest jobs; with `before`, an ISO moment, those created earlier."""
        return self._line.run(account.jobs(self._line.peer, limit, before))

    def get(self, job_id: str, verb: str | None = None) -> Job[Any, Any]:
        """A job by its id; with the name of its verb, its rows are the verb's models instead of JSON."""
        course = self._line.run(job_course(self._line.peer, self._verbs[verb] if verb else None, job_id))
        return Job(self._line, course, has_bar=self._has_bar)
