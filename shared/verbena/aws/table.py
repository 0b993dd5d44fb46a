"""One DynamoDB table with a `pk` and `sk`: consistent reads, index queries, and the writes of a transaction."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verbena.aws.codec import Item, decoded, encoded, shard_name
from verbena.ports import Write

BATCH = 100
"""The most items DynamoDB gives at once."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table by its name; `client` is a low-level DynamoDB client."""

    client: Any
    name: str

    def get(self, pk: str, sk: str) -> Item | None:
        """One item as it is now."""
        answer = self.client.get_item(TableName=self.name, Key=key(pk, sk), ConsistentRead=True)
        return decoded(answer["Item"]) if "Item" in answer else None

    def every(self, keys: Sequence[tuple[str, str]]) -> Iterator[Item]:
        """Those of some items that exist, as they are now."""
        for first in range(0, len(keys), BATCH):
            asked: Any = {self.name: {"Keys": [key(*at) for at in keys[first : first + BATCH]], "ConsistentRead": True}}
            while asked:
                answer = self.client.batch_get_item(RequestItems=asked)
                yield from map(decoded, answer["Responses"].get(self.name, ()))
                asked = answer.get("UnprocessedKeys")

    def between(self, pk: str, first: str, last: str) -> Iterator[Item]:
        """The items of a partition whose sort key lies in a range, as they are now, in order."""
        yield from self._query(
            KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
            ExpressionAttributeValues=encoded({":pk": pk, ":first": first, ":last": last}),
            ConsistentRead=True,
        )

    def due(self, shard: int, now: int) -> Iterator[Item]:
        """What the due index proposes; it is stale, so the caller reads each item again."""
        yield from self._query(
            IndexName="due",
            KeyConditionExpression="due_shard = :shard AND due_at <= :now",
            ExpressionAttributeValues=encoded({":shard": shard_name(shard), ":now": now}),
        )

    def indexed(self, index: str, condition: str, values: Mapping[str, Any], **more: Any) -> Iterator[Item]:
        """The items an index holds under a condition; eventually consistent."""
        yield from self._query(
            IndexName=index,
            KeyConditionExpression=condition,
            ExpressionAttributeValues=encoded(values),
            **more,
        )

    def prefixed(self, prefix: str) -> Iterator[Item]:
        """The items whose partition key begins so, as they are now; reads the whole table."""
        yield from self._pages(
            self.client.scan,
            FilterExpression="begins_with(pk, :prefix)",
            ExpressionAttributeValues=encoded({":prefix": prefix}),
            ConsistentRead=True,
        )

    def _query(self, **request: Any) -> Iterator[Item]:
        return self._pages(self.client.query, **request)

    def _pages(self, read: Callable[..., Any], **request: Any) -> Iterator[Item]:
        while True:
            answer = read(TableName=self.name, **request)
            yield from map(decoded, answer["Items"])
            if "LastEvaluatedKey" not in answer:
                return
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def put(self, name: str, item: Mapping[str, Any], condition: str, values: Mapping[str, Any] | None = None) -> Write:
        """A conditional put, for a transaction."""
        return self._write(name, "Put", {"Item": encoded(item)}, condition, values)

    def update(self, name: str, at: tuple[str, str], change: str, condition: str, values: Mapping[str, Any]) -> Write:
        """A conditional update, for a transaction."""
        return self._write(name, "Update", {"Key": key(*at), "UpdateExpression": change}, condition, values)

    def delete(self, name: str, at: tuple[str, str], condition: str, values: Mapping[str, Any]) -> Write:
        """A conditional delete, for a transaction."""
        return self._write(name, "Delete", {"Key": key(*at)}, condition, values)

    def _write(
        self, name: str, kind: str, what: dict[str, Any], condition: str, values: Mapping[str, Any] | None
    ) -> Write:
        text = condition + " " + what.get("UpdateExpression", "")
        request = {"TableName": self.name, "ConditionExpression": condition, **what, **aliases(text)}
        if values:
            request["ExpressionAttributeValues"] = encoded(values)
        return Write(name, {kind: request})

    def apply(self, write: Write) -> Item | None:
        """Run one write by itself; the item as it stands when its condition was refused, else None."""
        ((kind, request),) = write.operation.items()
        call = {
            "Put": self.client.put_item,
            "Update": self.client.update_item,
            "Delete": self.client.delete_item,
        }[kind]
        try:
            call(**request, ReturnValuesOnConditionCheckFailure="ALL_OLD")
        except self.client.exceptions.ConditionalCheckFailedException as error:
            return decoded(error.response.get("Item", {}))
        return None


def aliases(text: str) -> dict[str, Any]:
    """The ExpressionAttributeNames of an expression that writes `#name` where a name may be a reserved word."""
    names = {f"#{name}": name for name in re.findall(r"#(\w+)", text)}
    return {"ExpressionAttributeNames": names} if names else {}


def key(pk: str, sk: str) -> Item:
    return encoded({"pk": pk, "sk": sk})
