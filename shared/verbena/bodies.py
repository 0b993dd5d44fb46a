"""Bodies of responses: whole or not at all, under their caps, with their codings undone."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp

from verbena import settings, wire
from verbena.errors import BadResponse, BodyTooLarge, ConnectFailed, TruncatedBody
from verbena.failures import NETWORK, typed

# Up to this size undoing a coding is cheaper than a hop to a thread and back.
DECODE_INLINE_BYTES = 64 * 1024


class StaleConnection(ConnectFailed):
    """A connection that had served before was closed meanwhile; the server never saw this request."""


class Response(aiohttp.ClientResponse):
    """A response that notices three ends which the library mends behind our back, takes for good, or misses."""

    _lost: asyncio.Future[None] | None

    async def start(self, connection: Any) -> aiohttp.ClientResponse:
        """Raises what the library would answer with a second request, for a try must be one request."""
        self._lost = connection.protocol.closed
        served_before = self._lost is not None and _adopted(self._lost)
        try:
            return await super().start(connection)
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
            raise (StaleConnection if served_before else ConnectFailed) from error

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it came; raises BadResponse where its framing breaks, TruncatedBody where it is cut off."""
        if self._lost is not None:
            self._lost.add_done_callback(self._abandon)
        try:
            async for chunk in self.content.iter_any():
                yield chunk
        except NETWORK as error:
            raise typed(error, TruncatedBody) from error
        finally:
            if self._lost is not None:
                self._lost.remove_done_callback(self._abandon)
        if self._was_reset and "Content-Length" not in self.headers and "Transfer-Encoding" not in self.headers:
            raise TruncatedBody

    @property
    def _was_reset(self) -> bool:
        return self._lost is not None and self._lost.done() and self._lost.exception() is not None

    def _abandon(self, _: object) -> None:
        """The parser gave up and closed the connection but left the reader waiting: tell it."""
        if not self.content.is_eof() and self.content.exception() is None:
            self.content.set_exception(BadResponse())


async def body_of(response: Response) -> tuple[bytes, int]:
    """The decoded body and its size on the wire.

    Raises BodyTooLarge, TruncatedBody, or BadResponse when its framing or coding is broken.
    """
    codings = wire.codings(_all(response, "Content-Encoding"))
    # A transfer coding beside chunked is as rare as it is unasked for, but it is a coding.
    codings += wire.codings(_all(response, "Transfer-Encoding").lower().replace("chunked", ""))
    raw = await _raw(response)
    if not codings or len(raw) <= DECODE_INLINE_BYTES:
        return wire.decoded(raw, codings, settings.DECODED_CAP_BYTES), len(raw)
    return await asyncio.to_thread(wire.decoded, raw, codings, settings.DECODED_CAP_BYTES), len(raw)


async def _raw(response: Response) -> bytes:
    if (response.content_length or 0) > settings.WIRE_CAP_BYTES:
        raise BodyTooLarge(content_length=response.content_length)
    chunks, size = [], 0
    async for chunk in response.chunks():
        chunks.append(chunk)
        size += len(chunk)
        if size > settings.WIRE_CAP_BYTES:
            raise BodyTooLarge(wire_cap_bytes=settings.WIRE_CAP_BYTES)
    return b"".join(chunks)


def _all(response: Response, name: str) -> str:
    return ",".join(response.headers.getall(name, ()))


def _adopted(lost: asyncio.Future[None]) -> bool:
    """See that a lost connection is looked at once (asyncio complains otherwise); True if it was adopted before."""
    known = lost.remove_done_callback(_looked_at) > 0
    lost.add_done_callback(_looked_at)
    return known


def _looked_at(lost: asyncio.Future[None]) -> None:
    lost.exception()
