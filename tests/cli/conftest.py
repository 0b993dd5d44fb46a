"""What the tests of the command line share: a site of a few pages, and the program run in this process or its own."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from verbena import settings
from verbena.doors.cli import main

PROGRAM = Path(sys.executable).with_name("verbena")


@dataclass
class Site:
    """`/page/N` is a page, `/held/N` one that comes once `released` is set, any other path is missing."""

    base: str = ""
    seen: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def pages(self, count: int, kind: str = "page") -> list[str]:
        return [f"{self.base}/{kind}/{number}" for number in range(count)]

    def body(self, path: str) -> bytes | None:
        kind, _, number = path.strip("/").partition("/")
        if kind == "held":
            self.released.wait(30)
        if kind not in {"page", "held", "evil", "big"}:
            return None
        title = f"Page {number}" if kind != "evil" else "Tidy\x1b[2J\x9b31m\u202e title"
        repeats = 30_000 if kind == "big" else 1
        text = "<p>Sähkö 電気 is electricity.</p>" + "".join(
            f"<p>Line {line} of page {number}: enough words to be read.</p>" for line in range(repeats)
        )
        return f"<title>{title}</title><main><h1>{title}</h1>{text}</main>".encode()


@pytest.fixture
def site() -> Iterator[Site]:
    here = Site()

    class Pages(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            here.seen.append(self.path)
            body = here.body(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_):
            """A reader that went away is no news here."""

    with Server(("127.0.0.1", 0), Pages) as server:
        here.base = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield here
        here.released.set()
        server.shutdown()
        thread.join()


Verbena = Callable[..., Result]


def caller(env: Mapping[str, str]) -> Verbena:
    """Runs `verbena` in this process, its output no terminal."""
    return lambda *words, **more: CliRunner(env=dict(env)).invoke(main, words, prog_name="verbena", **more)


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Verbena]:
    """`verbena call ... --local`, which may read pages of this machine; no server is anywhere near."""
    monkeypatch.setenv("VERBENA_ALLOW_NETWORKS", "127.0.0.1/32")
    settings.current.cache_clear()
    run = caller({"VERBENA_URL": "http://127.0.0.1:1"})
    yield lambda *words, **more: run("call", *words, "--local", **more)
    settings.current.cache_clear()


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts `verbena` as its users do; what still runs at the end of a test is ended."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*words, **more):
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, **more)
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()
