# ruff: noqa: E501 - what a page tries is a line each
"""Pages in a real Chromium: what scripts make of them, and that nothing gets past the gates."""

import asyncio
import importlib.util
import socket
import time

import pytest

from tests.net.serving import LOOPBACK, Served, moved, ok, serving
from verbena import net, settings
from verbena.capability import Call
from verbena.catalog.web import ScrapeInput
from verbena.errors import InvalidUrl, ReadError
from verbena.guard import Guard
from verbena.net import Client, Way
from web_scrape import remote
from web_scrape.browser import Browser, executable
from web_scrape.executor import scrape_with
from web_scrape.fetch import HEADERS
from web_scrape.tiers import Tier

pytestmark = pytest.mark.skipif(
    executable() is None or importlib.util.find_spec("playwright") is None,
    reason="no Chromium here: `make extras` installs one",
)

HTML = b"Content-Type: text/html; charset=utf-8"
SENTENCE = "The ferry timetable for the northern pier changes on the first Monday of every month. "
APP = f"""<!doctype html><html><head><title>Pier</title></head><body><div id=root></div><script>
const text = `{SENTENCE * 3}`;
setTimeout(() => {{ root.innerHTML = `<main><h1>Pier notice</h1><p>${{text}}</p></main>` }}, 50);
</script></body></html>"""
OPEN = Guard.of(["127.0.0.1/32", "127.0.0.2/32"], [])


def page(html, *headers):
    return ok(html.encode(), HTML, *headers)


def asked_for(heads):
    """The paths of requests, but the icon that a browser wants of every site."""
    paths = [head.split(" ")[1] for head in heads]
    return [path for path in paths if path != "/favicon.ico"]


def rows(*scripts, tiers=None, timeout_s=25.0, robots=None, path="/", **wanted):
    """The row of one page for which a browser is the second way, and what the server was asked."""

    async def play():
        async with serving(*scripts) as served, Client(LOOPBACK) as client:
            served.robots = robots or served.robots
            ways = [Tier("direct", client), Tier("browser", Browser(LOOPBACK, sandbox=True))]
            call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 40, run=None)
            arguments = ScrapeInput(urls=[served.url(path)], timeout_s=timeout_s, **wanted)
            portion = await scrape_with(ways, arguments, call)
            return portion.answers[0].row, served.heads

    return asyncio.run(play())


def seen(*scripts, guard=LOOPBACK, way=net.STRAIGHT, seconds=25.0):
    """What a browser alone answers for one page, or the code of its error; and what the server was asked."""

    async def play():
        async with serving(*scripts) as served:
            try:
                deadline = time.monotonic() + seconds
                reply = await Browser(guard, sandbox=True).get(
                    served.url(), headers=HEADERS, deadline=deadline, way=way
                )
            except ReadError as error:
                reply = error.code
            return reply, asked_for(served.heads), served

    return asyncio.run(play())


def test_a_page_that_its_scripts_write_is_read_as_they_wrote_it():
    row, heads = rows(page(APP))

    assert row.status == "success"
    assert row.content == f"# Pier notice\n\n{(SENTENCE * 3).strip()}"
    assert (row.metadata.title, row.metadata.http_status) == ("Pier", 200)
    assert "Verbena/" in heads[-1]
    assert asked_for(heads) == ["/", "/"]


def test_a_page_without_scripts_never_sees_the_browser():
    row, heads = rows(page(f"<main><h1>Pier</h1><p>{SENTENCE * 3}</p></main>"))

    assert (row.status, len(heads)) == ("success", 1)


def test_where_scripts_lead_is_in_the_evidence():
    hop = "<div id=root></div><script>location.replace('/app')</script>"

    reply, asked, served = seen(page(hop), page(APP))

    assert (reply.url, reply.redirects) == (served.url("/app"), (served.url("/"),))
    assert asked == ["/", "/app"]
    assert "Pier notice" in reply.body.decode()


def test_what_was_said_of_the_bytes_is_not_said_of_what_scripts_made_of_them():
    reply, _, _ = seen(
        page(APP, b'ETag: "a"', b"Last-Modified: Mon, 05 Jan 2026 10:00:00 GMT", b"Cache-Control: private")
    )

    assert not {"etag", "last-modified", "content-length"} & set(map(str.lower, reply.headers))
    assert reply.headers["Cache-Control"] == "private"


def test_scripts_that_lead_on_for_ever_end():
    reply, asked, _ = seen(page("<script>location.replace('/' + Math.random())</script>"))

    assert reply == "too_many_redirects"
    assert len(asked) < 20


def test_a_page_that_is_never_quiet_is_taken_as_it_is():
    busy = APP.replace("setTimeout", "setInterval(() => fetch('/ping?' + Math.random()), 100); setTimeout")

    reply, _, _ = seen(page(busy), page("pong"))

    assert "Pier notice" in reply.body.decode()


def test_a_page_that_never_ends_its_work_is_a_timeout():
    reply, _, _ = seen(page("<script>while (true) {}</script>"), seconds=6)

    assert reply == "timeout"


def test_robots_txt_is_asked_for_every_document_that_scripts_lead_to():
    hop = "<div id=root></div><script>location.replace('/private/x')</script>"

    row, heads = rows(page(hop), page(hop), page(APP), robots=[ok(b"User-agent: *\nDisallow: /private\n")])

    assert row.error.code == "needs_rendering"
    assert asked_for(heads) == ["/", "/"]


def test_a_refusal_on_the_way_is_the_answer():
    async def enter(url):
        if url.endswith("/private"):
            raise InvalidUrl

    reply, asked, _ = seen(page("<script>location.replace('/private')</script>"), way=Way(enter=enter))

    assert (reply, asked) == ("invalid_url", ["/"])


def test_what_is_no_page_is_not_downloaded():
    reply, _, _ = seen(ok(b"\0\1\2", b"Content-Type: application/octet-stream"))

    assert reply == "unsupported_type"


@pytest.mark.parametrize("target", ["http://127.0.0.2:8080/", "http://10.1.2.3/", "http://169.254.169.254/"])
def test_a_redirect_inwards_is_a_refused_address(target):
    reply, _, _ = seen(moved(target))

    assert reply == "forbidden_address"


# Everything a page can try, towards a listener that must not hear of it.
ATTEMPTS = """<!doctype html><html><head><title>x</title>
<link rel=stylesheet href="http://{canary}/css"><link rel=preconnect href="http://{canary}">
<link rel=prefetch href="http://{canary}/prefetch"><link rel=modulepreload href="http://{canary}/module.js">
<script src="http://{canary}/script.js"></script></head><body>
<img src="http://{canary}/img" srcset="http://{canary}/set 2x"><iframe src="http://{canary}/frame"></iframe>
<object data="http://{canary}/object"></object><embed src="http://{canary}/embed">
<video src="http://{canary}/video" autoplay></video><audio src="http://{canary}/audio" autoplay></audio>
<iframe src="/bounce"></iframe><form id=f action="http://{canary}/form" target=t method=post></form><iframe name=t></iframe>
<div id=root></div><script>
const quiet = action => {{ try {{ Promise.resolve(action()).catch(() => 0) }} catch (e) {{}} }};
quiet(() => fetch("http://{canary}/fetch"));
quiet(() => fetch("http://{canary}/nocors", {{mode: "no-cors", method: "POST", body: "x"}}));
quiet(() => fetch("/bounce"));
quiet(() => {{ const x = new XMLHttpRequest(); x.open("GET", "http://{canary}/xhr"); x.send() }});
quiet(() => navigator.sendBeacon("http://{canary}/beacon", "x"));
quiet(() => new WebSocket("ws://{canary}/ws"));
quiet(() => new EventSource("http://{canary}/events"));
quiet(() => window.open("http://{canary}/popup"));
quiet(() => document.getElementById("f").submit());
quiet(() => new Worker(URL.createObjectURL(new Blob(["fetch('http://{canary}/worker'); importScripts('http://{canary}/i.js')"]))));
quiet(() => navigator.serviceWorker.register("/sw.js"));
quiet(() => new WebTransport("https://{canary}/transport").ready);
quiet(async () => {{
  const peer = new RTCPeerConnection({{iceServers: [{{urls: "stun:{canary}"}},
    {{urls: "turn:{canary}?transport=tcp", username: "u", credential: "c"}}]}});
  peer.createDataChannel("d");
  await peer.setLocalDescription(await peer.createOffer());
}});
setTimeout(() => {{ root.innerHTML = "<p>done</p>" }}, 1500);
</script></body></html>"""


def attempted(guard):
    """Connections and datagrams that reach the canary while a page tries everything."""

    async def play():
        canary = Served([[ok(b"CANARY")]])
        listener = await asyncio.start_server(canary.answer, "127.0.0.2", 0)
        port = listener.sockets[0].getsockname()[1]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            datagrams.bind(("127.0.0.2", port))
            datagrams.setblocking(False)
            async with serving(page(ATTEMPTS.format(canary=f"127.0.0.2:{port}"))) as served:
                first = served.script
                bounce = moved(f"http://127.0.0.2:{port}/bounced")
                served.script = lambda head: [bounce] if " /bounce " in head else first(head)
                deadline = time.monotonic() + 30
                reply = await Browser(guard, sandbox=True).get(served.url(), headers=HEADERS, deadline=deadline)
            try:
                datagram = datagrams.recv(2048)
            except BlockingIOError:
                datagram = b""
        listener.close()
        return "done" in reply.body.decode(), canary.connections, datagram, canary.heads

    return asyncio.run(play())


def test_nothing_a_page_can_try_reaches_an_address_that_is_refused():
    ran, connections, datagram, _ = attempted(LOOPBACK)

    assert (ran, connections, datagram) == (True, 0, b"")


def test_the_same_page_reaches_that_address_where_it_is_allowed():
    """Or the test above would prove nothing. UDP stays closed even then: it has no gate to pass."""
    _, _, datagram, heads = attempted(OPEN)

    tried = {head.split(" ")[1] for head in heads}
    assert tried >= {"/script.js", "/css", "/frame", "/fetch", "/nocors", "/xhr", "/beacon", "/ws", "/events", "/form"}
    assert tried >= {"/bounced", "/worker"}
    assert datagram == b""


def test_a_page_knows_nothing_of_the_one_before():
    keeps = "<div id=root></div><script>root.textContent = document.cookie + localStorage.length;"
    script = keeps + "document.cookie = 'a=1; max-age=99'; localStorage.setItem('b', 2)</script>"

    async def play():
        async with serving(page(script)) as served:
            browser = Browser(LOOPBACK, sandbox=True)
            for _ in range(2):
                deadline = time.monotonic() + 25
                reply = await browser.get(served.url(), headers=HEADERS, deadline=deadline)
            return reply.body.decode(), [head for head in served.heads if "GET / " in head]

    body, heads = asyncio.run(play())
    assert '<div id="root">0</div>' in body
    assert "Cookie" not in "".join(heads)


def test_the_function_of_the_browser_answers_what_its_scripts_wrote(monkeypatch):
    monkeypatch.setenv("VERBENA_ALLOW_NETWORKS", "127.0.0.1/32")
    settings.current.cache_clear()

    async def play():
        async with serving(page(APP)) as served:
            answered = await remote.answer({"url": served.url(), "seconds": 25, "robots": True})
            await net.close()
            return remote.opened(answered), served

    reply, served = asyncio.run(play())
    settings.current.cache_clear()
    assert (reply.url, reply.status, served.robots_asked) == (served.url(), 200, 1)
    assert "Pier notice" in reply.body.decode()
