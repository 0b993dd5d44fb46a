"""CPU time a page from the wire to Markdown: this project beside what a user would pick instead, in one run.

The pages are those that VERBENA_CORPUS names, served over loopback by a process of their own. Each reader is a process
of its own too, with sixteen connections; only its own CPU is counted, from after its imports and first page.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.extract import labelled
from verbena.capability import Call, Portion
from verbena.catalog.web import ScrapeInput
from verbena.guard import Guard
from verbena.net import Client
from web_scrape.executor import scrape_with
from web_scrape.tiers import direct

CONNECTIONS = 16
EVERY = 16
ROUNDS = 3
FOLDER = Path(__file__).parent
PEERS = FOLDER.parent / ".venv-peers" / "bin" / "python"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"


@dataclass(frozen=True)
class Reader:
    """What is read how; the command takes the server's address, the number of pages and that of connections."""

    name: str
    command: tuple[str, ...]


SCRAPY = (str(PEERS), str(FOLDER / "peers" / "scrapy_trafilatura.py"))
READERS = (
    Reader("Verbena: main content as Markdown, metadata", (sys.executable, "-P", __file__, "--read")),
    Reader("Scrapy + trafilatura: main content as Markdown", SCRAPY),
    Reader("Scrapy + trafilatura: the same and metadata", (*SCRAPY, "--metadata")),
    Reader(
        "crawl4ai, HTTP strategy: the whole page as Markdown", (str(PEERS), str(FOLDER / "peers" / "crawl4ai_http.py"))
    ),
)


async def serve(corpus: Path, every: int) -> None:
    """Answers /N with the Nth page until it is ended; prints its port and how many pages it has."""
    bodies = [body for _, _, body in labelled(corpus, every)]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readuntil(b"\r\n\r\n"):
                body = bodies[int(line.split()[1][1:])]
                writer.write(HEAD % len(body) + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], len(bodies), flush=True)
    await server.serve_forever()


async def read(base: str, pages: int, connections: int) -> None:
    """What web.scrape does in a worker, without its stores."""

    async def no_other_verb(name: str, _: object) -> Portion:
        raise LookupError(name)

    async def answered(client: Client, urls: list[str]) -> Portion:
        call = Call("bench", "bench", time.monotonic() + 3600, no_other_verb)
        return await scrape_with(direct(client), ScrapeInput(urls=urls, respect_robots=False), call)

    urls = [f"{base}/{number}" for number in range(pages)]
    guard = Guard.of(["127.0.0.1/32"], [])
    async with Client(guard, connections=connections, per_host=connections) as client:
        await answered(client, urls[:1])
        before = time.process_time()
        portion = await answered(client, urls)
        cpu = time.process_time() - before
    texts = [getattr(answer.row, "content", None) or "" for answer in portion.answers]
    print(json.dumps({"cpu_s": cpu, "pages": sum(map(bool, texts)), "characters": sum(map(len, texts))}))


def measured(reader: Reader, base: str, pages: int) -> dict[str, float]:
    """What one process that reads all pages says of itself."""
    command = [*reader.command, base, str(pages), str(CONNECTIONS)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - of this folder
    told: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return told


def table(base: str, pages: int, readers: Sequence[Reader]) -> None:
    """The best of some rounds, in which all take turns: whatever else the machine does only ever adds."""
    rounds = [[measured(reader, base, pages) for reader in readers] for _ in range(ROUNDS)]
    print(f"\n{pages} labelled pages, {CONNECTIONS} connections, best of {ROUNDS}\n")
    print("| reader | CPU a page | ratio | pages with text | characters a page |\n|---|---:|---:|---:|---:|")
    best = [min(runs, key=lambda run: run["cpu_s"]) for runs in zip(*rounds, strict=True)]
    for reader, run in zip(readers, best, strict=True):
        ms, ratio = run["cpu_s"] / pages * 1000, run["cpu_s"] / best[0]["cpu_s"]
        each = run["characters"] / run["pages"]
        print(f"| {reader.name} | {ms:.1f} ms | {ratio:.1f} | {run['pages']:.0f} | {each:,.0f} |")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--serve", action="store_true", help="only be the server")
    options.add_argument(
        "--read", nargs=3, metavar=("BASE", "PAGES", "CONNECTIONS"), help="only be this project's reader"
    )
    options.add_argument("--every", type=int, default=EVERY, help="take each Nth page")
    options.add_argument("--alone", action="store_true", help="leave out the others")
    chosen = options.parse_args()
    if chosen.read:
        base, pages, connections = chosen.read
        asyncio.run(read(base, int(pages), int(connections)))
        return 0
    corpus = os.environ.get("VERBENA_CORPUS")
    if not corpus:
        print("VERBENA_CORPUS is not set: it names the folder of labelled pages this bench reads.", file=sys.stderr)
        return 2
    if chosen.serve:
        asyncio.run(serve(Path(corpus), chosen.every))
        return 0
    again = [sys.executable, "-P", __file__, "--serve", "--every", str(chosen.every)]
    server = subprocess.Popen(again, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this very file
    try:
        port, pages = (server.stdout.readline() if server.stdout else "").split()
        is_alone = chosen.alone or not PEERS.exists()
        table(f"http://127.0.0.1:{port}", int(pages), READERS[:1] if is_alone else READERS)
        if not PEERS.exists():
            print("\nThe others are not installed: `make peers` does that.")
    finally:
        server.terminate()
        server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
