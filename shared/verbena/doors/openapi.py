"""This API as OpenAPI 3.1, worked out from the catalog and the table of operations."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from verbena.capability import Capability
from verbena.doors.http import JSON
from verbena.doors.operation import Operation
from verbena.envelope import Answered

REF = "#/components/schemas/{model}"
IDEMPOTENCY_HEADER = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "minLength": 1, "maxLength": 256},
    "description": "The same as `idempotency_key` in the body; the header wins.",
}


def document(capabilities: Sequence[Capability], operations: Sequence[Operation]) -> dict[str, Any]:
    """The whole description; deterministic for one catalog."""
    models: list[type[BaseModel]] = [Answered]
    for capability in capabilities:
        models += [capability.request, capability.answer]
    models += [model for operation in operations for model in (operation.answer, operation.body) if model is not None]
    schemas, definitions = models_json_schema([(model, "validation") for model in models], ref_template=REF)
    refs = {model: schemas[model, "validation"] for model in models}
    paths: dict[str, dict[str, Any]] = {}
    for capability in capabilities:
        paths[capability.path] = {"post": _verb(capability, refs)}
    for operation in operations:
        method, path = operation.route.split(" ")
        paths.setdefault(path, {})[method.lower()] = _operation(operation, refs)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Verbena",
            "version": "1",
            "description": "Typed verbs that acquire data from the web and return it. One envelope for every call.",
        },
        "paths": paths,
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }


def _verb(capability: Capability, refs: dict[type[BaseModel], Any]) -> dict[str, Any]:
    answer = refs[capability.answer]
    return {
        "operationId": capability.name,
        "summary": capability.summary,
        "tags": [capability.namespace],
        "security": [{"bearer": []}, {"key": []}],
        "parameters": [IDEMPOTENCY_HEADER],
        "requestBody": {"required": True, "content": {JSON: {"schema": refs[capability.request]}}},
        "responses": {
            "200": _response("The call is completed.", answer),
            "202": _response("The call is a job.", answer),
            "default": _response("The call failed; `error` says why.", refs[Answered]),
        },
    }


def _operation(operation: Operation, refs: dict[type[BaseModel], Any]) -> dict[str, Any]:
    _, path = operation.route.split(" ")
    free = {"type": "object" if operation.media == JSON else "string"}
    schema = refs[operation.answer] if operation.answer else free
    described = {
        "operationId": re.sub(r"\W+", "_", operation.route).strip("_").lower(),
        "summary": operation.summary,
        "tags": ["service"],
        "parameters": [*_path_parameters(path), *_query_parameters(operation)],
        "responses": {
            "2XX": _response("As asked.", schema, operation.media),
            "default": _response("Refused; `error` says why.", refs[Answered]),
        },
    }
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": refs[operation.body]}}}
    return described if operation.scope is None else described | {"security": [{"bearer": []}, {"key": []}]}


def _response(description: str, schema: dict[str, Any], media: str = JSON) -> dict[str, Any]:
    return {"description": description, "content": {media: {"schema": schema}}}


def _path_parameters(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _query_parameters(operation: Operation) -> list[dict[str, Any]]:
    properties = operation.query.model_json_schema(by_alias=True).get("properties", {})
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in properties.items()]
