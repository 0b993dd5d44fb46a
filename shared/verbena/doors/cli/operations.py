"""The commands of what a server offers beside verbs: jobs, prices and its catalog."""

import click

from verbena.doors.cli.command import ROW_FORMS, Command, Ordered, query_options
from verbena.views import ListQuery

JOBS = "verbena.doors.cli.jobs"
ACCOUNT = "verbena.doors.cli.account"


def _job_id() -> click.Argument:
    return click.Argument(["job_id"], metavar="JOB_ID")


def _slice() -> list[click.Option]:
    return [
        click.Option(["--cursor"], type=click.IntRange(min=0), default=0, help="Input position of the first row."),
        click.Option(["--limit"], type=click.IntRange(min=1), help="So many rows at most.  [default: all]"),
    ]


jobs = Ordered(
    "jobs",
    help="List, read, wait for, cancel and resume jobs.",
    commands=[
        Command("list", "List jobs, newest first.", f"{JOBS}:list_jobs", query_options(ListQuery)),
        Command("show", "Show how far a job is and what it cost, without rows.", f"{JOBS}:show", [_job_id()]),
        Command(
            "rows",
            "Read a job's rows in input order; of a running job those that are ready.",
            f"{JOBS}:rows",
            [_job_id(), *_slice()],
            forms=ROW_FORMS,
        ),
        Command("wait", "Wait until a job is over; exit code 1 if it failed.", f"{JOBS}:wait", [_job_id()]),
        Command("cancel", "Cancel a job; its rows so far stay, and are billed.", f"{JOBS}:cancel", [_job_id()]),
        Command("resume", "Run what failed or was not attempted, as a new job.", f"{JOBS}:resume", [_job_id()]),
    ],
)
prices = Command("prices", "List what is counted, and what each costs on a server.", f"{ACCOUNT}:prices")
verbs = Command("verbs", "List the verbs of a server with their prices.", f"{ACCOUNT}:verbs")
