"""The bar as rich draws it: done, rate, money and time left."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class Rich:
    """Lives on standard error and leaves nothing behind."""

    def __init__(self) -> None:
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("rows"),
            Rate(),
            TextColumn("{task.fields[spent]}"),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=None, spent="")

    def draw(self, done: int, total: int | None, spent: str) -> None:
        self._bar.update(self._task, completed=done, total=total, spent=spent)
        self._bar.start()

    def erase(self) -> None:
        self._bar.stop()


class Rate(ProgressColumn):
    """Rows a second, lately."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")
