"""JSON of a server as the models and errors of the contract; what only a newer server says is kept, not refused."""

from typing import TypeVar

from pydantic import BaseModel

from verbena.client.wire import Json, Refused, T, Talk
from verbena.envelope import Attempt, ErrorInfo
from verbena.errors import VerbenaError

M = TypeVar("M", bound=BaseModel)


def modelled(model: type[M], value: Json) -> M:
    """Fields the model does not know stay readable in `model_extra`."""
    return model.model_validate(value, extra="allow")


def typed(talk: Talk[T]) -> Talk[T]:
    """The same conversation, whose refusals are the errors of `verbena.errors`."""
    try:
        return (yield from talk)
    except Refused as refused:
        raise _error(refused) from None


def _error(refused: Refused) -> VerbenaError:
    error = modelled(ErrorInfo, refused.error).raised()
    error.request_id = refused.request_id
    error.attempts = [modelled(Attempt, attempt) for attempt in refused.answer.get("attempts") or ()]
    return error
