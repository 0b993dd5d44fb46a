"""CPU time per page over loopback: a raw asyncio reader, plain httpx, and our fetch, side by side in one run.

Run it with the layer and the functions on the path; it prints a markdown table. The server is a process of its
own, so that only the client's time is counted.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import httpx

from verbena.guard import Guard
from verbena.net import Client
from web_scrape.fetch import fetch

PAGE = b"<!doctype html><title>Pier</title><p>" + b"The ferry timetable changes on Monday. " * 500 + b"</p>"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%b" % (
    len(PAGE),
    PAGE,
)
CONNECTIONS = (1, 16, 64)
ROUNDS = 2

Read = Callable[[], Awaitable[int]]


async def serve() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def raw(url: str, connections: int, pages: int) -> float:
    """What reading costs when nothing is checked: one worker a connection."""
    parts = urlsplit(url)
    request = f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()

    async def work() -> None:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        for _ in range(pages // connections):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length:")[2].split()[0])
            assert len(await reader.readexactly(length)) == len(PAGE)  # noqa: S101 - a bench must not time errors
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
            return len((await fetch(client, url, timeout_s=15)).body)

        return await timed([repeated(read, pages // connections) for _ in range(connections)])


async def repeated(read: Read, times: int) -> None:
    for _ in range(times):
        assert await read() == len(PAGE)  # noqa: S101 - a bench must not time errors


async def timed(work: list[Awaitable[None]]) -> float:
    """CPU seconds of this process while all of it runs."""
    before = time.process_time()
    await asyncio.gather(*work)
    return time.process_time() - before


def best(measure: Callable[[str, int, int], Awaitable[float]], url: str, connections: int, pages: int) -> float:
    """Milliseconds a page; the best of some rounds, for whatever else the machine does only ever adds."""
    seconds = [asyncio.run(measure(url, connections, pages)) for _ in range(ROUNDS)]
    return min(seconds) / pages * 1000


def table(url: str, pages: int) -> None:
    print("| connections | raw asyncio | plain httpx | ours | ours / raw |")
    print("|---|---|---|---|---|")
    for connections in CONNECTIONS:
        base, plain, own = (best(each, url, connections, pages) for each in (raw, plain_httpx, ours))
        print(f"| {connections} | {base:.3f} ms | {plain:.3f} ms | {own:.3f} ms | {own / base:.1f} |", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--serve", action="store_true", help="only be the server")
    options.add_argument("--pages", type=int, default=960, help="pages per measurement")
    chosen = options.parse_args()
    if chosen.serve:
        asyncio.run(serve())
        return
    serve_again = [sys.executable, __file__, "--serve"]
    server = subprocess.Popen(serve_again, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this very file
    try:
        port = server.stdout.readline().strip() if server.stdout else ""
        table(f"http://127.0.0.1:{port}/page", chosen.pages)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
