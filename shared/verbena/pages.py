"""Pages as sites answered them, kept for whoever asks again within an age of the caller's choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class KeptPage:
    """An answer without its body. Times are whole seconds of the epoch: when it was read, and last found so.

    `headers` are those that are of use later; `content` names the body, which a new reading never overwrites.
    """

    url: str
    status: int
    wire_bytes: int
    fetched_at: int
    confirmed_at: int
    content: str
    headers: Mapping[str, str] = field(default_factory=dict)
    redirects: Sequence[str] = ()


class Pages(Protocol):
    """A store of pages by key. It is never in the way: what it cannot do it logs, and has not got."""

    def find(self, key: str, now: float) -> KeptPage | None: ...
    def body(self, page: KeptPage) -> bytes | None: ...
    def put(self, key: str, page: KeptPage, body: bytes | None = None) -> None:
        """Keep a page, in place of the one there was; without a body it is one whose body is kept already."""
        ...


class NoPages:
    """Keeps nothing: what a deployment without a store of pages lends."""

    def find(self, _key: str, _now: float) -> KeptPage | None:
        return None

    def body(self, _page: KeptPage) -> bytes | None:
        return None

    def put(self, key: str, page: KeptPage, body: bytes | None = None) -> None: ...
