"""Requests that were written for another service: what of them is honoured, what is said, and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from verbena.doors.http import HttpRequest
from verbena.envelope import Model
from verbena.errors import InvalidInput
from verbena.validation import problems_of

M = TypeVar("M", bound=Model)

KEY_HEADERS = ("x-idempotency-key", "idempotency-key")


@dataclass(frozen=True, slots=True)
class Option:
    """An option that is not honoured, in a sentence; its `usual` values ask for nothing beyond what is done."""

    says: str
    usual: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms(Generic[M]):
    """How the options of one call are taken, by their names on the wire.

    `wanted` has those that are honoured. Those of `no_difference` change nothing of the answer, whatever they say;
    one of `said` becomes a warning, one of `refused` a refusal. Any other name is an error.
    """

    wanted: type[M]
    no_difference: frozenset[str] = frozenset()
    said: Mapping[str, Option] = field(default_factory=dict)
    refused: Mapping[str, Option] = field(default_factory=dict)


def taken(terms: Terms[M], body: Mapping[str, Any]) -> tuple[M, list[str]]:
    """What is wanted, and what must be said beside the answer; InvalidInput names every option that stops the call.

    A null or an empty text is what a client writes for an option that was not set.
    """
    said = {name: value for name, value in body.items() if value is not None and value != ""}
    asked = {name: value for name, value in said.items() if name not in terms.no_difference}
    problems = [
        {"field": name, "problem": "this is not served here", "fix": option.says}
        for name, option in _special(terms.refused, asked)
    ]
    warnings = [f"{name}: {option.says}" for name, option in _special(terms.said, asked)]
    own = {name: value for name, value in asked.items() if name not in {*terms.refused, *terms.said}}
    try:
        wanted = terms.wanted.model_validate(own, by_alias=True, by_name=False)
    except ValidationError as error:
        problems += problems_of(error, [info.alias or name for name, info in terms.wanted.model_fields.items()])
        raise _invalid(problems) from error
    if problems:
        raise _invalid(problems)
    return wanted, warnings


def _special(options: Mapping[str, Option], asked: Mapping[str, Any]) -> list[tuple[str, Option]]:
    return [(name, option) for name, option in options.items() if name in asked and asked[name] not in option.usual]


def _invalid(problems: list[dict[str, str]]) -> InvalidInput:
    told = "; ".join(f"{problem['field']}: {problem['problem']} ({problem['fix']})" for problem in problems)
    return InvalidInput(told, fields=problems)


def keyed(body: dict[str, Any], request: HttpRequest) -> dict[str, Any]:
    """A verb's body with the idempotency key of the request's header, if it has one."""
    given = [request.headers[name] for name in KEY_HEADERS if name in request.headers]
    return {**body, "idempotency_key": given[0]} if given else body
