"""The commands for programs in which a model uses the verbs as its tools."""

import json
from typing import Any

import click

from verbena.catalog import CATALOG
from verbena.doors.cli.command import loaded, server_options
from verbena.tools.schema import FORMATS
from verbena.tools.tool import WHOLE_CHARS, tools_of


def _mcp(**said: Any) -> None:
    loaded("verbena.doors.cli.stdio:serve")(**said)


def _tools(form: str) -> None:
    click.echo(json.dumps(FORMATS[form](tools_of(CATALOG)), indent=1))


def _chars(name: str, default: int | None, least: int, summary: str) -> click.Option:
    return click.Option([name], type=click.IntRange(least, 1_000_000), default=default, show_default=True, help=summary)


_PARAMS: list[click.Parameter] = [
    click.Option(["--local"], is_flag=True, help="Run in this process: no server, no key, nothing billed or kept."),
    _chars("--max-chars", WHOLE_CHARS, 4_000, "Longest answer; more of it is read with job_results."),
    _chars("--max-chars-per-row", None, 1_000, "Longest row of an answer that cannot be given whole."),
]
mcp = click.Command(
    "mcp",
    help="Serve the verbs as tools over standard input and output (MCP), for programs that start their servers.",
    params=[*_PARAMS, *server_options()],
    callback=_mcp,
)
tools = click.Command(
    "tools",
    help="Print the verbs as tools, for the `tools` of a request to a vendor's models.",
    params=[click.Option(["--format", "form"], type=click.Choice(list(FORMATS)), required=True, help="Whose form.")],
    callback=_tools,
)
