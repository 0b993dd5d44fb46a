"""One call as far as it has been seen: its state, and the conversations that move it on. No I/O."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar, cast

from verbena.capability import Capability
from verbena.client.peer import Peer
from verbena.client.typed import modelled
from verbena.client.wire import PAGE, Json, Overdue, Refused, T, Talk, looks
from verbena.envelope import Attempt, ErrorInfo, Meta, Progress, Usage

RowT = TypeVar("RowT")
MetaT = TypeVar("MetaT", bound=Meta)

Watch = Callable[[Json], None]
"""Told the state of a job before each pause."""


class Course(Generic[RowT, MetaT]):
    """`head` is the last envelope without its rows, empty until the call is sent or its job was looked at.

    `capability` is None where the verb of a job is not known: its rows stay JSON. `body` is what is to be sent.
    After `timeout` seconds a wait is Overdue.
    """

    def __init__(
        self, peer: Peer, capability: Capability | None, body: Json | None = None, timeout: float | None = None
    ) -> None:
        self.peer = peer
        self.capability = capability
        self.head: Json = {}
        self.attempts: list[Attempt] = []
        self.meta: MetaT | None = None
        self._body = body
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._first: Json | None = None
        self._is_read = False

    @property
    def job_id(self) -> str | None:
        return self.head.get("job_id")

    @property
    def progress(self) -> Progress | None:
        return modelled(Progress, self.head["progress"]) if "progress" in self.head else None

    @property
    def usage(self) -> Usage:
        return modelled(Usage, self.head.get("usage") or {})

    @property
    def error(self) -> ErrorInfo | None:
        return modelled(ErrorInfo, self.head["error"]) if "error" in self.head else None

    def see(self, envelope: Json) -> None:
        """Take note of what the server said last."""
        self.head = {name: value for name, value in envelope.items() if name != "results"}
        made = [modelled(Attempt, attempt) for attempt in envelope.get("attempts") or ()]
        # A part with rows on two pages tells its attempts on both; one that is looked at twice tells them twice.
        self.attempts = list(dict.fromkeys([*self.attempts, *made]))
        if told := envelope.get("meta"):
            self.meta = cast("MetaT", modelled(self.capability.meta if self.capability else Meta, told))

    def send(self) -> Talk[None]:
        """Make the call, unless that is done."""
        if self.head or self._body is None or self.capability is None:
            return
        envelope = yield from self.peer.call(self.capability.name, self._body, self._deadline)
        self.see(envelope)
        if envelope["status"] == "completed":
            self._first = envelope
            self._is_read = "next" not in envelope

    def look(self) -> Talk[None]:
        """Look at the job."""
        self.see((yield from self._timely(self.peer.job(self.job_id or "", self._deadline))))

    def cancel(self) -> Talk[None]:
        """End the job."""
        self.see((yield from self.peer.cancel(self.job_id or "")))

    def resume(self) -> "Talk[Course[RowT, MetaT]]":
        """The new job that runs what this one left."""
        course: Course[RowT, MetaT] = Course(self.peer, self.capability)
        course.see((yield from self.peer.resume(self.job_id or "")))
        return course

    def again(self, timeout: float | None) -> "Course[RowT, MetaT]":
        """The same call with all of its rows still to come."""
        course: Course[RowT, MetaT] = Course(self.peer, self.capability, timeout=timeout)
        course.see(self.head)
        course._first = self._first
        return course

    def finish(self, watch: Watch) -> Talk[None]:
        """Wait for the end, and read what comes with rows only: attempts and meta of a verb without a list."""
        pauses = looks()
        while self.head["status"] != "completed":
            yield from self._pause(pauses, watch)
            yield from self.look()
        cursor, is_last = 0, self._is_read or bool(self.capability and self.capability.mode.items)
        while not is_last:
            rows, is_last = yield from self.batch(cursor, watch)
            cursor += len(rows)

    def batch(self, cursor: int, watch: Watch) -> Talk[tuple[list[RowT], bool]]:
        """The next rows, as soon as there are any, and whether they are the last.

        A call that ended with an error and without a single row raises it, be it a job or not.
        """
        yield from self.send()
        pauses = looks()
        while True:
            page = yield from self._page(cursor)
            rows = page["results"]
            is_last = page["status"] == "completed" and ("next" not in page or not rows)
            if is_last and "error" in page and not rows and not cursor:
                raise Refused(page)
            self._is_read = self._is_read or is_last
            if rows or is_last:
                return (yield from self._whole(rows, cursor)), is_last
            yield from self._pause(pauses, watch)

    def _page(self, cursor: int) -> Talk[Json]:
        if self._first is not None and not cursor:
            return self._first
        page = yield from self._timely(self.peer.page(self.job_id or "", cursor, PAGE, self._deadline))
        self.see(page)
        return page

    def _whole(self, rows: list[Json], cursor: int) -> Talk[list[RowT]]:
        """Rows as their models, each whole even where the page had to cut it."""
        read = []
        for position, row in enumerate(rows, cursor):
            is_cut = row.get("content_ref") is not None
            read.append(self._row((yield from self._uncut(position)) if is_cut else row))
        return read

    def _uncut(self, position: int) -> Talk[Json]:
        return self._timely(self.peer.row(self.job_id or "", position, self._deadline))

    def _row(self, row: Json) -> RowT:
        shown: Any = modelled(self.capability.row, row) if self.capability else row
        return cast("RowT", shown)

    def _pause(self, pauses: Iterator[float], watch: Watch) -> Talk[None]:
        watch(self.head)
        pause = next(pauses)
        if self._deadline is not None and time.monotonic() + pause > self._deadline:
            raise self._overdue()
        yield pause

    def _timely(self, talk: Talk[T]) -> Talk[T]:
        """The same conversation about this job; an Overdue names it."""
        try:
            return (yield from talk)
        except Overdue as late:
            raise self._overdue() from late

    def _overdue(self) -> Overdue:
        return Overdue(f"job {self.job_id} still runs; client.jobs.get(job_id) goes on with it", self.job_id)


def job_course(peer: Peer, capability: Capability | None, job_id: str) -> Talk[Course[Any, Any]]:
    """A job by its id."""
    course: Course[Any, Any] = Course(peer, capability)
    course.see((yield from peer.job(job_id)))
    return course
