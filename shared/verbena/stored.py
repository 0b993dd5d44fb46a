"""What the call path keeps beside its tables, under which keys and in which form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

from verbena.items import Items


@dataclass(frozen=True, slots=True)
class Source:
    """What a job was asked: the input without its list, and the list sorted out."""

    arguments: Mapping[str, Any]
    items: Items | None

    def stored(self) -> bytes:
        return to_json({"arguments": self.arguments, "items": self.items.stored() if self.items else None})

    @classmethod
    def of_stored(cls, body: bytes) -> "Source":
        stored = from_json(body)
        return cls(stored["arguments"], Items.of_stored(stored["items"]) if stored["items"] else None)


def input_key(job_id: str) -> str:
    return f"jobs/{job_id}/input.json"


BRIEF = "brief/"
"""Where what may not be kept long is put: the bucket forgets it after a day, its least."""


def result_key(job_id: str, part_id: str, attempt: str, *, is_brief: bool = False) -> str:
    """A new key for every attempt: a delivery that loses leaves an orphan, never another's rows."""
    return f"{BRIEF if is_brief else ''}jobs/{job_id}/parts/{part_id}/{attempt}.json"


def answer_key(call_id: str, *, is_brief: bool = False) -> str:
    """Where the answer of an inline call with an idempotency key is kept."""
    return f"{BRIEF if is_brief else ''}calls/{call_id}.json"
