"""Domain values as DynamoDB attributes and back. All numbers are whole: fractions live in S3, as JSON.

boto3's own serializer would bring boto3 with it, 20 ms of every cold start, and makes a Decimal of every number.
"""

import zlib
from collections.abc import Mapping
from typing import Any

from verbena.settings import DUE_SHARDS

Item = dict[str, Any]

SCALARS = {str: "S", bool: "BOOL", int: "N"}


def encoded(values: Mapping[str, Any]) -> Item:
    """Attribute values without the fields that are None; a TypeError for what no item may hold."""
    return {name: _attribute(value) for name, value in values.items() if value is not None}


def decoded(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(attribute) for name, attribute in item.items()}


def _attribute(value: Any) -> Item:
    if name := SCALARS.get(type(value)):
        return {name: str(value) if name == "N" else value}
    if isinstance(value, Mapping):
        return {"M": {key: _attribute(inner) for key, inner in value.items()}}
    if isinstance(value, list | tuple):
        return {"L": [_attribute(inner) for inner in value]}
    if value is None:
        return {"NULL": True}
    raise TypeError(f"{type(value).__name__} is nothing an item may hold: {value!r}")


def _value(attribute: Mapping[str, Any]) -> Any:
    ((kind, value),) = attribute.items()
    match kind:
        case "S" | "BOOL":
            return value
        case "N":
            return int(value)
        case "M":
            return decoded(value)
        case "L":
            return [_value(inner) for inner in value]
        case "NULL":
            return None
    raise TypeError(f"an item holds a {kind}, which nothing here writes")


def due_shard(identity: str) -> str:
    """Which partition of the due index an item is in: spread, so that no partition is hot."""
    return shard_name(zlib.crc32(identity.encode()) % DUE_SHARDS)


def shard_name(number: int) -> str:
    return f"due#{number}"
