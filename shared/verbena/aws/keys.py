"""API keys: stored by their SHA-256, looked up at every door, cached for the stated revocation delay."""

import hashlib
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

from verbena.aws.codec import Item, encoded
from verbena.aws.table import Table
from verbena.aws.table import key as key_of
from verbena.settings import KEY_CACHE_S


def new_secret() -> str:
    """A key nobody can guess, told from other secrets by its first letters."""
    return f"vb_{secrets.token_urlsafe(24)}"


def new_key_id() -> str:
    """What a key is called where the key itself must not be seen."""
    return f"key_{secrets.token_hex(6)}"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """Whom a key speaks for. `rate_limit` is like '60/m'; None means the operator's default."""

    key_id: str
    owner: str
    scopes: tuple[str, ...]
    rate_limit: str | None = None
    created_at: str | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of the config table. A revoked key is refused after KEY_CACHE_S at the latest."""

    table: Table
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, tuple[float, ApiKey]] = field(default_factory=dict)

    def find(self, secret: str) -> ApiKey | None:
        """Whose key this is, or None."""
        digest = hashlib.sha256(secret.encode()).hexdigest()
        now = self.clock()
        read_at, key = self._seen.get(digest, (float("-inf"), None))
        if now - read_at <= KEY_CACHE_S:
            return key
        item = self.table.get(f"key#{digest}", "key")
        if item is None:
            # Not remembered: guesses would fill the memory, and a key made in this moment opens at once.
            self._seen.pop(digest, None)
            return None
        self._seen[digest] = now, _api_key(item)
        return self._seen[digest][1]

    def named(self, key_id: str) -> ApiKey | None:
        """The key of an id, as it is now, for doors that IAM opens and whose messages say whose call it is."""
        item = self._item_named(key_id)
        return _api_key(item) if item else None

    def put(self, secret: str, key: ApiKey) -> None:
        """Store a key, found by its secret and by its id; the secret itself is never kept."""
        at = f"key#{hashlib.sha256(secret.encode()).hexdigest()}"
        pk, sk = _id_at(key.key_id)
        for item in ({"pk": at, "sk": "key", **asdict(key)}, {"pk": pk, "sk": sk, "key": at}):
            self.table.client.put_item(TableName=self.table.name, Item=encoded(item))

    def every(self) -> list[ApiKey]:
        """All keys, oldest first; reads the whole table, which holds little else."""
        return sorted(map(_api_key, self._items()), key=lambda key: (key.created_at or "", key.key_id))

    def revoke(self, key_id: str) -> ApiKey | None:
        """Forget a key by its id, and say whose it was; None if there is no such key."""
        item = self._item_named(key_id)
        if item is None:
            return None
        for at in ((item["pk"], "key"), _id_at(key_id)):
            self.table.client.delete_item(TableName=self.table.name, Key=key_of(*at))
        return _api_key(item)

    def _item_named(self, key_id: str) -> Item | None:
        pointer = self.table.get(*_id_at(key_id))
        return self.table.get(pointer["key"], "key") if pointer else None

    def _items(self) -> Iterator[Item]:
        return self.table.prefixed("key#")


def _id_at(key_id: str) -> tuple[str, str]:
    return f"keyid#{key_id}", "keyid"


def _api_key(item: Item) -> ApiKey:
    return ApiKey(item["key_id"], item["owner"], tuple(item["scopes"]), item.get("rate_limit"), item.get("created_at"))
