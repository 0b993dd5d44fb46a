"""The words after a verb, `field=value`, as the JSON object they mean."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from verbena.capability import Capability
from verbena.client.wire import Json
from verbena.doors.cli.say import problems
from verbena.doors.schema import Field, fields_of
from verbena.errors import InvalidInput
from verbena.validation import minimal

WORD = re.compile(r"([a-z][a-z0-9_]*)=(.*)", re.DOTALL)


def body_of(capability: Capability, words: Sequence[str], base: Json, flags: Json) -> Json:
    """A valid body: `base`, with the fields that words name set over it, then the flags. Raises UsageError.

    Numbers and booleans get their type from the contract itself, which also says what is wrong with a value.
    """
    body = {**base, **_said(capability, words), **flags}
    try:
        return minimal(capability, body)
    except InvalidInput as error:
        raise click.UsageError(_explained(capability, error)) from error


def json_body(path: str) -> Json:
    """The JSON object in a file, or on standard input for `-`."""
    try:
        body = json.loads(_text("--json", path))
    except ValueError as error:
        message = f"--json: {path} is not JSON: {error}"
        raise click.UsageError(message) from error
    if not isinstance(body, dict):
        message = '--json: the input must be an object, such as {"urls": ["https://example.com"]}'
        raise click.UsageError(message)
    return body


def _said(capability: Capability, words: Sequence[str]) -> Json:
    fields = fields_of(capability)
    said: Json = {}
    for word in words:
        name, text = _split(capability, fields, word)
        field = fields.get(name)
        if field and field.is_list:
            said[name] = [*said.get(name, ()), *_items(field, text)]
        elif name in said:
            message = f"{name} is given twice, and takes one value."
            raise click.UsageError(message)
        else:
            said[name] = _value(field, text)
    return said


def _split(capability: Capability, fields: Mapping[str, Field], word: str) -> tuple[str, str]:
    """The field a word names and what it says; a bare word is one of the verb's items."""
    if match := WORD.fullmatch(word):
        return match[1], match[2]
    if capability.mode.items:
        return capability.mode.items, word
    first = next(iter(fields))
    message = f"{word!r} is not field=value. Did you mean {first}={word!r}?"
    raise click.UsageError(message)


def _items(field: Field, text: str) -> list[object]:
    """`@file` has one item a line and `[` begins a JSON list; commas part only what cannot have one in it."""
    if text.startswith("@"):
        lines = _text(field.name, text[1:]).split("\n")
        return [line.strip() for line in lines if line.strip()]
    if text.startswith("["):
        return list(_json(field, text))
    cannot_have_one = field.pattern is not None and not re.search(field.pattern, "a.b,c.d")
    if field.choices or cannot_have_one or not field.kinds & {"string", "object"}:
        return [part.strip() for part in text.split(",")]
    return [text]


def _value(field: Field | None, text: str) -> object:
    is_object = field is not None and "object" in field.kinds and text.lstrip().startswith("{")
    return _json(field, text) if field and is_object else text


def _json(field: Field, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        message = f"{field.name} looks like JSON, but is not: {error}"
        raise click.UsageError(message) from error


def _text(name: str, path: str) -> str:
    """A file's text, or standard input's for `-`; a byte order mark is no part of it."""
    try:
        body = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return body.decode("utf-8-sig")
    except OSError as error:
        message = f"{name}: cannot read {path}: {error.strerror}"
        raise click.UsageError(message) from error
    except UnicodeDecodeError as error:
        message = f"{name}: {path} is not UTF-8 text"
        raise click.UsageError(message) from error


def _explained(capability: Capability, error: InvalidInput) -> str:
    lines = [f"{capability.name} cannot take this input.", *problems(error.details["fields"])]
    return "\n  ".join(lines)
