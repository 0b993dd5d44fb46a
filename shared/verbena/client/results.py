"""What a call gives, blocking: rows that come as they land, and the handle of a job that is not waited for."""

from collections.abc import Iterator
from typing import Self

from verbena.client.bar import Bar
from verbena.client.course import Course, MetaT, RowT
from verbena.client.lines import Line
from verbena.client.told import Handle, Told


class Result(Told[RowT, MetaT]):
    """The answer of a call, whether it came at once or is a job: iterating gives each row as soon as it is there.

    All else waits for the end first. Waiting raises the typed error of a call that failed whole, and Overdue when the
    call's timeout passes; a call that failed midway has its rows and an `error`.
    """

    def __init__(self, line: Line, course: Course[RowT, MetaT], *, has_bar: bool) -> None:
        super().__init__(course)
        self._line = line
        self._bar = Bar(is_wanted=has_bar)
        self._rows: list[RowT] | None = None

    def __iter__(self) -> Iterator[RowT]:
        if self._rows is not None:
            yield from self._rows
            return
        for rows in self._batches():
            self._bar.hide()  # what the caller prints now must not meet it
            yield from rows

    @property
    def rows(self) -> list[RowT]:
        """Every row, in input order; read once and kept."""
        if self._rows is None:
            self._rows = [row for rows in self._batches() for row in rows]
        return self._rows

    def _batches(self) -> Iterator[list[RowT]]:
        cursor, is_last = 0, False
        try:
            while not is_last:
                rows, is_last = self._line.run(self._course.batch(cursor, self._bar.show))
                yield rows
                cursor += len(rows)
        finally:
            self._bar.hide()

    def _seen(self) -> Course[RowT, MetaT]:
        try:
            self._line.run(self._course.finish(self._bar.show))
        finally:
            self._bar.hide()
        return self._course


class Job(Handle[RowT, MetaT]):
    """A job's handle: look at it, take its rows, end it, or run what it left."""

    def __init__(self, line: Line, course: Course[RowT, MetaT], *, has_bar: bool) -> None:
        super().__init__(course, has_bar=has_bar)
        self._line = line

    def refresh(self) -> Self:
        """Look again."""
        self._line.run(self._course.look())
        return self

    def results(self, timeout: float | None = None) -> Result[RowT, MetaT]:
        """Its rows as they land; waiting for them takes at most `timeout` seconds."""
        return Result(self._line, self._course.again(timeout), has_bar=self._has_bar)

    def cancel(self) -> Self:
        """End it; its rows so far stay, and are billed."""
        self._line.run(self._course.cancel())
        return self

    def resume(self) -> "Job[RowT, MetaT]":
        """Run what failed or was not attempted, as a new job."""
        return Job(self._line, self._line.run(self._course.resume()), has_bar=self._has_bar)
