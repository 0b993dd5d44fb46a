"""A model's tool call, as any vendor writes it, as the call of a tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from verbena.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Which tool, and with what. `call_id` is what the vendor wants repeated beside the answer; '' if it has none."""

    name: str
    arguments: dict[str, Any]
    call_id: str = ""


def read(tool_call: Any) -> ToolCall:
    """The call in OpenAI's two forms, Anthropic's, Gemini's or MCP's: a JSON object, or the SDK's own object.

    Nulls are left out: a strict schema makes a model write every field, and null is what it writes for unset.
    Raises InvalidInput for anything else.
    """
    said = _object(tool_call)
    for wrapper in ("function", "function_call", "functionCall"):
        if isinstance(said.get(wrapper), Mapping):
            said = {"id": said.get("id"), **said[wrapper]}
    name = said.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidInput("this is no tool call: it names no tool")
    return ToolCall(name, _arguments(said), str(said.get("call_id") or said.get("id") or ""))


def _object(tool_call: Any) -> dict[str, Any]:
    """The plain form; SDKs hand out models that can tell it."""
    said = tool_call.model_dump() if hasattr(tool_call, "model_dump") else tool_call
    if not isinstance(said, Mapping):
        raise InvalidInput("this is no tool call: send the object that the model's answer has for it")
    return dict(said)


def _arguments(said: Mapping[str, Any]) -> dict[str, Any]:
    given: Any = next((said[name] for name in ("arguments", "input", "args") if said.get(name) is not None), {})
    if isinstance(given, str):
        try:
            given = from_json(given or "{}")
        except ValueError as error:
            raise InvalidInput(f"the arguments are not JSON: {error}") from error
    if not isinstance(given, Mapping):
        raise InvalidInput("the arguments must be a JSON object")
    return {name: value for name, value in given.items() if value is not None}
