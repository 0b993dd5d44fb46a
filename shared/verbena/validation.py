"""Turn what a caller sent into a verb's input and call options, or say which field is wrong and how to fix it."""

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, to_json

from verbena.capability import CallOptions, Capability
from verbena.errors import InvalidInput

MOST_PROBLEMS = 20
"""How many wrong fields an answer names: nobody corrects more at once, and a body can have a hundred thousand."""

MOST_NAME = 100
"""How much of the name of an unknown field is repeated."""

OPTION_FIELDS = tuple(info.alias or name for name, info in CallOptions.model_fields.items())


def checked(
    capability: Capability, body: Mapping[str, Any], *, is_resumed: bool = False
) -> tuple[BaseModel, CallOptions]:
    """The verb's input and the options, both valid; raises InvalidInput naming every wrong field.

    `is_resumed`: the body is what a job left, and may say where its walk stands.
    """
    said = {name: value for name, value in body.items() if name in OPTION_FIELDS}
    rest = {name: value for name, value in body.items() if name not in OPTION_FIELDS}
    problems: list[dict[str, str]] = []
    arguments = _validated(capability.continued if is_resumed else capability.input, rest, capability, problems)
    options = _validated(CallOptions, said, capability, problems)
    if problems or not isinstance(options, CallOptions) or arguments is None:
        listed = "; ".join(f"{problem['field']}: {problem['problem']}" for problem in problems)
        raise InvalidInput(f"{capability.name} cannot take this input. {listed}", fields=problems)
    return arguments, options


def minimal(capability: Capability, body: Mapping[str, Any]) -> dict[str, Any]:
    """A valid body as JSON, without what was not said; raises InvalidInput like `checked`."""
    arguments, options = checked(capability, body)
    said = options.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return {**arguments.model_dump(mode="json", exclude_unset=True), **said}


def body_hash(arguments: BaseModel, options: CallOptions) -> str:
    """Equal for bodies that mean the same: key order, defaults said aloud and the key itself are no difference."""
    meant = {
        "input": arguments.model_dump(mode="json"),
        "options": options.model_dump(exclude={"idempotency_key"}),
    }
    return hashlib.sha256(to_json(_ordered(meant))).hexdigest()


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(part) for part in value] if isinstance(value, list) else value


def _validated(
    model: type[BaseModel], values: Mapping[str, Any], capability: Capability, problems: list[dict[str, str]]
) -> BaseModel | None:
    try:
        return model.model_validate(values, by_alias=True, by_name=False)
    except ValidationError as error:
        known = [
            *(info.alias or name for name, info in capability.input.model_fields.items()),
            *OPTION_FIELDS,
        ]
        problems += problems_of(error, known)
        return None


def problems_of(error: ValidationError, known: Sequence[str]) -> list[dict[str, str]]:
    """The wrong fields of a validation error, each with its fix; of very many the first."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    problems = [_problem(detail, known) for detail in details[:MOST_PROBLEMS]]
    if more := len(details) - len(problems):
        problems.append({"field": f"({more:,} more)", "problem": "wrong as well", "fix": "correct the others first"})
    return problems


def _problem(detail: ErrorDetails, known: Sequence[str]) -> dict[str, str]:
    """One wrong field. The value sent is not repeated: it may be long, or a secret in the wrong place."""
    field = ".".join(str(step) for step in detail["loc"])[:MOST_NAME] or "(the whole input)"
    if detail["type"] == "extra_forbidden":
        near = difflib.get_close_matches(field, known, n=1, cutoff=0.5)
        fields = f"the fields are {', '.join(known)}" if known else "there are no fields"
        fix = f"did you mean {near[0]!r}?" if near else f"remove it; {fields}"
        return {"field": field, "problem": "no such field", "fix": fix}
    problem = detail["msg"].removeprefix("Value error, ")
    return {"field": field, "problem": problem, "fix": FIXES.get(detail["type"], problem)}


FIXES = {
    "missing": "add this field",
    "list_type": 'send a JSON list, such as ["https://example.com"]',
    "string_pattern_mismatch": "write it as the field's description says",
    "value_error": "correct it as the problem says",
    "too_long": "send fewer; split the list into several calls",
    "too_short": "send at least one",
    "string_type": "send a string",
    "bool_parsing": "send true or false",
    "bool_type": "send true or false",
    "int_parsing": "send a whole number",
    "int_type": "send a whole number",
    "int_from_float": "send a whole number",
    "float_parsing": "send a number",
    "float_type": "send a number",
}
