"""Right and wrong requests made from the data of a contract."""

import copy
import re

ODD = ("?! ?!", "word " * 60)


def right(schema):
    """A value the schema takes: its example, or the least of what it requires."""
    if "examples" in schema:
        return copy.deepcopy(schema["examples"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "array":
        return [right(schema["items"])]
    return {name: right(schema["properties"][name]) for name in schema["required"]}


def parameters(schema, path=()):
    """Every parameter with its schema, those inside of others too; 0 stands for an item of a list."""
    for name, inner in schema.get("properties", {}).items():
        yield (*path, name), inner
        yield from parameters(inner, (*path, name))
    if "properties" in schema.get("items", {}):
        yield from parameters(schema["items"], (*path, 0))


def request(schema, path, value):
    """The least right request in which the parameter has this value."""
    made = right(schema)
    put(made, schema, path, value)
    return made


def put(made, schema, path, value):
    head, *rest = path
    if not rest:
        made[head] = value
        return
    inner = schema["items"] if head == 0 else schema["properties"][head]
    if head != 0 and head not in made:
        made[head] = right(inner)
    put(made[head], inner, rest, value)


def renamed(made, path):
    """The same request with one parameter under a name nobody knows."""
    made = copy.deepcopy(made)
    *outer, name = path
    place = made
    for step in outer:
        place = place[step]
    place[f"{name}_x"] = place.pop(name)
    return made


def wrong(schema):
    """Values the schema refuses, by the rule they break."""
    kind = schema.get("type")
    if kind is not None:
        yield "type", {"string": ["a", "list"], "array": "a text", "object": "a text"}.get(kind, "a text")
    if "enum" in schema:
        yield "enum", "no such value" if kind == "string" else 99
    if "anyOf" in schema:
        yield "anyOf", 99.5
    yield from beyond(schema)
    if "items" in schema:
        yield from ((rule, [value]) for rule, value in wrong(schema["items"]))


def beyond(schema):
    limits = {
        "minimum": lambda least: least - 1,
        "maximum": lambda most: most + 1,
        "minLength": lambda _: "",
        "maxLength": lambda most: "x" * (most + 1),
        "maxItems": lambda most: [right(schema["items"])] * (most + 1),
        "pattern": lambda pattern: next(value for value in ODD if not re.search(pattern, value)),
        "format": lambda _: "04.03.2026",
    }
    yield from ((rule, value(schema[rule])) for rule, value in limits.items() if rule in schema)
