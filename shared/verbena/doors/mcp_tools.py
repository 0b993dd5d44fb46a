"""What the tools of MCP do: verbs through the call path, jobs through its reader, answers sized for a model."""

import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from verbena.calls import Calls
from verbena.capability import Capability
from verbena.closing import close
from verbena.envelope import Answered, Model, failed
from verbena.errors import Forbidden, InternalError, InvalidInput, VerbenaError
from verbena.jobs import Job
from verbena.reading import page_url
from verbena.request import Caller
from verbena.tools.size import Json, Size, sized
from verbena.tools.text import text_of
from verbena.tools.tool import JOB_CANCEL, JOB_RESULTS, JOB_STATUS, JOB_TOOLS, OfJob, Rows, Tool, tool_of
from verbena.validation import problems_of

T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, Any]], Any]
Call = Callable[[Capability, Mapping[str, Any], Caller], Answered]

UNTRUSTED = {"verbena/untrusted": ["/results", "/meta"]}
"""Which parts of the data were written by strangers, as JSON pointers, for clients that look after that."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one caller. `run` brings a coroutine to its end, `call` makes one call of a verb."""

    calls: Calls
    caller: Caller
    run: Run
    call: Call
    size: Size = field(default_factory=Size)

    def tool(self, name: str) -> Tool | None:
        """The tool of a name; None if there is none."""
        capability = self._verb(name)
        return tool_of(capability) if capability else next((tool for tool in JOB_TOOLS if tool.name == name), None)

    def use(self, tool: Tool, arguments: Json) -> Json:
        """The result of a tool's call; its failures are results too, for the model to see and correct."""
        try:
            envelope = self._used(tool, arguments)
        except VerbenaError as error:
            return _result(failed(error).wire(), is_error=True)
        except Exception:
            logger.exception("tool %s failed", tool.name)
            return _result(failed(InternalError(request_id=self.caller.correlation_id)).wire(), is_error=True)
        # Reading a job succeeds whatever became of the job.
        return _result(envelope, is_error="error" in envelope and tool.name not in JOB_USES)

    def _used(self, tool: Tool, arguments: Json) -> Json:
        if tool.scope not in self.caller.scopes:
            raise Forbidden(f"this key lacks the scope {tool.scope!r}", scope=tool.scope)
        if capability := self._verb(tool.name):
            return self._called(capability, arguments)
        asked = _checked(tool.input, arguments)
        return JOB_USES[tool.name](self, asked)

    def _verb(self, name: str) -> Capability | None:
        return next((verb for verb in self.calls.verbs.values() if verb.id == name), None)

    def _called(self, capability: Capability, arguments: Json) -> Json:
        """An answer too long for here was kept as a job, and its first rows are shown."""
        answered = self.call(capability, arguments, replace(self.caller, answer_cap=self.size.max_chars))
        if answered.job_id and answered.status == "completed":
            return self.rows(Rows(job_id=answered.job_id))
        return sized(answered.wire(), self.size)

    def status(self, asked: OfJob) -> Json:
        """How far a job is."""
        return self._view(self._job(asked.job_id))

    def cancel(self, asked: OfJob) -> Json:
        """End a job, and say how far it came."""
        self._job(asked.job_id)
        self.run(close(self.calls.backend, asked.job_id, "cancelled", self.calls.retention_s))
        return self.status(asked)

    def rows(self, asked: Rows) -> Json:
        """A page of rows, as long as the client takes it."""
        job, reading, base_url = self._job(asked.job_id), self.calls.reading, self.caller.base_url
        page = self.run(reading.page(job, asked.cursor, asked.limit, base_url)).wire()
        received = page.get("results", [])
        if asked.limit == 1 and any("content_ref" in row for row in received):
            page["results"] = [from_json(self.run(reading.row(job, asked.cursor)))]
        size = Size(asked.max_chars or self.size.max_chars, asked.max_chars_per_row or self.size.max_chars_per_row)
        shown = sized(page, size, asked.cursor, asked.skip_chars)
        count = len(shown.get("results", ()))
        if count < len(received):
            shown["next"] = page_url(base_url, job.job_id, asked.cursor + count, asked.limit)
        return shown

    def _job(self, job_id: str) -> Job:
        job: Job = self.run(self.calls.reading.job(self.caller.owner, job_id))
        return job

    def _view(self, job: Job) -> Json:
        answered: Answered = self.run(self.calls.reading.view(job, self.caller.base_url))
        return answered.wire()


JOB_USES: Mapping[str, Callable[[Toolbox, Any], Json]] = {
    JOB_STATUS.name: Toolbox.status,
    JOB_RESULTS.name: Toolbox.rows,
    JOB_CANCEL.name: Toolbox.cancel,
}


def _result(envelope: Json, *, is_error: bool) -> Json:
    return {
        "content": [{"type": "text", "text": text_of(envelope)}],
        "structuredContent": envelope,
        "isError": is_error,
        "_meta": UNTRUSTED,
    }


def _checked(model: type[Model] | Any, arguments: Json) -> Any:
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        raise InvalidInput(fields=problems_of(error, list(model.model_fields))) from error
