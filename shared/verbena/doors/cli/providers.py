"""`verbena providers`: which vendors serve, in what order, with which credentials."""

import click

from verbena.doors.cli.command import Ordered
from verbena.doors.cli.operator import OperatorCommand

ACTS = "verbena.doors.cli.provide"
STATUSES = ("active", "pending", "terminated")


def _name() -> click.Argument:
    return click.Argument(["name"], metavar="NAME")


providers = Ordered(
    "providers",
    help="Say which vendors serve searches and the like, and in what order, as an operator.",
    commands=[
        OperatorCommand("list", "List providers in the order they are asked.", f"{ACTS}:show"),
        OperatorCommand("drivers", "List what each driver can, and the secrets it needs.", f"{ACTS}:drivers"),
        OperatorCommand("seed", "Make a provider for every driver that has none yet.", f"{ACTS}:seed"),
        OperatorCommand(
            "set",
            "Change a provider, or make one. What is not given stays as it is.",
            f"{ACTS}:change",
            [
                _name(),
                click.Option(["--driver"], help="The vendor's driver.  [default: the one of its name]"),
                click.Option(["--status"], type=click.Choice(STATUSES), help="Only active providers are asked."),
                click.Option(["--priority"], type=click.IntRange(0, 10_000), help="Lower is asked first."),
                click.Option(
                    ["--secret", "secrets"],
                    multiple=True,
                    metavar="SECRET_NAME",
                    help="Store this secret: its value is read from the variable of that name, else asked for.",
                ),
                click.Option(["--no-secrets"], is_flag=True, help="Forget the stored secrets."),
                click.Option(["--config"], metavar="JSON", help="What tunes the driver, as a JSON object."),
                click.Option(["--max-results"], type=click.IntRange(1, 1_000), help="Never ask for more than this."),
                click.Option(
                    ["--allow-caching/--forbid-caching"],
                    default=None,
                    help="Whether its terms let answers be kept longer than 15 minutes.",
                ),
                click.Option(["--display-name"], help="What people read."),
                click.Option(["--comments"], help="A note to whoever operates this next."),
            ],
        ),
        OperatorCommand(
            "order",
            "Ask these first, in this order; the others follow as they did.",
            f"{ACTS}:order",
            [click.Argument(["names"], metavar="NAME...", nargs=-1, required=True)],
        ),
        OperatorCommand("delete", "Forget a provider and its secrets.", f"{ACTS}:delete", [_name()]),
        OperatorCommand(
            "test",
            "Make one live call with a provider, and say what came back. Nothing is billed but by the vendor.",
            f"{ACTS}:test",
            [_name(), click.Option(["--query"], default="harbour timetable", show_default=True, help="What to ask.")],
        ),
    ],
)
