"""The fields of a schema as a table; those of objects within stand below them, under their whole path."""

import json
from collections.abc import Iterator

from verbena.doors.docs.markup import Markup, code, element, joined, prose
from verbena.doors.schema import Field, Schema, fields_in

DEEPEST = 4
"""Deeper than any contract goes; what would contain itself ends here."""


def input_table(schema: Schema, without: tuple[str, ...] = ()) -> Markup:
    """What can be sent: required fields first, and said to be so."""
    fields = [field for field in fields_in(schema, schema.get("$defs", {})) if field.name not in without]
    fields.sort(key=lambda field: not field.is_required)
    return _table(schema, fields, marked="required")


def output_table(schema: Schema, without: tuple[str, ...] = ()) -> Markup:
    """What comes back: fields that may be absent are said to be optional."""
    fields = [field for field in fields_in(schema, schema.get("$defs", {})) if field.name not in without]
    return _table(schema, fields, marked="optional")


def _table(schema: Schema, fields: list[Field], marked: str) -> Markup:
    rows = (_row(path, field, marked) for path, field in _deep(fields, schema.get("$defs", {})))
    return table("fields", ("Field", "Type", "Meaning"), rows)


def table(kind: str, header: tuple[str, ...], rows: Iterator[Markup]) -> Markup:
    """`kind` is what the style knows it by."""
    head = element("tr", *(element("th", title, scope="col") for title in header))
    return element("table", element("thead", head), element("tbody", *rows), class_=kind)


def _deep(fields: list[Field], definitions: Schema, path: str = "", depth: int = 0) -> Iterator[tuple[str, Field]]:
    """Every field with the path that leads to it, `links[].` for the items of a list."""
    for field in fields:
        yield path, field
        if field.model and depth < DEEPEST:
            within = f"{path}{field.name}{'[]' if field.is_list else ''}."
            yield from _deep(fields_in(field.model, definitions), definitions, within, depth + 1)


def _row(path: str, field: Field, marked: str) -> Markup:
    name = element("code", element("span", path, class_="path"), field.name)
    is_marked = field.is_required == (marked == "required")
    flag = joined(" ", element("span", marked, class_="flag")) if is_marked else Markup()
    return element(
        "tr",
        element("td", name, flag),
        element("td", _type(field), class_="type"),
        element("td", prose(field.description or (field.model or {}).get("description", "")), _default(field)),
    )


def _type(field: Field) -> Markup:
    """Its type in words: `list of string`, a choice of values, a number with its bounds, or null."""
    choices = (code(choice) for choice in field.choices)
    said = joined(*_between(choices, " | ")) if field.choices else Markup(" or ".join(sorted(field.kinds)) or "any")
    low, high = field.bounds
    if low is not None and high is not None:
        said = joined(said, f", {_figure(low)} to {_figure(high)}")
    elif low is not None:
        said = joined(said, f", at least {_figure(low)}")
    return joined("list of " if field.is_list else "", said, " or null" if field.is_nullable else "")


def _figure(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def _between(parts: Iterator[Markup], separator: str) -> Iterator[str]:
    for place, part in enumerate(parts):
        if place:
            yield separator
        yield part


def _default(field: Field) -> Markup:
    if field.default is None or field.default == []:
        return Markup()
    return joined(" Default ", code(json.dumps(field.default)), ".")
