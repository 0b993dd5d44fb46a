"""Calls as messages: from a queue of the operator's, or by invoking a function. IAM opens both doors, no key does.

A message names the key whose call it is. It is checked as a call over REST is, and its delivery is its idempotency
key: a queue delivers at least once.
"""

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools import Logger
from pydantic import Field, ValidationError
from pydantic_core import from_json, to_json

from verbena import runtime, settings
from verbena.capability import Capability
from verbena.doors import calling
from verbena.doors.access import require
from verbena.envelope import Answered, Model, failed
from verbena.errors import InProgress, InvalidInput, NotFound, Unauthorized, Unavailable, VerbenaError
from verbena.request import Caller
from verbena.runtime import Runtime
from verbena.validation import problems_of

Event = Mapping[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]

PASSING = (InProgress, Unavailable)
"""Failures of the moment: the message is delivered again, and means the same call."""

AGAIN_S = 10
"""When such a message comes again: five deliveries outlast the call that a duplicate met."""

logger = Logger(service="verbena")


class Message(Model):
    """One call of a verb."""

    verb: str = Field(max_length=100, description="Which verb, such as 'web.scrape'.")
    input: dict[str, Any] = Field(description="The body that REST takes for it, options included.")
    key_id: str = Field(max_length=100, description="Whose call it is: the id of an API key, never the key itself.")
    idempotency_key: str | None = Field(
        default=None, min_length=1, max_length=256, description="Default: the id of the message or invocation."
    )
    reply_to: str | None = Field(
        default=None, max_length=300, description="ARN of the queue that gets the answer; the operator allows it."
    )


def message_schema(capability: Capability) -> dict[str, Any]:
    """The schema of a verb's messages: its `input` is the one schema that every door publishes."""
    schema = Message.model_json_schema()
    schema["properties"] |= {"verb": {"const": capability.name}, "input": capability.request_schema()}
    return schema


def queue_handler() -> Handler:
    """The Lambda entry of the intake queue; what is refused lies in its dead-letter queue with the error beside it."""

    def messages(event: Event, context: Any) -> dict[str, Any]:
        failures = [record for record in event["Records"] if not _taken(record, context)]
        return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in failures]}

    return messages


def invoke_handler() -> Handler:
    """The Lambda entry that takes the same message as its event and returns the envelope."""

    def invoke(event: Event, context: Any) -> dict[str, Any]:
        here = runtime.current()
        try:
            message = _checked(event, here)
            answered = _called(here, message, context.aws_request_id, settings.ANSWER_CAP_BYTES)
        except VerbenaError as error:
            return failed(error).wire()
        _reply(here, message, answered, context.aws_request_id)
        return answered.wire()

    return invoke


def _taken(record: Mapping[str, Any], context: Any) -> bool:
    """Whether a message is done with: answered, or refused and laid aside. If not, it is delivered again."""
    here, message_id = runtime.current(), record["messageId"]
    logger.append_keys(message_id=message_id, invocation=getattr(context, "aws_request_id", None))
    try:
        message = _checked(_parsed(record["body"]), here)
        answered = _called(here, message, message_id, settings.REPLY_CAP_BYTES)
        error = answered.error.raised() if answered.error else None
        if message.reply_to is not None and not isinstance(error, PASSING):
            _reply(here, message, answered, message_id)
            return True
    except VerbenaError as refusal:
        error = refusal
    except Exception:
        logger.exception("message failed")
        return False
    if isinstance(error, PASSING):
        here.post.delay(record["eventSourceARN"], record["receiptHandle"], AGAIN_S)
        return False
    return error is None or _laid_aside(here, record, error)


def _laid_aside(here: Runtime, record: Mapping[str, Any], error: VerbenaError) -> bool:
    beside = {"error_code": error.code, "error_message": error.message[:1000]}
    logger.warning("message refused", error_code=error.code)
    try:
        here.post.send(here.settings.refused_messages, record["body"], beside)
    except Exception:
        logger.exception("refused message could not be laid aside")
        return False
    return True


def _parsed(body: str) -> Any:
    try:
        return from_json(body)
    except ValueError as error:
        raise InvalidInput(f"the message is not JSON: {error}") from error


def _checked(body: Any, here: Runtime) -> Message:
    try:
        message = Message.model_validate(body)
    except ValidationError as error:
        raise InvalidInput(fields=problems_of(error, list(Message.model_fields))) from error
    if message.reply_to is not None and message.reply_to not in here.settings.reply_queues:
        fix = "use one of the queues that the stack's parameter ReplyQueues lists"
        raise InvalidInput(fields=[{"field": "reply_to", "problem": "no replies go there", "fix": fix}])
    return message


def _called(here: Runtime, message: Message, delivery: str, cap: int) -> Answered:
    """The call as REST would make it; a message that names no key or verb of ours is a VerbenaError."""
    key = here.keys.named(message.key_id)
    if key is None:
        raise Unauthorized(f"there is no key with the id {message.key_id!r}")
    capability = here.verbs.get(message.verb)
    if capability is None:
        near = difflib.get_close_matches(message.verb, list(here.verbs), n=1)
        raise NotFound(f"there is no verb {message.verb!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    require(key, capability.namespace)
    body = {"idempotency_key": delivery, **message.input}
    if message.idempotency_key is not None:
        body["idempotency_key"] = message.idempotency_key
    caller = Caller(key.owner, key.key_id, delivery, scopes=frozenset(key.scopes), answer_cap=cap)
    answered = calling.run(here, capability, body, caller)
    logger.info("message", verb=capability.name, status=answered.status)
    return answered


def _reply(here: Runtime, message: Message, answered: Answered, delivery: str) -> None:
    """The envelope, and which message it answers."""
    if message.reply_to is not None:
        body = {"message_id": delivery, "verb": message.verb, "key_id": message.key_id, "answer": answered.wire()}
        about = {"message_id": delivery, "verb": message.verb, "status": answered.status}
        here.post.send(message.reply_to, to_json(body).decode(), about)
