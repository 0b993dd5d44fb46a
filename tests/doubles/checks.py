"""Whether a request keeps the contract of its endpoint, and the first thing it does not."""

import re

from jsonschema import Draft202012Validator

from tests.doubles.contract import Problem
from tests.doubles.words import FORMATS

# An unknown name explains a missing one, so it is told first.
FIRST = ("additionalProperties", "required")


def typed(query, endpoint):
    """The text of a query as the types its schema names; a name given twice stays a list, which no type allows."""
    properties = endpoint.schema["properties"]
    return {
        name: values if len(values) > 1 or name in endpoint.repeatable else of_type(values[0], properties.get(name, {}))
        for name, values in query.items()
    }


def of_type(value, schema):
    if schema.get("type") == "integer" and re.fullmatch(r"-?\d+", value):
        return int(value)
    if schema.get("type") == "number" and re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    if schema.get("type") == "boolean" and value in {"true", "false"}:
        return value == "true"
    return value


def problem_of(request, endpoint):
    """What is wrong with the request, None when all is well."""
    return misplaced(request, endpoint) or misfit(request.asked, endpoint) or endpoint.rule(request.asked)


def misplaced(request, endpoint):
    """Parameters in the other place, or a body that is no JSON object."""
    if endpoint.method == "GET":
        return Problem("body", (), "unexpected", "a GET has no body") if request.raw else None
    if request.query:
        name = next(iter(request.query))
        return Problem("query", (name,), "additionalProperties", f"unknown parameter {name}")
    if request.headers.get_content_type() != "application/json":
        return Problem("header", ("content-type",), "content-type", "Content-Type must be application/json")
    if not isinstance(request.body, dict):
        return Problem("body", (), "type", "the body must be a JSON object")
    return None


def misfit(asked, endpoint):
    errors = list(Draft202012Validator(endpoint.schema, format_checker=FORMATS).iter_errors(asked))
    if not errors:
        return None
    error = min(errors, key=lambda one: FIRST.index(one.validator) if one.validator in FIRST else len(FIRST))
    return Problem(
        endpoint.where,
        (*error.absolute_path, *named(error)),
        error.validator,
        error.message[:300],
        error.instance if error.validator not in FIRST else None,
    )


def named(error):
    """The name that is unknown or missing, which JSON Schema reports at the object around it."""
    if error.validator == "additionalProperties":
        return sorted(set(error.instance) - set(error.schema["properties"]))[:1]
    if error.validator == "required":
        return [name for name in error.validator_value if name not in error.instance][:1]
    return []
