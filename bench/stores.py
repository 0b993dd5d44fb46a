"""MiniStack with the template's stores, what functions need to find them, and events to call functions with."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from local import seed
from local.stack import Stack

KEY = "vb_of_the_benches"
VARIABLES = {
    "VERBENA_JOBS_TABLE": "JobsTable",
    "VERBENA_LEDGER_TABLE": "LedgerTable",
    "VERBENA_CONFIG_TABLE": "ConfigTable",
    "VERBENA_RESULTS_BUCKET": "ResultsBucket",
    "VERBENA_QUEUE_WEB_SCRAPE": "WebScrapeQueue",
    "VERBENA_QUEUE_WEB_DISCOVER": "WebDiscoverQueue",
    "VERBENA_QUEUE_MAPS": "MapsQueue",
}
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
    """What the template and the runtime would give a function."""
    outputs = stack.deployment.outputs
    named = {variable: outputs[output] for variable, output in VARIABLES.items()}
    return {**stack.env, **named, **SETTINGS, "POWERTOOLS_SERVICE_NAME": "verbena", "POWERTOOLS_LOG_LEVEL": "INFO"}


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
