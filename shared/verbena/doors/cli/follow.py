"""Wait for a job, and show how far it is."""

import sys
import time

import click
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

from verbena.doors.cli import say
from verbena.doors.cli.target import Json, Target

# Short jobs end between two looks; long ones need not be asked more often than a person looks.
FIRST_LOOK_S = 0.1
LONGEST_LOOK_S = 1.0
SLOWING = 1.3
INTERRUPTED = 130


def follow(target: Target, job_id: str) -> Json:
    """The last view of a job, once it is over. Ctrl-C leaves a job that its target keeps, and ends any other."""
    if target.keeps_jobs:
        say.note(f"job {job_id}")
    try:
        return _watched(target, job_id)
    except KeyboardInterrupt:
        if not target.keeps_jobs:
            say.note("Interrupted: what was not read yet is left out.")
            return target.cancel(job_id)
        say.note("Interrupted; the job goes on.")
        hints(job_id, "wait", "cancel")
        raise click.exceptions.Exit(INTERRUPTED) from None


def hints(job_id: str, *commands: str) -> None:
    """What can be done with a job now, to paste."""
    for command in commands:
        say.note(f"  verbena jobs {command} {job_id}")


def _watched(target: Target, job_id: str) -> Json:
    pause = FIRST_LOOK_S
    with _bar() as bar:
        task = bar.add_task("", total=None, spent="")
        while True:
            view = target.job(job_id)
            progress = view.get("progress") or {"done": 0, "total": None}
            charge = (view.get("usage") or {}).get("charge_micros", 0)
            spent = f"{say.money(charge)} spent" if charge else ""
            bar.update(task, completed=progress["done"], total=progress["total"], spent=spent)
            if view["status"] == "completed":
                return view
            time.sleep(pause)
            pause = min(pause * SLOWING, LONGEST_LOOK_S)


def _bar() -> Progress:
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("rows"),
        Rate(),
        TextColumn("{task.fields[spent]}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


class Rate(ProgressColumn):
    """Rows a second, lately."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")
