"""The browser as a function of its own: what crosses to it and back, and what a failure on the way is."""

import asyncio
import hashlib
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

import pytest

from verbena import net, settings
from verbena.aws import clients
from verbena.errors import BodyTooLarge, ReadError, RobotsDenied
from verbena.net import Reply, Way
from web_scrape import remote
from web_scrape.fetch import HEADERS
from web_scrape.remote import RemoteBrowser, opened, packed

URL = "https://site.example/page"
REPLY = Reply(
    URL, 200, {"content-type": "text/html", "x-robots-tag": "none"}, b"<p>\xc3\xa9</p>", 9, ("https://a.test/",)
)


async def denied(_url):
    raise RobotsDenied


@contextmanager
def function(monkeypatch, answer, error=None, delay=None):
    """The Lambda API on this machine: every function answers `answer`; yields what was asked of which."""
    asked = []

    class Api(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            if delay:
                delay.wait()
            self.send_response(200)
            if error:
                self.send_header("X-Amz-Function-Error", error)
            body = json.dumps(answer).encode()
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", f"http://127.0.0.1:{server.server_address[1]}")
        clients._CLIENTS.pop("lambda", None)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield asked
        finally:
            if delay:
                delay.set()
            server.shutdown()
            clients._CLIENTS.pop("lambda").close()


def got(way=net.STRAIGHT, seconds=10.0):
    async def play():
        try:
            deadline = time.monotonic() + seconds
            return await RemoteBrowser.of("browse").get(URL, headers=HEADERS, deadline=deadline, way=way)
        except ReadError as error:
            return error

    return asyncio.run(play())


def test_a_page_comes_back_as_the_browser_there_answered_it(monkeypatch):
    with function(monkeypatch, packed(REPLY)) as asked:
        reply = got()

    ((path, event),) = asked
    assert path == "/2015-03-31/functions/browse/invocations"
    assert (event["url"], event["robots"]) == (URL, False)
    assert 9 < event["seconds"] <= 10
    assert (reply.url, reply.status, reply.body, reply.redirects) == (URL, 200, REPLY.body, REPLY.redirects)
    assert reply.headers["Content-Type"] == "text/html"


def test_who_asks_robots_here_has_them_asked_there(monkeypatch):
    with function(monkeypatch, packed(REPLY)) as asked:
        got(Way(enter=denied))

    assert asked[0][1]["robots"] is True


def test_an_error_comes_back_as_itself(monkeypatch):
    told = {"code": "robots_denied", "message": "no", "details": {"robots_url": "https://site.example/robots.txt"}}
    with function(monkeypatch, told):
        error = got()

    assert isinstance(error, RobotsDenied)
    assert (error.message, error.details) == ("no", told["details"])


def test_a_function_that_breaks_is_a_connection_that_failed(monkeypatch):
    with function(monkeypatch, {"errorMessage": "out of memory"}, error="Unhandled"):
        error = got()

    assert error.code == "connect_error"
    assert "memory" not in str(error)


def test_a_function_that_takes_too_long_is_a_timeout(monkeypatch):
    with function(monkeypatch, packed(REPLY), delay=threading.Event()):
        error = got(seconds=0.3)

    assert error.code == "timeout"


def test_a_page_that_a_function_cannot_answer_is_too_large():
    noise = b"".join(hashlib.sha256(str(number).encode()).digest() for number in range(200_000))

    with pytest.raises(BodyTooLarge):
        packed(Reply(URL, 200, {}, noise, len(noise)))
    assert opened(packed(Reply(URL, 200, {}, b"<p>x</p>" * 800_000, 0))).body == b"<p>x</p>" * 800_000


@pytest.mark.skipif(find_spec("playwright") is None, reason="playwright is not installed: make extras")
def test_the_entry_refuses_what_the_gates_refuse(monkeypatch):
    """It is asked before any browser starts: robots.txt of an inner address is refused already."""
    monkeypatch.delenv("VERBENA_ALLOW_NETWORKS", raising=False)
    settings.current.cache_clear()

    answered = remote.handler({"url": "http://127.0.0.1:9/", "seconds": 20, "robots": True}, None)

    remote._runner().run(net.close())
    settings.current.cache_clear()
    assert answered["code"] == "forbidden_address"
