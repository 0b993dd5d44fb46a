"""Kept pages in memory."""

from dataclasses import dataclass, field

from verbena.pages import KeptPage


@dataclass(frozen=True, slots=True)
class PageMemory:
    """Pages by key, for `kept_s` after they were read."""

    kept_s: int
    pages: dict[str, KeptPage] = field(default_factory=dict)
    bodies: dict[str, bytes] = field(default_factory=dict)

    def find(self, key: str, now: float) -> KeptPage | None:
        page = self.pages.get(key)
        return page if page is not None and page.fetched_at + self.kept_s > now else None

    def body(self, page: KeptPage) -> bytes | None:
        return self.bodies.get(page.content)

    def put(self, key: str, page: KeptPage, body: bytes | None = None) -> None:
        if body is not None:
            self.bodies[page.content] = body
        self.pages[key] = page
