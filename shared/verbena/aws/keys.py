"""API keys: stored by their SHA-256, looked up at every door, cached for the stated revocation delay."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from verbena.aws.codec import encoded
from verbena.aws.table import Table
from verbena.settings import KEY_CACHE_S


@dataclass(frozen=True, slots=True)
class ApiKey:
    """Whom a key speaks for. `rate_limit` is like '60/m'; None means the operator's default."""

    key_id: str
    owner: str
    scopes: tuple[str, ...]
    rate_limit: str | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of the config table. A revoked key is refused after KEY_CACHE_S at the latest."""

    table: Table
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, tuple[float, ApiKey | None]] = field(default_factory=dict)

    def find(self, secret: str) -> ApiKey | None:
        """Whose key this is, or None."""
        digest = hashlib.sha256(secret.encode()).hexdigest()
        read_at, key = self._seen.get(digest, (float("-inf"), None))
        if key is None or self.clock() - read_at > KEY_CACHE_S:
            item = self.table.get(f"key#{digest}", "key")
            key = _api_key(item) if item else None
            self._seen[digest] = (self.clock(), key)
        return key

    def put(self, secret: str, key: ApiKey) -> None:
        """Store a key; the secret itself is never kept."""
        digest = hashlib.sha256(secret.encode()).hexdigest()
        item = {"pk": f"key#{digest}", "sk": "key", **asdict(key)}
        self.table.client.put_item(TableName=self.table.name, Item=encoded(item))


def _api_key(item: dict[str, str]) -> ApiKey:
    return ApiKey(item["key_id"], item["owner"], tuple(item["scopes"]), item.get("rate_limit"))
