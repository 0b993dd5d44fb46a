"""What help says about a verb, and what a shell offers while one is typed: both from its schema."""

import json
import shlex
from collections.abc import Sequence
from itertools import islice

from verbena.capability import Capability
from verbena.doors.schema import Field, example_of, fields_of

READING = (
    ("FIELD=A FIELD=B", 'A list takes its field again for each value, or FIELD=\'["A", "B"]\'.'),
    ("FIELD=A,B", "Choices and numbers may be joined by commas."),
    ("FIELD=@FILE", "A list from a file, one value a line; @- reads standard input."),
)
TYPES = {"boolean": "true|false", "string": "TEXT", "integer": "INTEGER", "number": "NUMBER", "object": "JSON"}


def field_lines(capability: Capability) -> list[tuple[str, str]]:
    """Every field with its type, and what it means, needs and defaults to."""
    return [(f"{field.name}={_takes(field)}", _meaning(field)) for field in fields_of(capability).values()]


def list_lines(capability: Capability) -> list[tuple[str, str]]:
    """How to write values; nothing for a verb that takes no list."""
    if not any(field.is_list for field in fields_of(capability).values()):
        return []
    items = capability.mode.items
    return [*READING, ("VALUE", f"A word without FIELD= is one of the {items}.")] if items else list(READING)


def example(capability: Capability) -> str:
    """A call to paste: the required fields, and the first choice that is not the default."""
    said = [f"{name}={_shown(value)}" for name, value in example_of(capability).items()]
    chosen = islice((f for f in fields_of(capability).values() if f.choices and not f.is_list), 1)
    return shlex.join(["verbena", "call", capability.name, *said, *map(_other_choice, chosen)])


def completions(capability: Capability, said: Sequence[str], begun: str) -> list[str]:
    """How the word that was begun may go on. Some shells hand over `a=b` as one word, bash as `a`, `=`, `b`."""
    fields = fields_of(capability)
    name = next((word for word in reversed(said[-2:]) if word != "="), "")
    if name in fields and said[-1] in {name, "="}:
        offers = _values(fields[name])
    else:
        given = {word.partition("=")[0] for word in said}
        unset = (field for field in fields.values() if field.is_list or field.name not in given)
        offers = [offer for field in unset for offer in _offers(field)]
    return [offer for offer in offers if offer.startswith(begun)]


def _meaning(field: Field) -> str:
    notes = ["required"] if field.is_required else []
    notes += ["list"] if field.is_list else []
    notes += [_range(field)] if any(bound is not None for bound in field.bounds) else []
    notes += [f"default: {_shown(field.default)}"] if field.default is not None else []
    return f"{field.description}  [{'; '.join(notes)}]" if notes else field.description


def _range(field: Field) -> str:
    low, high = field.bounds
    if low is None or high is None:
        return f"at most {high:g}" if low is None else f"at least {low:g}"
    return f"{low:g} to {high:g}"


def _shown(value: object) -> str:
    """A value as a word; a list of one is its item."""
    if isinstance(value, list) and len(value) == 1:
        return _shown(value[0])
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value)


def _takes(field: Field) -> str:
    """Its type in one word."""
    if field.choices:
        return "|".join(field.choices)
    return " or ".join(word for kind, word in TYPES.items() if kind in field.kinds)


def _other_choice(field: Field) -> str:
    return f"{field.name}={next(choice for choice in field.choices if choice != field.default)}"


def _values(field: Field) -> list[str]:
    return list(field.choices) or (["true", "false"] if field.kinds == {"boolean"} else [])


def _offers(field: Field) -> list[str]:
    return [f"{field.name}={value}" for value in _values(field)] or [f"{field.name}="]
