"""What is said beside the result, on standard error: failures with their fixes, hints, sums; and shared wording."""

import io
import json
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click

from verbena.client.wire import Json
from verbena.errors import by_code

# Pages are other people's text: control characters and direction overrides could rewrite the terminal.
UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
UNSAFE_IN_JSON = re.compile(r"[\x7f-\x9f]")
# Where the command line knows a nearer fix than the error's own.
FIXES = {
    "unauthorized": "Set VERBENA_KEY or give --key; 'make run' prints a key.",
    "not_found": "Check the id; 'verbena jobs list' shows yours.",
    "cancelled": "The job was cancelled. On a server, 'verbena jobs resume JOB_ID' runs what is left.",
    "deadline_exceeded": "The job met its deadline. On a server, 'verbena jobs resume JOB_ID' runs what is left.",
    "over_max_charge": "Raise --max-charge-micros, or send fewer items.",
    "insufficient_balance": "Send fewer items, or give --partial to run what the balance covers; see 'verbena wallet'.",
}


def never_fail_at_a_letter() -> None:
    """Pages are in every script; what the terminal's encoding lacks becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def failure(error: Json, request_id: str | None = None) -> None:
    """A typed error: code, message, fix, and its details."""
    note(summary(error), mark="verbena: ", color="red")
    for line in _worded(error["code"], error["message"])[1]:
        note(f"  fix: {line}")
    for name, value in (error.get("details") or {}).items():
        for line in problems(value) if name == "fields" else [f"{name}: {_written(value)}"]:
            note(f"  {line}")
    if error["retryable"]:
        note("  The same may succeed later.")
    if request_id:
        note(f"  request id: {request_id}")


def summary(error: Json) -> str:
    """A typed error in one line."""
    return f"{error['code']}: {_worded(error['code'], error['message'])[0]}"


def stopped(message: str, fix: str) -> None:
    note(message, mark="verbena: ", color="red")
    if fix:
        note(f"  fix: {fix}")


def problems(fields: Iterable[Json]) -> list[str]:
    """The wrong fields of an input, a line each."""
    return [
        f"{wrong['field']}: {wrong['problem']}" + ("" if wrong["fix"] == wrong["problem"] else f"; {wrong['fix']}")
        for wrong in fields
    ]


def _worded(code: str, message: str) -> tuple[str, list[str]]:
    """The message and the fix, said once where they are the same; no fix for what only a newer server knows."""
    known = by_code(code)
    fixes = {known.fix} if known.code == code else set()
    nearer = FIXES.get(code)
    if message in fixes:
        return nearer or message, []
    return message, [nearer or fix for fix in fixes]


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def note(text: str, mark: str = "", color: str | None = None) -> None:
    click.echo((click.style(mark, fg=color, bold=True) if mark else "") + plain(text), err=True)


def json_line(value: Any) -> None:
    """JSON for programs: UTF-8 whatever the terminal's locale."""
    sys.stdout.buffer.write(encoded(value).encode() + b"\n")
    sys.stdout.buffer.flush()


def encoded(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def plain(text: str) -> str:
    """Text that a terminal only shows."""
    return UNSAFE.sub("", text.replace("\r\n", "\n"))


def counted(units: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {unit}" for unit, count in units.items())
