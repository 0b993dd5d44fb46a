"""JSON schemas of the contracts as the fields a person reads about and sets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verbena.capability import Capability
from verbena.validation import OPTION_FIELDS

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One field. Of a list, `kinds`, `choices`, `pattern`, `bounds` and `model` are those of its items.

    `kinds` are the JSON types it takes. `model` is the schema of an object with fields of its own.
    """

    name: str
    description: str
    kinds: frozenset[str]
    choices: tuple[str, ...]
    pattern: str | None
    is_list: bool
    is_required: bool
    is_nullable: bool
    default: Any
    bounds: tuple[Any, Any]
    examples: tuple[Any, ...]
    model: Schema | None


def fields_of(capability: Capability) -> dict[str, Field]:
    """The input's fields by name, the required ones first; the call options are not among them."""
    schema = capability.request_schema()
    fields = fields_in(schema, schema.get("$defs", {}))
    own = [field for field in fields if field.name not in OPTION_FIELDS]
    return {field.name: field for field in sorted(own, key=lambda field: not field.is_required)}


def example_of(capability: Capability) -> dict[str, Any]:
    """A body the verb takes: its required fields, or else its first, each with the contract's own example."""
    fields = list(fields_of(capability).values())
    needed = [field for field in fields if field.is_required] or fields[:1]
    return {field.name: field.examples[0] for field in needed}


def fields_in(schema: Schema, definitions: Schema) -> list[Field]:
    """The fields of an object's schema, as they are written."""
    required = set(schema.get("required", ()))
    return [
        _field(name, inner, definitions, is_required=name in required)
        for name, inner in schema.get("properties", {}).items()
    ]


def _field(name: str, schema: Schema, definitions: Schema, *, is_required: bool) -> Field:
    branches = _branches(schema, definitions)
    items = [inner for branch in branches if "items" in branch for inner in _branches(branch["items"], definitions)]
    of = items or branches
    types = frozenset(branch["type"] for branch in of if "type" in branch)
    return Field(
        name=name,
        description=schema.get("description", ""),
        kinds=types - {"null"},
        choices=tuple(choice for branch in of for choice in _choices(branch)),
        pattern=next((branch["pattern"] for branch in of if "pattern" in branch), None),
        is_list=bool(items),
        is_required=is_required,
        is_nullable=any(branch.get("type") == "null" for branch in branches),
        default=schema.get("default"),
        bounds=(_bound(of, "minimum"), _bound(of, "maximum")),
        examples=tuple(schema.get("examples", ())),
        model=next((branch for branch in of if "properties" in branch), None),
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
