"""Conversations carried out over httpx: the one place where waiting is blocking or awaited."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

import httpx

from verbena.client.peer import Peer
from verbena.client.typed import typed
from verbena.client.wire import Ask, T, Talk, checked_key, checked_url

CONNECT_WITHIN_S = 5.0

Step = Callable[[], Ask | float]


class Line:
    """A way to a server. `converse` fails as JSON says it, `run` with the typed errors."""

    def __init__(self, base_url: str, key: str | None) -> None:
        self.peer = Peer(checked_url(base_url))
        self._http = httpx.Client(**caller(self.peer.base_url, key))

    def close(self) -> None:
        self._http.close()

    def run(self, talk: Talk[T]) -> T:
        return self.converse(typed(talk))

    def converse(self, talk: Talk[T]) -> T:
        step: Step = partial(next, talk)
        while True:
            try:
                wanted = step()
            except StopIteration as end:
                value: T = end.value
                return value
            step = self._done(talk, wanted)

    def _done(self, talk: Talk[T], wanted: Ask | float) -> Step:
        if isinstance(wanted, float):
            time.sleep(wanted)
            return partial(next, talk)
        try:
            return partial(talk.send, self._http.request(**_request(wanted)))
        except httpx.RequestError as error:
            return partial(talk.throw, error)


class AsyncLine:
    """The same on an event loop."""

    def __init__(self, base_url: str, key: str | None) -> None:
        self.peer = Peer(checked_url(base_url))
        self._http = httpx.AsyncClient(**caller(self.peer.base_url, key))

    async def close(self) -> None:
        await self._http.aclose()

    async def run(self, talk: Talk[T]) -> T:
        talk = typed(talk)
        step: Step = partial(next, talk)
        while True:
            try:
                wanted = step()
            except StopIteration as end:
                value: T = end.value
                return value
            step = await self._done(talk, wanted)

    async def _done(self, talk: Talk[T], wanted: Ask | float) -> Step:
        if isinstance(wanted, float):
            await asyncio.sleep(wanted)
            return partial(next, talk)
        try:
            return partial(talk.send, await self._http.request(**_request(wanted)))
        except httpx.RequestError as error:
            return partial(talk.throw, error)


def caller(base_url: str, key: str | None) -> dict[str, Any]:
    """Who calls whom, as httpx takes it."""
    headers = {"User-Agent": f"verbena/{version('verbena')}", "Accept": "application/json"}
    if known := checked_key(key):
        headers["Authorization"] = f"Bearer {known}"
    return {"base_url": base_url, "headers": headers}


def _request(ask: Ask) -> dict[str, Any]:
    timeout = httpx.Timeout(ask.within_s, connect=min(ask.within_s, CONNECT_WITHIN_S))
    return {
        "method": ask.method,
        "url": ask.path,
        "params": ask.query,
        "json": ask.body,
        "headers": ask.headers,
        "timeout": timeout,
    }
