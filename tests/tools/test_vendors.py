"""The tools as each vendor takes them, held to the vendors' own types; and the calls their models make."""

import json

import anthropic.types
import openai.types.chat
import openai.types.responses
import pytest
from google.genai import types as gemini
from jsonschema import Draft202012Validator
from mcp.types import CallToolRequestParams, ListToolsResult
from pydantic import TypeAdapter

from tests.fakes import LIST
from tests.test_catalog import INPUTS
from verbena.billing import UNITS
from verbena.capability import Capability, Mode
from verbena.catalog import CATALOG
from verbena.catalog.maps import Location
from verbena.envelope import Model
from verbena.errors import InvalidInput
from verbena.tools import calls as tool_calls
from verbena.tools.schema import FORMATS
from verbena.tools.tool import JOB_TOOLS, tool_of, tools_of

TOOLS = tools_of(CATALOG)
INPUT_OF = {verb.id: INPUTS[verb.name] for verb in CATALOG} | {tool.name: {"job_id": "0" * 32} for tool in JOB_TOOLS}
# What OpenAI's strict mode takes of JSON Schema, beside the limits that we do not use.
STRICT_WORDS = {"type", "description", "enum", "items", "properties", "required", "additionalProperties", "anyOf"}

each_tool = pytest.mark.parametrize("name", INPUT_OF)


def by_name(form):
    functions = {"openai": lambda tool: tool["function"], "anthropic": lambda tool: tool}[form]
    return {functions(tool)["name"]: functions(tool) for tool in FORMATS[form](TOOLS)}


def declarations():
    return {said["name"]: said for said in FORMATS["gemini"](TOOLS)[0]["functionDeclarations"]}


def schemas_in(schema):
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    for each in [*inner, *([schema["items"]] if "items" in schema else [])]:
        yield from schemas_in(each)


def filled(schema, values):
    """What a model writes under a strict schema: every field, null for what is not set."""
    return {name: values.get(name) for name in schema["properties"]}


def test_names_are_those_that_every_vendor_takes():
    names = [tool.name for tool in TOOLS]

    assert len(set(names)) == len(names)
    assert all(name.replace("_", "").isalnum() and name.isascii() and len(name) <= 64 for name in names)


def test_openai_takes_the_tools():
    """D07"""
    types = TypeAdapter(list[openai.types.chat.ChatCompletionToolParam])

    assert types.validate_python(FORMATS["openai"](TOOLS), strict=True) == FORMATS["openai"](TOOLS)


def test_openais_responses_take_the_same_tools_without_the_wrapper():
    tools = [{"type": "function", **tool["function"]} for tool in FORMATS["openai"](TOOLS)]

    assert TypeAdapter(list[openai.types.responses.FunctionToolParam]).validate_python(tools, strict=True) == tools


@each_tool
def test_every_object_of_openais_schemas_is_closed_and_requires_all_of_its_fields(name):
    function = by_name("openai")[name]

    assert function["strict"] is True
    for schema in schemas_in(function["parameters"]):
        assert set(schema) <= STRICT_WORDS
        if "properties" in schema:
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])


@each_tool
def test_what_a_strict_model_must_write_is_taken_by_the_verb(name):
    """Nulls for all that is not set are what the schema demands, and no value of the verb's."""
    schema = by_name("openai")[name]["parameters"]
    written = filled(schema, INPUT_OF[name])
    Draft202012Validator(schema).validate(written)

    call = tool_calls.read({"type": "function", "function": {"name": name, "arguments": json.dumps(written)}})

    assert call.arguments == INPUT_OF[name]


def test_an_object_of_any_fields_cannot_be_strict_and_keeps_the_schema_of_rest():
    class Free(Model):
        anything: dict[str, str]

    free = Capability("test.free", "Take anything.", Free, LIST.row, Mode(), LIST.executor, UNITS[0].name, "test_free")

    (tool,) = FORMATS["openai"]([tool_of(free)])

    assert tool["function"]["strict"] is False
    assert tool["function"]["parameters"] == free.request_schema()


def test_anthropic_takes_the_tools():
    """D07"""
    types = TypeAdapter(list[anthropic.types.ToolParam])

    assert types.validate_python(FORMATS["anthropic"](TOOLS)) == FORMATS["anthropic"](TOOLS)


def test_gemini_takes_the_tools():
    """D07"""
    (tool,) = [gemini.Tool.model_validate(tool) for tool in FORMATS["gemini"](TOOLS)]

    assert [said.name for said in tool.function_declarations] == [tool.name for tool in TOOLS]


@each_tool
def test_geminis_schemas_say_nothing_beside_a_choice_and_name_choices_of_strings_alone(name):
    for schema in schemas_in(declarations()[name]["parameters"]):
        assert set(schema) == {"anyOf"} or "type" in schema
        assert "enum" not in schema or schema["type"] == "STRING"
        assert gemini.Schema.model_validate(schema)


def test_a_choice_between_forms_survives_in_every_form():
    forms = TypeAdapter(Location).json_schema()["oneOf"]

    strict = by_name("openai")["maps_search"]["parameters"]["properties"]["location"]["anyOf"]
    declared = declarations()["maps_search"]["parameters"]["properties"]["location"]["anyOf"]

    assert len(strict) == len(declared) == len(forms) == 3
    assert all("{lat, lng, radius_m}" in kind["description"] for kind in declared)


def test_limits_and_defaults_that_a_schema_cannot_say_are_told():
    said = by_name("openai")["web_scrape"]["parameters"]["properties"]

    assert said["timeout_s"]["description"].endswith("(at most 30.0, default 15.0)")
    assert "at most 10,000 of them" in said["urls"]["description"]


def test_mcp_takes_the_tools():
    assert ListToolsResult.model_validate({"tools": FORMATS["mcp"](TOOLS)}, by_name=False)


ARGUMENTS = {"urls": ["https://example.com"], "format": None}
TEXT = json.dumps(ARGUMENTS)
CALLS = {
    "openai chat": openai.types.chat.ChatCompletionMessageFunctionToolCall(
        id="c1", type="function", function={"name": "web_scrape", "arguments": TEXT}
    ),
    "openai responses": openai.types.responses.ResponseFunctionToolCall(
        id="fc", call_id="c1", type="function_call", name="web_scrape", arguments=TEXT
    ),
    "anthropic": anthropic.types.ToolUseBlock(id="c1", type="tool_use", name="web_scrape", input=ARGUMENTS),
    "gemini call": gemini.FunctionCall(id="c1", name="web_scrape", args=ARGUMENTS),
    "gemini part": gemini.Part(function_call=gemini.FunctionCall(id="c1", name="web_scrape", args=ARGUMENTS)),
    "gemini json": {"functionCall": {"id": "c1", "name": "web_scrape", "args": ARGUMENTS}},
    "mcp": CallToolRequestParams(name="web_scrape", arguments=ARGUMENTS),
}


@pytest.mark.parametrize("vendor", CALLS)
def test_a_tool_call_is_read_whoever_wrote_it(vendor):
    call = tool_calls.read(CALLS[vendor])

    assert (call.name, call.arguments) == ("web_scrape", {"urls": ["https://example.com"]})
    assert call.call_id == ("" if vendor == "mcp" else "c1")


def test_a_call_without_arguments_has_none():
    assert tool_calls.read({"type": "function", "function": {"name": "job_status", "arguments": ""}}).arguments == {}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("web_scrape", "no tool call"),
        ({"input": {}}, "names no tool"),
        ({"name": "web_scrape", "arguments": "{"}, "not JSON"),
        ({"name": "web_scrape", "arguments": "[]"}, "must be a JSON object"),
    ],
)
def test_what_is_no_tool_call_is_refused_with_the_reason(said, problem):
    with pytest.raises(InvalidInput, match=problem):
        tool_calls.read(said)
