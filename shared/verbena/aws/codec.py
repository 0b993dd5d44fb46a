"""Domain values as DynamoDB attributes and back. All numbers are whole: fractions live in S3, as JSON."""

import zlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

from verbena.settings import DUE_SHARDS

_SERIALIZER = TypeSerializer()
_DESERIALIZER = TypeDeserializer()

Item = dict[str, Any]


def encoded(values: Mapping[str, Any]) -> Item:
    """Attribute values without the fields that are None."""
    return {name: _SERIALIZER.serialize(_plain(value)) for name, value in values.items() if value is not None}


def decoded(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _whole(_DESERIALIZER.deserialize(value)) for name, value in item.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _whole(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    return [_whole(inner) for inner in value] if isinstance(value, list) else value


def due_shard(identity: str) -> str:
    """Which partition of the due index an item is in: spread, so that no partition is hot."""
    return shard_name(zlib.crc32(identity.encode()) % DUE_SHARDS)


def shard_name(number: int) -> str:
    return f"due#{number}"
