"""A forward proxy on 127.0.0.1 for one browser: the only way out it has, and every connection passes the gates.

The name is looked up here, all its addresses are judged, and one of these very addresses is dialled: an answer that
changes between two questions (DNS rebinding) cannot get past it.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from verbena import settings
from verbena.errors import BodyTooLarge, ConnectFailed, DnsFailure, ReadError
from verbena.gates import GuardedResolver, Lookup, system_lookup
from verbena.guard import Guard

Where = tuple[str, int]

HEAD_CAP_BYTES: Final = 64 * 1024
CHUNK_BYTES: Final = 64 * 1024
HTTP_PORT: Final = 80
ESTABLISHED: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"
# What may end a connection; the browser, whose affair it is, sees that it did.
OVER: Final = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, ReadError)
# Of one hop alone (RFC 9110, 7.6.1).
HOP_BY_HOP: Final = (b"connection", b"proxy-connection", b"keep-alive", b"proxy-authorization")


class Gatehouse:
    """Open between entering and leaving; `failures` says why hosts were not reached, `full` whether the cap was."""

    def __init__(
        self, guard: Guard, lookup: Lookup = system_lookup, cap_bytes: int = settings.BROWSER_WIRE_CAP_BYTES
    ) -> None:
        self._resolver = GuardedResolver(guard, lookup)
        self._cap_bytes = cap_bytes
        self._received = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.failures: dict[Where, ReadError] = {}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_CAP_BYTES)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        host, port = self._server.sockets[0].getsockname()
        return f"http://{host}:{port}"

    @property
    def full(self) -> bool:
        return self._received > self._cap_bytes

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            with contextlib.suppress(*OVER):
                await self._pass(reader, writer)
        finally:
            writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the browser: a tunnel, or one plain request. What is refused is closed unanswered."""
        method, target, *lines = _lines(await reader.readuntil(b"\r\n\r\n"))
        tunnel = method == b"CONNECT"
        where, path = _authority(target) if tunnel else _resource(target)
        out_reader, out_writer = await self._dial(where)
        try:
            if tunnel:
                writer.write(ESTABLISHED)
            else:
                out_writer.write(_head(b" ".join((method, path, b"HTTP/1.1")), lines))
            await asyncio.gather(_pump(reader, out_writer), self._answer(out_reader, writer, head_first=not tunnel))
        finally:
            out_writer.close()

    async def _dial(self, where: Where) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await self._dialled(where)
        except ReadError as error:
            self.failures[where] = error
            raise

    async def _dialled(self, where: Where) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.full:
            raise BodyTooLarge
        try:
            found = await self._resolver.resolve(*where)
        except OSError as error:
            raise DnsFailure from error
        for each in found:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(each["host"], each["port"], limit=HEAD_CAP_BYTES)
        raise ConnectFailed

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, head_first: bool) -> None:
        """A plain answer ends its connection: the next request on it might be for another host."""
        if head_first:
            status, *lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
            writer.write(_head(status, [line for line in lines if line]))
        while chunk := await reader.read(CHUNK_BYTES):
            self._received += len(chunk)
            if self.full:
                raise BodyTooLarge
            writer.write(chunk)
            await writer.drain()
        writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(CHUNK_BYTES):
        writer.write(chunk)
        await writer.drain()
    writer.close()


def _lines(head: bytes) -> list[bytes]:
    """Method, target, and the header lines; ValueError for what is no request."""
    first, *lines = head.split(b"\r\n")
    method, target, _ = first.split(b" ")
    return [method, target, *(line for line in lines if line)]


def _head(first: bytes, lines: Sequence[bytes]) -> bytes:
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() not in HOP_BY_HOP]
    return b"\r\n".join((first, *kept, b"Connection: close", b"", b""))


def _authority(target: bytes) -> tuple[Where, bytes]:
    parts = urlsplit(b"//" + target)
    if parts.hostname is None or parts.port is None:
        raise ValueError(target)
    return (parts.hostname.decode("ascii"), parts.port), b""


def _resource(target: bytes) -> tuple[Where, bytes]:
    parts = urlsplit(target)
    if parts.scheme != b"http" or parts.hostname is None:
        raise ValueError(target)
    path = target.split(b"/", 3)[3:]
    return (parts.hostname.decode("ascii"), parts.port or HTTP_PORT), b"/" + b"".join(path)
