"""A loopback server that answers with raw bytes, so that tests can say exactly what is on the wire."""

import asyncio
import socket
import struct
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from verbena.errors import ReadError
from verbena.guard import Guard
from verbena.net import Client

LOOPBACK = Guard.of(["127.0.0.1/32"], [])
RESET = object()
HOLD = object()
NO_RULES = b"HTTP/1.1 404 Not Found\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"


@dataclass
class Served:
    """Answers the nth request with the nth script, the last one for ever; a script is bytes, RESET and HOLD.

    What it says of robots is a script of its own, and asking for that counts apart.
    """

    scripts: list
    robots: list = field(default_factory=lambda: [NO_RULES])
    robots_asked: int = 0
    port: int = 0
    heads: list = field(default_factory=list)
    connections: int = 0

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"

    async def answer(self, reader, writer):
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                if not await self.play(self.script(head), reader, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def script(self, head):
        if head.startswith("GET /robots.txt "):
            self.robots_asked += 1
            return self.robots
        self.heads.append(head)
        return self.scripts[min(len(self.heads), len(self.scripts)) - 1]

    async def play(self, script, reader, writer):
        """False when the connection is to be closed."""
        for step in script:
            if step is RESET:
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                writer.transport.abort()
                return False
            if step is HOLD:
                await reader.read()
                return False
            if isinstance(step, asyncio.Event):
                await step.wait()
                continue
            writer.write(step)
            await writer.drain()
            await asyncio.sleep(0.01 if len(script) > 1 else 0)  # so that steps arrive apart
        return b"keep-alive" in script[0]


@asynccontextmanager
async def serving(*scripts):
    served = Served([script if isinstance(script, list) else [script] for script in scripts])
    server = await asyncio.start_server(served.answer, "127.0.0.1", 0)
    served.port = server.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        server.close()


def ok(body=b"<p>hello</p>", *headers):
    """A whole answer; each header is a line."""
    lines = b"".join(header + b"\r\n" for header in headers)
    return b"HTTP/1.1 200 OK\r\n%bContent-Length: %d\r\n\r\n%b" % (lines, len(body), body)


def moved(location, status=302, *headers):
    lines = b"".join(header + b"\r\n" for header in headers)
    return f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\n".encode() + lines + b"Content-Length: 0\r\n\r\n"


async def get(url, *, guard=LOOPBACK, seconds=5.0, headers=None, **options):
    async with Client(guard, **options) as client:
        return await client.get(url, headers=headers or {}, deadline=time.monotonic() + seconds)


async def outcome(*scripts, path="/", **options):
    """The reply to one GET, or the code of its error."""
    async with serving(*scripts) as served:
        try:
            return await get(served.url(path), **options)
        except ReadError as error:
            return error.code
