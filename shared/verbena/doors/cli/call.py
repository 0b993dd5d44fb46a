"""Make a call, wait for it if it became a job, and show what came."""

from typing import Any

import click

from verbena.capability import CallOptions, Capability
from verbena.client.wire import Json
from verbena.doors.cli import say
from verbena.doors.cli.follow import follow, hints
from verbena.doors.cli.rows import finish
from verbena.doors.cli.target import Target, answer_of, job_answer
from verbena.doors.cli.words import body_of, json_body


def run(
    target: Target, *, capability: Capability, words: tuple[str, ...], json_from: str | None, output: str, **flags: Any
) -> None:
    """`flags` are the call options by their names here, None where not given."""
    given = {CallOptions.model_fields[name].alias or name: value for name, value in flags.items() if value is not None}
    body = body_of(capability, words, json_body(json_from) if json_from else {}, given)
    envelope = target.call(capability.name, body)
    if envelope["status"] == "completed":
        finish(answer_of(target, envelope), output)
    elif body.get("async") and target.keeps_jobs:
        _leave(envelope, output)
    else:
        follow(target, envelope["job_id"])
        finish(job_answer(target, envelope["job_id"]), output)


def _leave(envelope: Json, output: str) -> None:
    """A job that was asked for is not waited for."""
    if output == "text":
        click.echo(envelope["job_id"])
        hints(envelope["job_id"], "wait", "rows", "cancel")
    else:
        say.json_line(envelope)
