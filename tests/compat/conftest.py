"""Clients of other services, as they are: the running stack under their base URL, pages on loopback, one vendor."""

import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from tests.conftest import KEY
from tests.doubles import running

GOOD = 12
PROSE = "The ferry leaves the northern pier at nine, and again at noon when the water is calm enough for it. " * 3
ARTICLE = f"""<!doctype html><html lang="en"><head><title>Harbour</title>
<meta name="description" content="When the ferries leave"></head>
<body><nav><a href="/home">Home</a></nav><main><h1>Harbour</h1>
<p>{PROSE}</p><p>{PROSE}</p>
<p>Fares are on the <a href="/fares">board</a>. <img src="/pier.png" alt="The pier"></p></main></body></html>"""


class Site(BaseHTTPRequestHandler):
    """/missing is a 404, /broken no HTTP at all and /private not for robots; anything else is an article."""

    def do_GET(self):
        if self.path.startswith("/broken"):
            self.wfile.write(b"\0\0\0")
            return
        is_rules = self.path == "/robots.txt"
        body = b"User-agent: *\nDisallow: /private" if is_rules else ARTICLE.encode()
        self.send_response(404 if self.path.startswith("/missing") else 200)
        self.send_header("Content-Type", "text/plain" if is_rules else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Tests read no access log."""


@pytest.fixture(scope="package")
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="package")
def vendor(api):
    """The first provider of searches; there before the doors look, since they remember providers for a while."""
    name = f"/v1/admin/providers/p{uuid.uuid4().hex[:8]}"
    with running("tavily") as double:
        row = {"driver": "tavily", "secrets": double.key, "config": {"base_url": double.base_url}, "priority": 1}
        assert api.put(name, json=row).status_code == 200
        yield double
    api.delete(name)


@pytest.fixture(scope="package")
def service(stack, site, vendor):
    """What a client is told, and nothing else: where the service is, and its key."""
    return SimpleNamespace(url=stack.base_url, key=KEY, site=site, vendor=vendor)


@pytest.fixture
def batch(site):
    """Thirteen pages of which one is not there, in an order of their own."""
    run = uuid.uuid4().hex
    urls = [f"{site}/page/{number}?{run}" for number in range(GOOD)]
    return [*urls[:5], f"{site}/missing?{run}", *urls[5:]]
