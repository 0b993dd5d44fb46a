"""Tools in the form that each vendor of models takes them, with schemas that its strict mode accepts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from verbena.tools.tool import Tool

Json = dict[str, Any]

BOUNDS = (
    ("minimum", "at least {:,}"),
    ("exclusiveMinimum", "above {:,}"),
    ("maximum", "at most {:,}"),
    ("minLength", "at least {:,} characters"),
    ("maxLength", "at most {:,} characters"),
    ("minItems", "at least {:,} of them"),
    ("maxItems", "at most {:,} of them"),
)
"""Limits that strict schemas cannot all say, in words; the call path holds them whoever knows them."""


def mcp(tool: Tool) -> Json:
    """As `tools/list` has it: the schemas of REST, unchanged."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema(),
        "outputSchema": tool.output_schema(),
        "annotations": {"title": tool.title, **tool.hints},
    }


def anthropic(tool: Tool) -> Json:
    """Anthropic takes JSON Schema as it is. Its strict mode bounds optional fields over all tools, and we have more."""
    return {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema()}


def openai(tool: Tool) -> Json:
    """As chat completions take it, strict: every field required, those that may be left out nullable, none unknown.

    A tool with an object of any fields cannot be strict, and keeps the schema of REST.
    """
    schema = plain(tool.input_schema())
    strict = not _is_open(schema)
    parameters = _strict(schema) if strict else tool.input_schema()
    function = {"name": tool.name, "description": tool.description, "parameters": parameters, "strict": strict}
    return {"type": "function", "function": function}


def gemini(tool: Tool) -> Json:
    """A function declaration, in the part of OpenAPI's schemas that Gemini takes."""
    return {"name": tool.name, "description": tool.description, "parameters": _openapi(plain(tool.input_schema()))}


def _declarations(tools: Iterable[Tool]) -> list[Json]:
    """Gemini takes one tool with all functions in it."""
    return [{"functionDeclarations": [gemini(tool) for tool in tools]}]


def _each(form: Callable[[Tool], Json]) -> Callable[[Iterable[Tool]], list[Json]]:
    return lambda tools: [form(tool) for tool in tools]


FORMATS: Mapping[str, Callable[[Iterable[Tool]], list[Json]]] = {
    "openai": _each(openai),
    "anthropic": _each(anthropic),
    "gemini": _declarations,
    "mcp": _each(mcp),
}
"""What goes into the `tools` of a request, by vendor."""


def plain(schema: Json, definitions: Json | None = None) -> Json:
    """A schema without references, titles and limits: `type`, `enum`, `items`, `properties`, `required`, `anyOf`,
    `description`, which tells the limits and the default, and `nullable`.
    """
    definitions = schema.get("$defs", {}) if definitions is None else definitions
    said = _followed(schema, definitions)
    branches = [_followed(branch, definitions) for branch in said.get("anyOf") or said.get("oneOf") or ()]
    kinds = [plain(branch, definitions) for branch in branches if branch.get("type") != "null"]
    found: Json = kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else _kind(said, definitions)
    if len(kinds) < len(branches):
        found["nullable"] = True
    described = _described(said, found.get("description", ""))
    return {**found, "description": described} if described else found


def _followed(schema: Json, definitions: Json) -> Json:
    reference = schema.get("$ref")
    return {**definitions[reference.rpartition("/")[2]], **schema} if reference else schema


def _kind(schema: Json, definitions: Json) -> Json:
    """A schema of one type."""
    found: Json = {"type": schema["type"]} if "type" in schema else {}
    if choices := schema.get("enum", [schema["const"]] if "const" in schema else None):
        found["enum"] = choices
    if "items" in schema:
        found["items"] = plain(schema["items"], definitions)
    if "properties" in schema:
        found["properties"] = {name: plain(field, definitions) for name, field in schema["properties"].items()}
        found["required"] = schema.get("required", [])
    return found


def _described(schema: Json, inner: str) -> str:
    """The description with what the schema says beside it."""
    notes = [text.format(schema[name]) for name, text in BOUNDS if schema.get(name, 1) != 1]
    if schema.get("default") not in (None, [], {}):
        notes.append(f"default {str(schema['default']).lower()}")
    text = " ".join(filter(None, (schema.get("description", ""), inner)))
    return f"{text} ({', '.join(notes)})".strip() if notes else text


def _is_open(schema: Json) -> bool:
    """Whether anything in it is an object whose fields are not known, or of no known type."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    known = "anyOf" in schema or schema.get("type") not in {None, "object"} or "properties" in schema
    return not known or any(map(_is_open, inner))


def _strict(schema: Json, *, optional: bool = False) -> Json:
    """OpenAI's strict form of a plain schema."""
    made: Json = {name: schema[name] for name in ("type", "description", "enum") if name in schema}
    if "items" in schema:
        made["items"] = _strict(schema["items"])
    if "anyOf" in schema:
        made["anyOf"] = [_strict(kind) for kind in schema["anyOf"]]
    if "properties" in schema:
        fields = schema["properties"]
        made["properties"] = {
            name: _strict(field, optional=name not in schema["required"]) for name, field in fields.items()
        }
        made |= {"required": list(fields), "additionalProperties": False}
    return _or_null(made) if optional or schema.get("nullable") else made


def _or_null(schema: Json) -> Json:
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **choices}


def _openapi(schema: Json) -> Json:
    """Gemini's form of a plain schema; beside `anyOf` it takes nothing, so each kind says what all of them are."""
    if "anyOf" in schema:
        told = schema.get("description", "")
        kinds = [{**kind, "description": _both(told, kind.get("description", ""))} for kind in schema["anyOf"]]
        return {"anyOf": [_openapi(kind) for kind in kinds]}
    made: Json = {name: schema[name] for name in ("description", "enum", "nullable", "required") if schema.get(name)}
    made["type"] = schema.get("type", "object").upper()
    if "items" in schema:
        made["items"] = _openapi(schema["items"])
    if "properties" in schema:
        made["properties"] = {name: _openapi(field) for name, field in schema["properties"].items()}
    return made


def _both(first: str, second: str) -> str:
    return " ".join(filter(None, (first, second)))
