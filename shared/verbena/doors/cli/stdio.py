"""`verbena mcp`: messages on standard input, answers on standard output, and nothing else on it."""

import sys
from contextlib import closing

import click

from verbena.doors import mcp, mcp_stdio
from verbena.doors.cli import say
from verbena.doors.cli.bridge import Bridge
from verbena.doors.cli.command import FAILED
from verbena.doors.cli.target import Stopped, this_process
from verbena.tools.size import Size


def serve(*, url: str, key: str | None, max_chars: int, max_chars_per_row: int | None, local: bool) -> None:
    """Serve until standard input ends; exit code 1 if a verb cannot run here."""
    size = Size(max_chars, max_chars_per_row)
    try:
        _serve_here(size) if local else _serve_from(url, key, size)
    except Stopped as error:
        say.stopped(str(error), error.fix)
        raise click.exceptions.Exit(FAILED) from error


def _serve_here(size: Size) -> None:
    with closing(this_process()) as here:
        toolbox = here.toolbox(size)
        _answering(lambda message: mcp.answers(message, toolbox, batches=True))


def _serve_from(url: str, key: str | None, size: Size) -> None:
    with closing(Bridge(url, key, size)) as bridge:
        _answering(bridge.answer)


def _answering(answer: mcp_stdio.Answer) -> None:
    mcp_stdio.serve(sys.stdin.buffer, sys.stdout.buffer, answer)
