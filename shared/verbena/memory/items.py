"""Items by key, changed on conditions: what a table is to the stores of one process."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from verbena.ports import Write

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A conditional change of one item. Both functions get the item as it is; None is no item."""

    key: Key
    allowed: Callable[[Any], bool]
    changed: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Memory:
    """Items by key, changed several at once or none. `now` is seconds since the epoch."""

    now: Callable[[], float] = time.time
    items: dict[Key, Any] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    lock: RLock = field(default_factory=RLock)

    def commit(self, writes: Sequence[Write], token: str) -> frozenset[str]:
        """Apply all or nothing; a token that was applied is not applied again."""
        changes: list[Change] = [write.operation for write in writes]
        if len({change.key for change in changes}) != len(changes):
            message = "a transaction changes no item twice"
            raise ValueError(message)
        with self.lock:
            if token in self.tokens:
                return frozenset()
            refused = {write.name for write in writes if not self._allows(write.operation)}
            if not refused:
                self.tokens.add(token)
                for change in changes:
                    self._make(change)
            return frozenset(refused)

    def apply(self, change: Change) -> bool:
        """Make one change if it is allowed; whether it was."""
        with self.lock:
            allowed = self._allows(change)
            if allowed:
                self._make(change)
            return allowed

    def get(self, key: Key) -> Any:
        """One item, or None."""
        return self.items.get(key)

    def under(self, *prefix: str) -> list[Any]:
        """The items whose key starts so, in the order of their keys."""
        with self.lock:
            return [self.items[key] for key in sorted(self.items) if key[: len(prefix)] == prefix]

    def _allows(self, change: Change) -> bool:
        return change.allowed(self.items.get(change.key))

    def _make(self, change: Change) -> None:
        item = change.changed(self.items.get(change.key))
        if item is None:
            del self.items[change.key]
        else:
            self.items[change.key] = item


def put(name: str, key: Key, item: Any, allowed: Callable[[Any], bool] = lambda item: item is None) -> Write:
    return Write(name, Change(key, allowed, lambda _: item))
