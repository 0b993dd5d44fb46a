"""Counts what AWS would bill of a process's own requests, from inside its clients."""

from collections import Counter
from typing import Any

from bench.prices import SQS_CHUNK_BYTES
from verbena.aws import clients

WRITES = {"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"}


class Meter:
    """`billed` grows with every request of the process's clients; DynamoDB says itself how many units one took."""

    def __init__(self) -> None:
        self.billed: Counter[str] = Counter()
        for service, asked, answered in (
            ("dynamodb", self._ask_for_units, self._count_units),
            ("s3", self._count_object, None),
            ("sqs", self._count_messages, None),
        ):
            events = clients.client(service).meta.events
            events.register(f"provide-client-params.{service}", asked)
            if answered:
                events.register(f"after-call.{service}", answered)

    def _ask_for_units(self, params: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {**params, "ReturnConsumedCapacity": "TOTAL"}

    def _count_units(self, parsed: dict[str, Any], model: Any, **_: Any) -> None:
        told = parsed.get("ConsumedCapacity", [])
        units = sum(table["CapacityUnits"] for table in (told if isinstance(told, list) else [told]))
        self.billed["write units" if model.name in WRITES else "read units"] += units

    def _count_object(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        self.billed["puts" if model.name == "PutObject" else "gets"] += 1
        self.billed["stored bytes"] += len(params.get("Body", b""))

    def _count_messages(self, params: dict[str, Any], model: Any, **_: Any) -> None:
        if model.name == "SendMessageBatch":
            size = sum(len(entry["MessageBody"]) for entry in params["Entries"])
            self.billed["sends"] += -(-size // SQS_CHUNK_BYTES)
