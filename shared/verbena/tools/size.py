"""Answers cut to the size a client takes, so that nothing is lost: what is left out can be asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from verbena.tools.tool import JOB_RESULTS, ROW_CHARS, WHOLE_CHARS

Json = dict[str, Any]

SHORT = 80
"""Texts up to this length are left whole: names, addresses, dates and codes say nothing when cut."""

NOTES_CHARS = 700
"""How long the notes are that an answer gets when it is cut."""

MARK_CHARS = 200
"""How long the marks are that a row gets when it is cut."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much a client takes: characters of a whole answer, and of one row if the whole is longer.

    Without a limit of its own a row gets its share of the answer, or so much that a few long ones can be told from
    each other. A character counts as the bytes it has in UTF-8 JSON, for models read dense scripts in more tokens.
    """

    max_chars: int = WHOLE_CHARS
    max_chars_per_row: int | None = None


def length(value: Any) -> int:
    return len(to_json(value))


def sized(envelope: Json, size: Size, cursor: int = 0, skip: int = 0) -> Json:
    """An envelope whose first row is at position `cursor`: whole if it fits, else its first rows, each cut.

    `skip` leaves out that many characters of each row's longest text.
    """
    rows = [_begun(row, skip) for row in envelope.get("results") or ()]
    whole = {**envelope, "results": rows} if skip else envelope
    if not rows or length(whole) <= size.max_chars:
        return whole
    head = cut({name: value for name, value in envelope.items() if name != "results"}, size.max_chars // 2)
    shown = _fitting(rows, size, size.max_chars - length(head) - NOTES_CHARS, skip)
    if "job_id" in head:
        for position, row in enumerate(shown, cursor):
            if row.get("truncated"):
                row["content_ref"] = f"/v1/jobs/{head['job_id']}/rows/{position}"
    return _noted({**head, "results": shown}, len(rows), cursor)


def _begun(row: Json, skip: int) -> Json:
    name = _longest(row) if skip else ""
    return {**row, name: row[name][skip:]} if name else row


def _longest(row: Json) -> str:
    """Which field is the row's longest text; '' if none is long."""
    texts = [name for name, value in row.items() if isinstance(value, str) and len(value) > SHORT]
    return max(texts, key=lambda name: length(row[name]), default="")


def _fitting(rows: Sequence[Json], size: Size, room: int, skip: int) -> list[Json]:
    """As many rows as there is room for, at least one."""
    shown: list[Json] = []
    most = size.max_chars_per_row or max(ROW_CHARS, room // len(rows))
    for row in rows:
        fitted = _fitted(row, min(most, room), skip)
        room -= length(fitted)
        if shown and room < 0:
            break
        shown.append(fitted)
    return shown


def _fitted(row: Json, room: int, skip: int) -> Json:
    """A row of at most about `room` characters; where its longest text ends early, it says where."""
    if length(row) <= room:
        return row
    shown: Json = cut(row, room - MARK_CHARS)
    name = _longest(row)
    if name and len(shown[name]) < len(row[name]):
        end = skip + len(shown[name])
        shown[name] += f"\n[cut after {end:,} of {skip + len(row[name]):,} characters; skip_chars {end} reads on]"
    # Only the rows of lists have the field that says so.
    return {**shown, "truncated": True} if {"index", "status"} <= row.keys() else shown


def _noted(envelope: Json, received: int, cursor: int) -> Json:
    """The envelope with what its reader has to know: what is missing, and how to get it."""
    shown = len(envelope["results"])
    job_id = envelope.get("job_id")
    notes = [f"Cut to fit: {shown} of {received} rows, long texts shortened."]
    if job_id:
        notes.append(
            f"{JOB_RESULTS.name} with job_id {job_id} has all of it: cursor {cursor + shown} reads on, cursor N with "
            "limit 1 and skip_chars reads on in row N, from where its text says it was cut."
        )
    else:
        notes.append("Nothing is kept of it: ask for less at once, or with async: true, to read all.")
    meta = envelope.get("meta") or {}
    return {**envelope, "meta": {**meta, "warnings": [*(meta.get("warnings") or ()), *notes]}}


def cut(value: Any, room: int) -> Any:
    """A JSON value in about `room` characters: short things stay, long texts and lists lose their ends."""
    if length(value) <= room:
        return value
    if isinstance(value, str):
        return _text(value, room)
    if isinstance(value, list):
        return _list(value, room)
    return _object(value, room) if isinstance(value, dict) else value


def _text(text: str, room: int) -> str:
    """As much of it as fits; letters are not all of one length, so the share of the room is only a first guess."""
    if len(text) <= SHORT:
        return text
    end = len(text)
    while end > SHORT and (now := length(text[:end])) > room:
        end = max(SHORT, min(end - 1, end * room // now))
    return text[:end]


def _list(items: Sequence[Any], room: int) -> list[Any]:
    shown: list[Any] = []
    for item in items:
        room -= length(item) + 1
        if room < 0:
            break
        shown.append(item)
    return shown


def _object(fields: Json, room: int) -> Json:
    """What short fields leave over is the long ones' to share."""
    shown: Json = {}
    for done, name in enumerate(sorted(fields, key=lambda each: length(fields[each]))):
        shown[name] = cut(fields[name], room // (len(fields) - done) - len(name) - 4)
        room -= length(shown[name]) + len(name) + 4
    return {name: shown[name] for name in fields}
