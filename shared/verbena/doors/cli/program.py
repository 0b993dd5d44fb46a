"""The program and its commands; each is loaded when it is used, so that help comes at once."""

import importlib
from typing import cast

import click

COMMANDS = {
    "call": ("verbena.doors.cli.verbs:call", "Call a verb: read pages, search, find places."),
    "jobs": ("verbena.doors.cli.operations:jobs", "List, read, wait for, cancel and resume jobs."),
    "mcp": ("verbena.doors.cli.models:mcp", "Serve the verbs as tools of a model, over standard input and output."),
    "tools": ("verbena.doors.cli.models:tools", "Print the verbs as tools in the form that a vendor's models take."),
    "wallet": ("verbena.doors.cli.operator:wallet", "Say what can be spent and what is held; fill a wallet."),
    "usage": ("verbena.doors.cli.operator:usage", "Say what was billed, by day and verb."),
    "prices": ("verbena.doors.cli.operations:prices", "List what is counted, and what each costs."),
    "verbs": ("verbena.doors.cli.operations:verbs", "List the verbs of a server with their prices."),
    "init": ("verbena.doors.cli.operator:init", "Operators: make the first owner, key and wallet of a fresh deploy."),
    "keys": ("verbena.doors.cli.operator:keys", "Operators: make, list and revoke API keys."),
    "providers": ("verbena.doors.cli.providers:providers", "Operators: say which vendors serve, and in what order."),
    "maps": ("verbena.doors.cli.maps:maps", "Operators: make places of an OpenStreetMap extract available to maps."),
    "completion": ("verbena.doors.cli.completion:completion", "Print what makes a shell complete commands."),
}


class Program(click.Group):
    """A group that knows the names and summaries of its commands without loading them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        return cast("click.Command", getattr(importlib.import_module(module), name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.command(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: verbena call web.scrape --help",
)
@click.version_option(package_name="verbena", message="%(package)s %(version)s")
def main() -> None:
    """Typed verbs that acquire data from the web and return it.

    Commands talk to a running server ('make run' starts one); 'call --local' needs none. Operators reach a
    deployed stack with AWS credentials.
    """
