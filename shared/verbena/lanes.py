"""How much runs at once: so many overall, and so many towards one host."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Lanes:
    """Fair in order of arrival; who waits for a busy host does not hold up the others."""

    def __init__(self, overall: int, per_host: int) -> None:
        self._overall = asyncio.Semaphore(overall)
        self._per_host = per_host
        self._hosts: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def lane(self, host: str) -> AsyncIterator[None]:
        """Holds one place of the host and one of all."""
        semaphore, users = self._hosts.get(host) or (asyncio.Semaphore(self._per_host), 0)
        self._hosts[host] = semaphore, users + 1
        try:
            async with semaphore, self._overall:
                yield
        finally:
            self._leave(host)

    def _leave(self, host: str) -> None:
        semaphore, users = self._hosts.pop(host)
        if users > 1:
            self._hosts[host] = semaphore, users - 1
