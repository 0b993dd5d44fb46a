"""One route beside the verbs: what it is for, whose key opens it, what it is asked and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from verbena.doors.access import authenticate, require
from verbena.doors.http import JSON, HttpAnswer, HttpRequest
from verbena.envelope import Model
from verbena.errors import InvalidInput
from verbena.runtime import Runtime
from verbena.validation import problems_of
from verbena.views import NoQuery, Query


@dataclass(frozen=True, slots=True)
class Operation:
    """One route. `scope` is what the key must have, '' for any key, None for no key at all.

    `answer` is the published shape; None is free-form. `run` gets the key (None without a scope) and the query, or
    the `body` where there is one.
    """

    route: str
    summary: str
    answer: type[BaseModel] | None
    run: Callable[[HttpRequest, Runtime, Any, Any], HttpAnswer]
    scope: str | None = ""
    query: type[Query] = NoQuery
    media: str = JSON
    body: type[Model] | None = None

    def serve(self, request: HttpRequest, here: Runtime) -> HttpAnswer:
        """Check the key and the query, then run."""
        key = None
        if self.scope is not None:
            key = authenticate(request, here)
            if self.scope:
                require(key, self.scope)
        return self.run(request, here, key, self._asked(request))

    def _asked(self, request: HttpRequest) -> BaseModel:
        model = self.body or self.query
        try:
            if self.body:
                return model.model_validate(request.json_object())
            return model.model_validate_strings(dict(request.query), by_alias=True, by_name=False)
        except ValidationError as error:
            problems = problems_of(error, [info.alias or name for name, info in model.model_fields.items()])
            raise InvalidInput(fields=problems) from error
