"""CPU time per page over loopback: a raw asyncio reader, plain httpx, and our fetch, side by side in one run.

Run it with the layer and the functions on the path. It prints two markdown tables: each page over a connection of
its own, as a crawl of many hosts has it, and all pages of one host over kept connections. The server is a process
of its own, so that only the client's time is counted.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

import httpx

from verbena.guard import Guard
from verbena.net import Client
from web_scrape.fetch import Patience, fetch

# 130 KB: what pages weigh; those of the labelled corpora average 166 KiB.
PAGE = b"<!doctype html><title>Pier</title><p>" + b"The ferry timetable changes on Monday. " * 3400 + b"</p>"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n" % len(PAGE)
KEPT = HEAD + b"\r\n" + PAGE
CLOSED = HEAD + b"Connection: close\r\n\r\n" + PAGE
CONNECTIONS = (1, 16, 64)
ROUNDS = 3

Read = Callable[[], Awaitable[int]]
Measure = Callable[[str, int, int], Coroutine[Any, Any, float]]


async def serve() -> None:
    """Answers /kept and /new until it is ended; prints its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (await reader.readuntil(b"\r\n\r\n")).startswith(b"GET /kept"):
                writer.write(KEPT)
                await writer.drain()
            writer.write(CLOSED)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def raw(url: str, connections: int, pages: int) -> float:
    """What reading costs when nothing is checked."""
    parts = urlsplit(url)
    request = f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()

    async def read_from(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        return len(await reader.readexactly(length))

    async def read_anew() -> int:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        size = await read_from(reader, writer)
        writer.close()
        return size

    async def work() -> None:
        if parts.path == "/new":
            await repeated(read_anew, pages // connections)
            return
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        await repeated(lambda: read_from(reader, writer), pages // connections)
        writer.close()

    return await timed([work() for _ in range(connections)])


async def plain_httpx(url: str, connections: int, pages: int) -> float:
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with httpx.AsyncClient(limits=limits) as client:

        async def read() -> int:
            return len((await client.get(url)).content)

        return await timed([repeated(read, pages // connections) for _ in range(connections)])


async def ours(url: str, connections: int, pages: int) -> float:
    guard = Guard.of(["127.0.0.1/32"], [])
    async with Client(guard, connections=connections, per_host=connections) as client:

        async def read() -> int:
            return len((await fetch(client, url, patience=Patience(15))).body)

        return await timed([repeated(read, pages // connections) for _ in range(connections)])


async def repeated(read: Read, times: int) -> None:
    for _ in range(times):
        assert await read() == len(PAGE)  # noqa: S101 - a bench must not time errors


async def timed(work: list[Coroutine[Any, Any, None]]) -> float:
    """CPU seconds of this process while all of it runs."""
    before = time.process_time()
    await asyncio.gather(*work)
    return time.process_time() - before


def best(measure: Measure, url: str, connections: int, pages: int) -> float:
    """Milliseconds a page; the best of some rounds, for whatever else the machine does only ever adds."""
    seconds = [asyncio.run(measure(url, connections, pages)) for _ in range(ROUNDS)]
    return min(seconds) / (pages // connections * connections) * 1000


def print_table(title: str, url: str, pages: int) -> None:
    print(f"\n| {title} | raw asyncio | plain httpx | ours | ours / raw |")
    print("|---|---|---|---|---|")
    for connections in CONNECTIONS:
        base, plain, own = (best(each, url, connections, pages) for each in (raw, plain_httpx, ours))
        print(f"| {connections} at once | {base:.3f} ms | {plain:.3f} ms | {own:.3f} ms | {own / base:.1f} |")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--serve", action="store_true", help="only be the server")
    options.add_argument("--pages", type=int, default=1280, help="pages per measurement")
    chosen = options.parse_args()
    if chosen.serve:
        asyncio.run(serve())
        return
    serve_again = [sys.executable, __file__, "--serve"]
    server = subprocess.Popen(serve_again, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this very file
    try:
        port = server.stdout.readline().strip() if server.stdout else ""
        print_table("a connection a page", f"http://127.0.0.1:{port}/new", chosen.pages)
        print_table("kept connections", f"http://127.0.0.1:{port}/kept", chosen.pages)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
