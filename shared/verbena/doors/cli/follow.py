"""Wait for a job, and show how far it is."""

import time

import click

from verbena.client.bar import Bar
from verbena.client.wire import Json, looks
from verbena.doors.cli import say
from verbena.doors.cli.target import Target

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
    bar, pauses = Bar(), looks()
    try:
        while (view := target.job(job_id))["status"] != "completed":
            bar.show(view)
            time.sleep(next(pauses))
    finally:
        bar.hide()
    return view
