"""The site that benches read: one page under any path, served by a process of its own on loopback."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HOST = "127.0.0.1"
SENTENCE = "The ferry from the old pier leaves at seven in the morning, and comes back when the market closes. "
SECTION = f"<h2>Part {{}}</h2><p>{SENTENCE * 3}</p><ul><li>{SENTENCE}</li><li><a href='/map'>A map</a></li></ul>"


def page(size: int) -> bytes:
    """An article of about `size` bytes, with what surrounds one: a menu, a sidebar, a footer."""
    sections = "".join(SECTION.format(number) for number in range(1 + size // len(SECTION)))
    menu = "".join(f"<li><a href='/{number}'>Section {number}</a></li>" for number in range(12))
    return (
        "<!doctype html><html lang=en><head><title>Harbour timetable</title>"
        "<meta name=description content='When boats leave.'></head><body>"
        f"<nav><ul>{menu}</ul></nav><main><article><h1>Harbour timetable</h1>{sections}</article></main>"
        f"<aside><ul>{menu}</ul></aside><footer>All rights reserved.</footer></body></html>"
    ).encode()


@contextmanager
def serving(size: int) -> Iterator[str]:
    """The base URL of a running site whose pages have about `size` bytes."""
    command = [sys.executable, "-m", "bench.site", str(size)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
        port = server.stdout.readline().strip() if server.stdout else ""
        try:
            yield f"http://{HOST}:{port}"
        finally:
            server.terminate()


async def serve(body: bytes) -> None:
    """Print the port, then answer every request with `body` until the process is ended."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    reply = head.encode() + body

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(reply)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(answer, HOST, 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(page(int(sys.argv[1]))))
