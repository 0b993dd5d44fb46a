"""What an answer says beside its rows."""

from typing import Generic

from verbena.client.course import Course, MetaT, RowT
from verbena.envelope import Attempt, ErrorInfo, Progress, Usage


class Told(Generic[RowT, MetaT]):
    """As it was last seen; who extends it says in `_seen` what must have happened before it may be read."""

    def __init__(self, course: Course[RowT, MetaT]) -> None:
        self._course = course

    def __repr__(self) -> str:
        verb = self._course.capability.name if self._course.capability else "a verb"
        status = self._course.head.get("status", "not sent yet")
        return f"<{type(self).__name__} of {verb}: {status}, job {self.job_id}>"

    @property
    def job_id(self) -> str | None:
        """The job's id; None for a call that was answered within its request."""
        return self._course.job_id

    @property
    def usage(self) -> Usage:
        """What was counted and charged."""
        return self._seen().usage

    @property
    def error(self) -> ErrorInfo | None:
        """Why the call stopped before its end, such as `cancelled`."""
        return self._seen().error

    @property
    def meta(self) -> MetaT | None:
        """What the verb says beside its rows: a written answer, the quote of a dry run, warnings."""
        return self._seen().meta

    @property
    def attempts(self) -> list[Attempt]:
        """Who was asked, and what came of it."""
        return self._seen().attempts

    def _seen(self) -> Course[RowT, MetaT]:
        return self._course


class Handle(Told[RowT, MetaT]):
    """A job that nobody waits for, as it was last seen."""

    def __init__(self, course: Course[RowT, MetaT], *, has_bar: bool) -> None:
        super().__init__(course)
        self._has_bar = has_bar

    @property
    def status(self) -> str:
        """`pending` or `completed`; `refresh` looks again."""
        return str(self._course.head["status"])

    @property
    def progress(self) -> Progress | None:
        return self._course.progress
