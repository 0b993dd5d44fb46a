"""The proxy a browser is given: what passes it, what does not, and what it remembers of that."""

import asyncio

import pytest

from tests.net.serving import LOOPBACK, Served, ok, serving
from verbena.guard import Guard
from web_scrape.gatehouse import Gatehouse

PAGE = ok(b"hello", b"Content-Type: text/html", b"Connection: Keep-Alive", b"Keep-Alive: timeout=5")


async def said(gatehouse, request):
    """Everything that comes back for one request, until the connection ends."""
    port = int(gatehouse.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return answer


def asked(request, *scripts, **options):
    """What one request through a gatehouse gets, with {port} for that of the server; and what the server saw."""

    async def play():
        async with serving(*scripts or [PAGE]) as served, Gatehouse(options.pop("guard", LOOPBACK), **options) as gate:
            answer = await said(gate, request.replace(b"{port}", str(served.port).encode()))
            return answer, served.heads, {where[0]: error.code for where, error in gate.failures.items()}, gate.full

    return asyncio.run(play())


def test_a_plain_request_is_passed_on_as_the_server_would_get_it_and_ends_the_connection():
    request = b"GET http://127.0.0.1:{port}/a/b?c HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\nA: b\r\n\r\n"

    answer, heads, failures, _ = asked(request)

    assert heads == ["GET /a/b?c HTTP/1.1\r\nHost: x\r\nA: b\r\nConnection: close\r\n\r\n"]
    assert answer.endswith(b"\r\nConnection: close\r\n\r\nhello")
    assert b"keep-alive" not in answer.lower()
    assert failures == {}


def test_a_body_is_passed_on():
    async def play():
        bodies = []

        async def answer(reader, writer):
            head = await reader.readuntil(b"\r\n\r\n")
            bodies.append((head.split(b" ")[0], await reader.readexactly(4)))
            writer.write(PAGE)
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with Gatehouse(LOOPBACK) as gate:
            request = f"POST http://127.0.0.1:{port}/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"
            answered = await said(gate, request.encode())
        server.close()
        return bodies, answered

    bodies, answered = asyncio.run(play())
    assert bodies == [(b"POST", b"body")]
    assert answered.endswith(b"hello")


def test_a_tunnel_carries_whatever_it_is_given():
    request = b"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\nGET /inner HTTP/1.1\r\nHost: y\r\n\r\n"

    answer, heads, _, _ = asked(request, ok(b"through"))

    assert answer.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\n")
    assert heads == ["GET /inner HTTP/1.1\r\nHost: y\r\n\r\n"]


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("10.1.2.3:80", "forbidden_address"),
        ("169.254.169.254:80", "forbidden_address"),
        ("[::1]:80", "forbidden_address"),
        ("[::ffff:127.0.0.2]:80", "forbidden_address"),
        ("127.0.0.2:80", "forbidden_address"),
        ("nowhere.invalid:80", "dns_failure"),
        ("127.0.0.1:1", "connect_error"),
    ],
)
@pytest.mark.parametrize("form", ["CONNECT {} HTTP/1.1\r\n\r\n", "GET http://{}/ HTTP/1.1\r\n\r\n"])
def test_what_is_not_reached_is_closed_unanswered_and_remembered(where, code, form):
    answer, heads, failures, _ = asked(form.format(where).encode())

    assert (answer, heads) == (b"", [])
    assert list(failures.values()) == [code]


@pytest.mark.parametrize(
    "request_line",
    [
        "GET / HTTP/1.1",
        "GET ftp://127.0.0.1/ HTTP/1.1",
        "GET file:///etc/passwd HTTP/1.1",
        "GET http:// HTTP/1.1",
        "CONNECT 127.0.0.1 HTTP/1.1",
        "CONNECT 127.0.0.1:port HTTP/1.1",
        "CONNECT 127.0.0.1:99999 HTTP/1.1",
        "nonsense",
        "GET http://127.0.0.1:1/a b c HTTP/1.1",
    ],
)
def test_what_is_no_request_of_a_browser_is_closed_unanswered(request_line):
    assert asked(f"{request_line}\r\n\r\n".encode())[0] == b""


def test_a_name_is_looked_up_once_and_that_very_address_is_dialled():
    """The first answer is allowed, any later one leads inside, where a canary listens."""
    answers = [["127.0.0.1"], ["127.0.0.2"]]

    async def lookup(_host, _port):
        return answers[0] if len(answers) == 1 else answers.pop(0)

    async def play():
        canary = Served([[PAGE]])
        async with serving(PAGE) as served, Gatehouse(LOOPBACK, lookup) as gate:
            inner = await asyncio.start_server(canary.answer, "127.0.0.2", served.port)
            request = f"GET http://rebind.test:{served.port}/ HTTP/1.1\r\n\r\n".encode()
            first, second = await said(gate, request), await said(gate, request)
            inner.close()
            return first, second, canary.connections

    first, second, reached = asyncio.run(play())
    assert first.endswith(b"hello")
    assert (second, reached) == (b"", 0)


def test_a_name_with_one_inner_address_is_refused():
    async def lookup(_host, _port):
        return ["127.0.0.1", "10.1.2.3"]

    answer, heads, failures, _ = asked(b"GET http://mixed.test:{port}/ HTTP/1.1\r\n\r\n", lookup=lookup)

    assert (answer, heads, failures) == (b"", [], {"mixed.test": "forbidden_address"})


def test_an_endpoint_that_is_closed_stays_closed():
    async def play():
        async with serving(PAGE) as served:
            guard = Guard.of(["127.0.0.1/32"], [f"127.0.0.1:{served.port}"])
            async with Gatehouse(guard) as gate:
                return await said(gate, f"GET {served.url()} HTTP/1.1\r\n\r\n".encode()), served.heads

    assert asyncio.run(play()) == (b"", [])


def test_over_its_cap_it_lets_nothing_more_through():
    answer, _, _, full = asked(b"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n", ok(b"x" * 5_000), cap_bytes=4_000)

    assert full
    assert len(answer) < 4_000


def test_leaving_ends_connections_that_are_still_open():
    async def play():
        async with serving([b"HTTP/1.1 200 OK\r\n\r\n", asyncio.Event()]) as served:
            async with Gatehouse(LOOPBACK) as gate:
                port = int(gate.url.rpartition(":")[2])
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"CONNECT 127.0.0.1:{served.port} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n".encode())
                await reader.readuntil(b"OK\r\n")
            rest = await reader.read()
            writer.close()
            return rest

    assert asyncio.run(play()) == b"\r\n"
