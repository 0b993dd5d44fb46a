"""Where calls run, as commands see it: a server, or this process."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from verbena.client.wire import PAGE, Json

if TYPE_CHECKING:
    from verbena.doors.cli.in_process import InProcess

LOCAL_NEEDS = "pip install 'verbena[cli,html,pdf,server]'"
"""What running verbs in this process takes; talking to a server takes `cli` alone."""


class Stopped(Exception):
    """The command cannot go on; `fix` says what to do."""

    def __init__(self, message: str, fix: str) -> None:
        self.fix = fix
        super().__init__(message)


class Target(Protocol):
    """Envelopes come as JSON, so that what a newer server adds is shown, not refused.

    `keeps_jobs` says whether jobs go on when the program ends. Any method may raise Refused, Unreachable or Stopped.
    """

    @property
    def keeps_jobs(self) -> bool: ...

    def call(self, verb: str, body: Json) -> Json: ...
    def job(self, job_id: str) -> Json: ...
    def page(self, job_id: str, cursor: int, limit: int) -> Json: ...
    def row(self, job_id: str, position: int) -> Json: ...
    def cancel(self, job_id: str) -> Json: ...
    def close(self) -> None: ...


def this_process() -> "InProcess":
    """The target that needs no server; Stopped if what it takes is not installed."""
    try:
        from verbena.doors.cli.in_process import InProcess  # noqa: PLC0415 - the call path is not needed for help
    except ModuleNotFoundError as missing:
        raise Stopped(f"the module {missing.name!r} is not installed", LOCAL_NEEDS) from missing
    return InProcess()


@dataclass(frozen=True, slots=True)
class Answer:
    """An envelope with its rows apart: they are read as they are used, and there may be thousands."""

    head: Json
    rows: Iterator[Json]


def answer_of(target: Target, envelope: Json) -> Answer:
    """The whole answer of a call that is over; the rows of a job are all of them, not the first page."""
    if "job_id" in envelope:
        return job_answer(target, envelope["job_id"])
    return Answer(_head(envelope), iter(envelope.get("results", ())))


def job_answer(target: Target, job_id: str, cursor: int = 0, limit: int | None = None) -> Answer:
    """A job's rows from an input position on; of a pending job those of the finished prefix."""
    first = target.page(job_id, cursor, min(limit or PAGE, PAGE))
    return Answer(_head(first), _rows(target, job_id, first, cursor, limit))


def _head(envelope: Json) -> Json:
    return {name: value for name, value in envelope.items() if name not in {"results", "next"}}


def _rows(target: Target, job_id: str, page: Json, cursor: int, limit: int | None) -> Iterator[Json]:
    """The rows of a page and of those after it, each whole even where the page had to cut it."""
    end = None if limit is None else cursor + limit
    while page["results"]:
        for row in page["results"]:
            yield target.row(job_id, cursor) if "content_ref" in row else row
            cursor += 1
        if "next" not in page or cursor == end:
            return
        page = target.page(job_id, cursor, PAGE if end is None else min(end - cursor, PAGE))
