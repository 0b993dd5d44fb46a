"""A vendor of search on 127.0.0.1 that holds its callers to the contract and answers as a test wrote it."""

import json
import socket
import sys
import threading
from contextlib import asynccontextmanager, contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from urllib.parse import parse_qs, urlsplit

from tests.doubles.checks import problem_of, typed
from tests.doubles.contract import Problem, Request


class Double:
    """One vendor: where it is, what it accepts as a credential, what it was asked, what it answers next.

    `refusals` holds the Problem of each request that broke the contract; a wrong credential is one of the header.
    """

    def __init__(self, vendor, port):
        self.vendor = vendor
        self.scripts = vendor.scripts
        self.base_url = f"http://127.0.0.1:{port}"
        self.key = {name: value.format(base_url=self.base_url) for name, value in vendor.key.items()}
        self.requests = []
        self.refusals = []
        self.released = threading.Event()
        self._plans = {"search": ["success"], "answer": ["success"]}
        self._lock = threading.Lock()

    def will(self, *names):
        """Answer the next requests with these scripts, one each, the last one for ever.

        Names of the vendor's `answer_scripts` are for the endpoint that writes answers, all others for the search.
        """
        for use, known in (("search", self.vendor.scripts), ("answer", self.vendor.answer_scripts)):
            self._plans[use] = [name for name in names if name in known] or self._plans[use]
        unknown = set(names) - set(self.vendor.scripts) - set(self.vendor.answer_scripts)
        if unknown:
            raise KeyError(f"{self.vendor.name} has no script {unknown}, but {sorted(self.scripts)}")

    def release(self):
        """Let go of every request that hangs or trickles, now and from now on."""
        self.released.set()

    def next_script(self, endpoint):
        use = "search" if endpoint is self.vendor.endpoints[0] else "answer"
        with self._lock:
            plan = self._plans[use]
            name = plan.pop(0) if len(plan) > 1 else plan[0]
        return self.vendor.answer_scripts.get(name) or self.vendor.scripts[name]

    def refusal(self, request, endpoint):
        """The vendor's answer to a request it does not take: first its credential is looked at, then the rest."""
        unauthorized = self.vendor.authorize(request)
        if unauthorized:
            self.refusals.append(Problem("header", ("credential",), "credential", "missing or wrong"))
            return unauthorized
        if endpoint is None:
            problem = Problem("path", (request.path,), "path", f"nothing here: {request.method} {request.path}")
        else:
            problem = problem_of(request, endpoint)
        if problem is None:
            return None
        self.refusals.append(problem)
        return self.vendor.refuse(problem)


class Exchange(BaseHTTPRequestHandler):
    """One connection; what a script may do with the request at hand."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def vendor(self):
        return self.server.double.vendor

    @property
    def released(self):
        return self.server.double.released

    def exchange(self):
        double = self.server.double
        self.received, self.endpoint = self._read()
        double.requests.append(self.received)
        refusal = double.refusal(self.received, self.endpoint)
        if refusal:
            self.send(refusal)
        else:
            # A scripted failure hides no broken request: only a good one comes here.
            double.next_script(self.endpoint).act(self)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = exchange  # noqa: N815 - the names of http.server

    def _read(self):
        target = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = None
        with suppress(ValueError):
            body = json.loads(raw)
        query = parse_qs(target.query, keep_blank_values=True)
        endpoints = self.vendor.endpoints
        endpoint = next((one for one in endpoints if one.takes(self.command, target.path)), None)
        asked = typed(query, endpoint) if endpoint and endpoint.where == "query" else body
        return Request(self.command, target.path, query, self.headers, body, raw, asked), endpoint

    def success(self):
        return self.vendor.success(self.received, self.endpoint)

    def send(self, reply):
        self.send_bytes(reply.status, reply.encoded(), reply.content_type, **reply.headers)

    def send_bytes(self, status, body, content_type="application/json", **headers):
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.write(body if self.command != "HEAD" else b"")

    def write(self, data):
        self.wfile.write(data)

    def close(self):
        self.close_connection = True

    def log_message(self, *args):
        """A test's output is its own."""


class Loopback(ThreadingMixIn, TCPServer):
    """Serves one double; its end waits for no client, and a fault of the double itself fails the test."""

    daemon_threads = False
    request_queue_size = 128

    def __init__(self, vendor):
        super().__init__(("127.0.0.1", 0), Exchange)
        self.double = Double(vendor, self.server_address[1])
        self.connections = set()
        self.faults = []
        self.ended = False

    def get_request(self):
        connection, address = super().get_request()
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request, client_address):
        fault = sys.exception()
        if not isinstance(fault, ConnectionError):
            self.faults.append(fault)

    def serve(self):
        """Take connections until the end, without looking at a clock."""
        while not self.ended:
            self.handle_request()

    def end(self, serving):
        self.ended = True
        socket.create_connection(self.server_address).close()
        serving.join()
        self.double.release()
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()
        if self.faults:
            raise self.faults[0]


@contextmanager
def serve(vendor):
    """A double of the vendor, from a thread of its own."""
    server = Loopback(vendor)
    serving = threading.Thread(target=server.serve)
    serving.start()
    try:
        yield server.double
    finally:
        server.end(serving)


@asynccontextmanager
async def serve_async(vendor):
    """The same for a test that is a coroutine; the double never runs in the test's own loop."""
    with serve(vendor) as double:
        yield double
