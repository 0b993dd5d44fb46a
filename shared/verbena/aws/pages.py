"""Kept pages: what was answered in the jobs table, whose items expire, and the body in the results bucket."""

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from verbena import settings, wire
from verbena.aws.codec import encoded
from verbena.aws.objects import Bucket
from verbena.aws.table import Table
from verbena.errors import ReadError
from verbena.pages import KeptPage

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)


def or_nothing(function: Callable[P, T | None]) -> Callable[P, T | None]:
    """A store that fails, or a body that cannot be unpacked, is as good as an empty one, and is logged."""

    @wraps(function)
    def guarded(*arguments: P.args, **named: P.kwargs) -> T | None:
        try:
            return function(*arguments, **named)
        except (BotoCoreError, ClientError, ReadError) as error:
            logger.warning("the store of pages failed at %s: %s", function.__name__, error)
            return None

    return guarded


@dataclass(frozen=True, slots=True)
class KeptPages:
    """Pages by key, for `kept_s` after they were read."""

    table: Table
    bucket: Bucket
    kept_s: int

    @or_nothing
    def find(self, key: str, now: float) -> KeptPage | None:
        item = self.table.get(*_at(key))
        if item is None or item["ttl"] <= now:
            return None
        named = {name: value for name, value in item.items() if name not in {"pk", "sk", "ttl"}}
        return KeptPage(**named)

    @or_nothing
    def body(self, page: KeptPage) -> bytes | None:
        packed = self.bucket.get(page.content)
        return None if packed is None else wire.decoded(packed, ("zstd",), settings.DECODED_CAP_BYTES)

    @or_nothing
    def put(self, key: str, page: KeptPage, body: bytes | None = None) -> None:
        if body is not None:
            self.bucket.put(page.content, wire.packed(body))
        pk, sk = _at(key)
        item = {"pk": pk, "sk": sk, "ttl": page.fetched_at + self.kept_s, **asdict(page)}
        self.table.client.put_item(TableName=self.table.name, Item=encoded(item))


def _at(key: str) -> tuple[str, str]:
    return f"page#{key}", "page"
