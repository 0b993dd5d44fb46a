"""Tables and lists of facts for a person."""

import sys
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verbena.doors.cli import say

UNBOUNDED = 10_000
"""Columns of a table that goes into a file or a pipe: nothing is wrapped there."""


def show_table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    table = Table(*header, box=None, pad_edge=False, header_style="bold")
    for line in lines:
        table.add_row(*(Text(say.plain(cell)) for cell in line))
    _console().print(table)


def show_facts(facts: Mapping[str, str | None]) -> None:
    """Names and values, one a line; what is not known is left out."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in facts.items():
        if value:
            table.add_row(Text(name), Text(say.plain(value)))
    _console().print(table)


def _console() -> Console:
    return Console(highlight=False, width=None if sys.stdout.isatty() else UNBOUNDED)
