"""What `verbena jobs` does with calls that became jobs."""

import click

from verbena.billing import dollars
from verbena.client.wire import Json
from verbena.doors.cli import say
from verbena.doors.cli.command import FAILED, query_of
from verbena.doors.cli.follow import follow, hints
from verbena.doors.cli.rows import finish
from verbena.doors.cli.server import Server
from verbena.doors.cli.table import show_facts, show_table
from verbena.doors.cli.target import job_answer
from verbena.views import JobList, ListQuery


def list_jobs(server: Server, *, output: str, **query: str | None) -> None:
    answer = server.read("/v1/jobs", query_of(ListQuery, query))
    if output == "json":
        say.json_line(answer)
        return
    listed = JobList.model_validate(answer)
    show_table(
        ("job", "verb", "status", "created", "items", "charged", "error"),
        (
            (
                job.job_id,
                job.verb,
                job.status,
                f"{job.created_at[:19]}Z",
                "" if job.items is None else f"{job.items:,}",
                dollars(job.usage.charge_micros) if job.usage else "",
                job.error.code if job.error else "",
            )
            for job in listed.jobs
        ),
    )
    if listed.next:
        say.note(f"Older ones: verbena jobs list --before {listed.jobs[-1].created_at}")


def show(server: Server, *, job_id: str, output: str) -> None:
    _show(server.job(job_id), output)


def rows(server: Server, *, job_id: str, cursor: int, limit: int | None, output: str) -> None:
    finish(job_answer(server, job_id, cursor, limit), output)


def wait(server: Server, *, job_id: str, output: str) -> None:
    view = follow(server, job_id)
    _show(view, output)
    if "error" in view:
        raise click.exceptions.Exit(FAILED)


def cancel(server: Server, *, job_id: str, output: str) -> None:
    _show(server.cancel(job_id), output)


def resume(server: Server, *, job_id: str, output: str) -> None:
    _show(server.resume(job_id), output)


def _show(view: Json, output: str) -> None:
    """A job without its rows, and what can be done next."""
    if output == "json":
        say.json_line(view)
        return
    progress, usage, error = view.get("progress") or {}, view.get("usage") or {}, view.get("error")
    total = progress.get("total")
    show_facts(
        {
            "job": view["job_id"],
            "status": view["status"],
            "rows": f"{progress.get('done', 0):,}" + (f" of {total:,}" if total is not None else ""),
            "billed": say.counted(usage.get("units", {})) or "nothing",
            "charged": dollars(usage.get("charge_micros", 0)),
            "error": error and say.summary(error),
        }
    )
    if view["status"] == "pending":
        hints(view["job_id"], "wait", "cancel")
    else:
        hints(view["job_id"], "rows", *(["resume"] if error else []))
