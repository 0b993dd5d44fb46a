"""A verb's published schema as the fields a person can set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verbena.capability import Capability
from verbena.validation import OPTION_FIELDS

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `kinds` are the JSON types it takes; of a list, `kinds` and `choices` are those of its items."""

    name: str
    description: str
    kinds: frozenset[str]
    choices: tuple[str, ...]
    is_list: bool
    is_required: bool
    default: Any
    bounds: tuple[Any, Any]
    examples: tuple[Any, ...]

    @property
    def takes(self) -> str:
        """Its type in one word, as help shows it."""
        if self.choices:
            return "|".join(self.choices)
        words = [word for kind, word in WORDS.items() if kind in self.kinds]
        return " or ".join(words)


WORDS = {"boolean": "true|false", "string": "TEXT", "integer": "INTEGER", "number": "NUMBER", "object": "JSON"}


def fields_of(capability: Capability) -> dict[str, Field]:
    """The input's fields by name, the required ones first; the call options are not among them."""
    schema = capability.request_schema()
    required = set(schema.get("required", ()))
    names = [name for name in schema["properties"] if name not in OPTION_FIELDS]
    names.sort(key=lambda name: name not in required)
    return {
        name: _field(name, schema["properties"][name], schema.get("$defs", {}), is_required=name in required)
        for name in names
    }


def _field(name: str, schema: Schema, definitions: Schema, *, is_required: bool) -> Field:
    branches = _branches(schema, definitions)
    items = [inner for branch in branches if "items" in branch for inner in _branches(branch["items"], definitions)]
    of = items or branches
    return Field(
        name=name,
        description=schema.get("description", ""),
        kinds=frozenset(branch["type"] for branch in of if "type" in branch) - {"null"},
        choices=tuple(choice for branch in of for choice in _choices(branch)),
        is_list=bool(items),
        is_required=is_required,
        default=schema.get("default"),
        bounds=(_bound(of, "minimum"), _bound(of, "maximum")),
        examples=tuple(schema.get("examples", ())),
    )


def _branches(schema: Schema, definitions: Schema) -> list[Schema]:
    """A schema as the alternatives it allows, references followed."""
    if "$ref" in schema:
        return _branches(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        return [inner for branch in alternatives for inner in _branches(branch, definitions)]
    return [schema]


def _choices(branch: Schema) -> tuple[str, ...]:
    return tuple(branch["enum"]) if "enum" in branch else (branch["const"],) if "const" in branch else ()


def _bound(branches: list[Schema], name: str) -> Any:
    return next((branch[name] for branch in branches if name in branch), None)
