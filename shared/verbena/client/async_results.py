"""What a call gives on an event loop: `results`, with waits that are awaited."""

from collections.abc import AsyncIterator, Generator
from typing import Any, Self

from verbena.client.bar import Bar
from verbena.client.course import Course, MetaT, RowT
from verbena.client.lines import AsyncLine
from verbena.client.told import Handle, Told


class AsyncResult(Told[RowT, MetaT]):
    """`async for` gives each row as soon as it is there, `await` the result with all of them.

    Nothing is sent before either; what else it says can be read after. Failures are those of `Result`.
    """

    def __init__(self, line: AsyncLine, course: Course[RowT, MetaT], *, has_bar: bool) -> None:
        super().__init__(course)
        self._line = line
        self._bar = Bar(is_wanted=has_bar)
        self._rows: list[RowT] | None = None

    async def __aiter__(self) -> AsyncIterator[RowT]:
        if self._rows is not None:
            for row in self._rows:
                yield row
            return
        async for rows in self._batches():
            self._bar.hide()  # what the caller prints now must not meet it
            for row in rows:
                yield row

    def __await__(self) -> Generator[Any, None, Self]:
        return self._whole().__await__()

    @property
    def rows(self) -> list[RowT]:
        """Every row, in input order."""
        if self._rows is None:
            raise RuntimeError(NOT_AWAITED)
        return self._rows

    async def _whole(self) -> Self:
        if self._rows is None:
            self._rows = [row async for rows in self._batches() for row in rows]
        return self

    async def _batches(self) -> AsyncIterator[list[RowT]]:
        cursor, is_last = 0, False
        try:
            while not is_last:
                rows, is_last = await self._line.run(self._course.batch(cursor, self._bar.show))
                yield rows
                cursor += len(rows)
        finally:
            self._bar.hide()

    def _seen(self) -> Course[RowT, MetaT]:
        if not self._course.head:
            raise RuntimeError(NOT_AWAITED)
        return self._course


NOT_AWAITED = "await the result first, or take its rows with async for"


class AsyncJob(Handle[RowT, MetaT]):
    """A job's handle: look at it, take its rows, end it, or run what it left."""

    def __init__(self, line: AsyncLine, course: Course[RowT, MetaT], *, has_bar: bool) -> None:
        super().__init__(course, has_bar=has_bar)
        self._line = line

    async def refresh(self) -> Self:
        """Look again."""
        await self._line.run(self._course.look())
        return self

    def results(self, timeout: float | None = None) -> AsyncResult[RowT, MetaT]:
        """Its rows as they land; waiting for them takes at most `timeout` seconds."""
        return AsyncResult(self._line, self._course.again(timeout), has_bar=self._has_bar)

    async def cancel(self) -> Self:
        """End it; its rows so far stay, and are billed."""
        await self._line.run(self._course.cancel())
        return self

    async def resume(self) -> "AsyncJob[RowT, MetaT]":
        """Run what failed or was not attempted, as a new job."""
        return AsyncJob(self._line, await self._line.run(self._course.resume()), has_bar=self._has_bar)
