"""The commands for programs in which a model uses the verbs as its tools."""

import json
import sys
from contextlib import closing
from typing import Any

import click

from verbena.catalog import CATALOG
from verbena.doors import mcp as protocol
from verbena.doors import mcp_stdio
from verbena.doors.cli import say
from verbena.doors.cli.command import FAILED, loaded, server_options
from verbena.doors.cli.target import Stopped
from verbena.doors.tools import WHOLE_CHARS, tools_of
from verbena.doors.tools_schema import FORMATS
from verbena.doors.tools_size import Size


def _mcp(url: str, key: str | None, max_chars: int, max_chars_per_row: int | None, *, local: bool) -> None:
    size = Size(max_chars, max_chars_per_row)
    try:
        _serve_here(size) if local else _serve_from(url, key, size)
    except Stopped as error:
        say.stopped(error)
        raise click.exceptions.Exit(FAILED) from error


def _serve_here(size: Size) -> None:
    with closing(loaded("verbena.doors.cli.in_process:InProcess")()) as here:
        toolbox = here.toolbox(size)
        _serve(lambda message: protocol.answers(message, toolbox, batches=True))


def _serve_from(url: str, key: str | None, size: Size) -> None:
    with closing(loaded("verbena.doors.cli.bridge:Bridge")(url, key, size)) as bridge:
        _serve(bridge.answer)


def _serve(answer: mcp_stdio.Answer) -> None:
    mcp_stdio.serve(sys.stdin.buffer, sys.stdout.buffer, answer)


def _tools(form: str) -> None:
    click.echo(json.dumps(FORMATS[form](tools_of(CATALOG)), indent=1))


def _chars(name: str, default: int | None, least: int, summary: str) -> click.Option:
    return click.Option([name], type=click.IntRange(least, 1_000_000), default=default, show_default=True, help=summary)


_PARAMS: list[Any] = [
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
