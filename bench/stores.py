"""MiniStack with the template's stores, what functions need to find them, and events to call functions with."""

import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from local import seed
from local.package import read_template
from local.stack import LOGGING, ROOT, Stack

KEY = "vb_of_the_benches"
SETTINGS = {"VERBENA_ALLOW_NETWORKS": "127.0.0.1/32"}

Event = dict[str, Any]


@dataclass(frozen=True)
class Context:
    """What a handler reads of its Lambda context."""

    aws_request_id: str = "00000000-0000-0000-0000-000000000000"


@contextmanager
def running() -> Iterator[Stack]:
    """Tables, bucket and queues with no function behind them; `KEY` has funds and every scope."""
    with Stack(functions=None) as stack:
        seed.seed(stack, KEY)
        yield stack


def environment(stack: Stack) -> dict[str, str]:
    """What the template and the runtime would give a function, and where its code is."""
    template = read_template(ROOT / "template.yaml")
    defaults = {name: str(parameter.get("Default")) for name, parameter in template["Parameters"].items()}
    known = {**defaults, **stack.deployment.physical}
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    plain = {name: value for name, value in variables.items() if isinstance(value, str)}
    # What hangs on a condition, or is a list, is empty by default, as it is in the settings.
    named = {name: known[value["Ref"]] for name, value in variables.items() if "Ref" in value and name not in plain}
    path = os.pathsep.join(str(ROOT / folder) for folder in ("shared", "functions", "."))
    return {**stack.env, **plain, **named, **SETTINGS, **LOGGING, "PYTHONPATH": path}


def request(route: str, body: dict[str, Any] | None = None) -> Event:
    """An HTTP API event, as API Gateway sends it."""
    method, _, path = route.partition(" ")
    return {
        "version": "2.0",
        "routeKey": route,
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"authorization": f"Bearer {KEY}", "content-type": "application/json", "host": "verbena.test"},
        "requestContext": {"http": {"method": method, "path": path}, "requestId": uuid.uuid4().hex},
        "body": None if body is None else json.dumps(body),
        "isBase64Encoded": False,
    }


def delivery(message: Event) -> Event:
    """The event of a message that an event source mapping received."""
    record = {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": {"ApproximateReceiveCount": message.get("Attributes", {}).get("ApproximateReceiveCount", "1")},
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": "",
    }
    return {"Records": [record]}


def deliveries(stack: Stack, most: int) -> list[Event]:
    """Messages of web.scrape's queue, taken off it, as the worker would get them."""
    sqs, url = stack.client("sqs"), stack.deployment.outputs["WebScrapeQueue"]
    answer = sqs.receive_message(
        QueueUrl=url, MaxNumberOfMessages=most, MessageSystemAttributeNames=["ApproximateReceiveCount"]
    )
    messages: list[Event] = answer.get("Messages", [])
    for message in messages:
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return [delivery(message) for message in messages]
