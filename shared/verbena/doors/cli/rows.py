"""An answer on standard output: readable rows for a person, JSON for a program; and what it came to."""

import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import click
from rich.cells import set_cell_size

from verbena.billing import dollars
from verbena.client.wire import Json
from verbena.doors.cli import say
from verbena.doors.cli.command import FAILED
from verbena.doors.cli.target import Answer

WHOLE_ROWS = 5
"""More rows than this are listed a line each: nobody reads twenty pages on a terminal."""

# What rows of all verbs call their heading and their text.
HEADINGS = ("title", "name")
TEXTS = ("content", "snippet", "text")
APART = {"index", "status", "error", "metadata", *HEADINGS, *TEXTS}
COLORS = {"success": "green", "empty": "yellow", "failed": "red"}
FACT_CHARS = 120


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows came, by status (rows of a search have none), and why some failed."""

    statuses: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)

    def counting(self, rows: Iterable[Json]) -> Iterator[Json]:
        """The same rows, counted as they pass."""
        for row in rows:
            status = row.get("status")
            self.statuses[status if status in COLORS else "found"] += 1
            if status == "failed":
                self.codes[(row.get("error") or {}).get("code", "unknown")] += 1
            yield row

    def text(self) -> str:
        parts = [f"{count:,} {status}" for status, count in self.statuses.items()]
        reasons = ", ".join(f"{code} {count:,}" for code, count in self.codes.most_common())
        return ", ".join(parts) + (f" ({reasons})" if reasons else "")


def finish(answer: Answer, form: str) -> None:
    """Write an answer and what it came to; exit code 1 if the call or any of its rows failed."""
    tally = Tally()
    counted = Answer(answer.head, tally.counting(answer.rows))
    WRITERS[form](counted)
    sys.stdout.flush()
    for warning in (answer.head.get("meta") or {}).get("warnings", ()):
        say.note(f"note: {warning}")
    if answer.head["status"] == "pending":
        say.note("The job still runs: these are its rows up to the first that is not ready.")
    if error := answer.head.get("error"):
        say.failure(error)
    if "usage" in answer.head and (form == "text" or sys.stderr.isatty()):
        say.note(_sum(answer.head, tally))
    if error or tally.statuses["failed"]:
        raise click.exceptions.Exit(FAILED)


def _sum(head: Json, tally: Tally) -> str:
    usage = head["usage"]
    parts = [tally.text() or "no rows", say.counted(usage.get("units", {})), dollars(usage.get("charge_micros", 0))]
    return " · ".join(part for part in parts if part)


def _json(answer: Answer) -> None:
    """The envelope, written as its rows come: it is never whole in memory."""
    out = sys.stdout.buffer
    out.write((say.encoded(answer.head)[:-1] + ',"results":[').encode())
    for number, row in enumerate(answer.rows):
        out.write((",\n" if number else "\n").encode() + say.encoded(row).encode())
    out.write(b"]}\n")


def _jsonl(answer: Answer) -> None:
    for row in answer.rows:
        say.json_line(row)


def _text(answer: Answer) -> None:
    for line in _meta_lines(answer.head.get("meta") or {}):
        click.echo(say.plain(line))
    first = list(islice(answer.rows, WHOLE_ROWS + 1))
    if len(first) <= WHOLE_ROWS:
        click.echo("\n\n".join(_whole(number, row) for number, row in enumerate(first)), nl=bool(first))
        return
    width = shutil.get_terminal_size().columns
    for number, row in enumerate(chain(first, answer.rows)):
        click.echo(_line(number, row, width))
    say.note("Add '-o json' for the whole rows.")


WRITERS = {"text": _text, "json": _json, "jsonl": _jsonl}


def _meta_lines(meta: Json) -> Iterator[str]:
    """What a verb says beside its rows; a text in it is meant to be read."""
    for name, value in meta.items():
        if name == "quote":
            units = say.counted(value["units"]) or "nothing"
            yield f"This call costs at most {dollars(value['max_charge_micros'])} ({units})."
        elif isinstance(value, dict) and "text" in value:
            yield f"{value['text']}\n"
        elif name != "warnings":
            yield f"{name}: {_fact(value)}"


def _whole(number: int, row: Json) -> str:
    """A row with its heading, its error or facts, and its text."""
    heading = _heading(row)
    lines = [f"{_label(number, row)}  {click.style(heading, bold=True)}"]
    if error := row.get("error"):
        lines.append(say.plain(f"    {error['code']}: {error['message']}"))
    facts = {name: value for name, value in row.items() if name not in APART and value not in (None, [], {}, heading)}
    lines += [say.plain(f"    {name}: {_fact(value)}") for name, value in facts.items()]
    text = next((row[name] for name in TEXTS if row.get(name)), None)
    return "\n".join(lines) + (f"\n\n{say.plain(text)}" if text else "")


def _line(number: int, row: Json, width: int) -> str:
    error = row.get("error")
    text = f"{error['code']}  {_heading(row)}" if error else _heading(row)
    label = _label(number, row)
    return f"{label}  {set_cell_size(text, max(20, width - len(click.unstyle(label)) - 2)).rstrip()}"


def _label(number: int, row: Json) -> str:
    status = row.get("status")
    shown = f"{row.get('index', number):>5}"
    return f"{shown}  {click.style(f'{status:<7}', fg=COLORS[status])}" if status in COLORS else shown


def _heading(row: Json) -> str:
    """What names a row: its title, its page's, or its first text, which is what it was made from."""
    named = [place[name] for place in (row, row.get("metadata") or {}) for name in HEADINGS if place.get(name)]
    texts = (value for name, value in row.items() if isinstance(value, str) and name != "status")
    return say.plain(named[0] if named else next(texts, "")).replace("\n", " ")


def _fact(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= FACT_CHARS else f"{text[:FACT_CHARS]}…"
