"""Bodies by key in memory."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ObjectMemory:
    """Bodies by key."""

    bodies: dict[str, bytes] = field(default_factory=dict)

    def put(self, key: str, body: bytes) -> None:
        self.bodies[key] = body

    def get(self, key: str) -> bytes | None:
        return self.bodies.get(key)
