"""Servers that tests read from and talk to, on this machine."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

DROP = (0, None)


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


class Quiet(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A reader that went away is no news here."""


@contextmanager
def pages() -> Iterator[Site]:
    """A site of a few pages."""
    here = Site()

    class Pages(Quiet):
        def do_GET(self):
            here.seen.append(self.path)
            body = here.body(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body or b"")

    with serving(Server, Pages) as here.base:
        yield here
        here.released.set()


@dataclass
class Played:
    """A server that gives these answers in turn: status, body, and headers if any; `DROP` hangs up."""

    answers: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    bodies: list = field(default_factory=list)
    url: str = ""


@contextmanager
def playing() -> Iterator[Played]:
    here = Played()

    class Handler(Quiet):
        def answer(self):
            here.requests.append((f"{self.command} {self.path}", dict(self.headers)))
            here.bodies.append(json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "null"))
            status, body, *more = here.answers.pop(0)
            self.close_connection = True
            if not status:
                return
            text = body if isinstance(body, str) else json.dumps(body)
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if isinstance(body, str) else "application/json")
            self.send_header("X-Request-Id", "request-7")
            for name, value in more[0].items() if more else ():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = do_DELETE = answer  # noqa: N815 - http.server's names

    with serving(HTTPServer, Handler) as here.url:
        yield here


@contextmanager
def serving(kind: type[HTTPServer], handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The base URL at which a handler answers."""
    with kind(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()
