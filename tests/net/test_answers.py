"""Answers as servers really send them: each a whole page or a typed failure, never a hang."""

import asyncio
import gzip

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.net.serving import HOLD, RESET, get, ok, outcome, serving
from verbena import settings
from verbena.errors import ReadError

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
PAGE = b"<p>hello</p>"

READ = {
    "a length": ok(PAGE),
    "no length": HEAD + b"\r\n" + PAGE,
    "HTTP/1.0": b"HTTP/1.0 200 OK\r\n\r\n" + PAGE,
    "no reason": b"HTTP/1.1 200\r\nContent-Length: 12\r\n\r\n" + PAGE,
    "bare line feeds": b"HTTP/1.1 200 OK\nContent-Length: 12\n\n" + PAGE,
    "an empty line first": b"\r\n" + ok(PAGE),
    "interim answers": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok(PAGE),
    "a folded header": ok(PAGE, b"X-A: b\r\n c"),
    "a header in UTF-8": ok(PAGE, "X-A: é".encode()),
    "a header in Latin-1": ok(PAGE, b"X-A: caf\xe9"),
    "a long header": ok(PAGE, b"Content-Security-Policy: " + b"a" * 20_000),
    "chunks": CHUNKED + b"6\r\n<p>hel\r\n6\r\nlo</p>\r\n0\r\n\r\n",
    "padded chunk sizes": CHUNKED + b"c \r\n<p>hello</p>\r\n0 \r\n\r\n",
    "chunk extensions and trailers": CHUNKED + b'c;a="b"\r\n<p>hello</p>\r\n0\r\nX-Sum: 1\r\n\r\n',
    "chunks in upper-case hex": CHUNKED + b"C\r\n<p>hello</p>\r\n0\r\n\r\n",
    "two headers for one coding": ok(gzip.compress(PAGE), b"Content-Encoding: gzip", b"Content-Encoding: identity"),
    "a transfer coding": HEAD
    + b"Transfer-Encoding: gzip, chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n"
    % (len(gzip.compress(PAGE)), gzip.compress(PAGE)),
}


@pytest.mark.parametrize("name", READ)
def test_a_page_is_read_that_comes_with(name):
    assert asyncio.run(outcome(READ[name])).body == PAGE


def test_bytes_beyond_the_stated_length_are_no_part_of_the_page():
    assert asyncio.run(outcome([HEAD + b"Content-Length: 12\r\n\r\n" + PAGE, b"<p>more</p>"])).body == PAGE


REFUSED = {
    "no HTTP at all": b"<html>hello</html>",
    "another protocol": b"ICY 200 OK\r\n\r\nmusic",
    "no status number": b"HTTP/1.1 OK\r\n\r\n",
    "a status of two digits": b"HTTP/1.1 20 x\r\nContent-Length: 0\r\n\r\n",
    "lengths that differ": HEAD + b"Content-Length: 12\r\nContent-Length: 13\r\n\r\n" + PAGE,
    "a negative length": HEAD + b"Content-Length: -12\r\n\r\n" + PAGE,
    "a length that is no number": HEAD + b"Content-Length: twelve\r\n\r\n" + PAGE,
    "a NUL in a header": ok(PAGE, b"X-A: a\0b"),
    "too many headers": ok(PAGE, *[b"X-A: b"] * 500),
    "headers without end": HEAD + b"X-A: b\r\n" * 100_000,
    "a header without end": HEAD + b"X-A: " + b"a" * 1_000_000,
    "a chunk size that is no number": CHUNKED + b"zz\r\n<p>hello</p>\r\n0\r\n\r\n",
    "a chunk size beyond all numbers": CHUNKED + b"f" * 40 + b"\r\n<p>hello</p>\r\n0\r\n\r\n",
    "a chunk longer than it says": CHUNKED + b"3\r\n<p>hello</p>\r\n0\r\n\r\n",
    "an unknown coding": ok(PAGE, b"Content-Encoding: aes128gcm"),
    "a corrupt coding": ok(b"\xff\xfe\xfd\xfc" * 9, b"Content-Encoding: gzip"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_answer_is_refused_that_has(name):
    assert asyncio.run(outcome(REFUSED[name])) == "bad_response"


def test_a_refused_answer_says_what_is_wrong_with_it_but_quotes_nothing():
    async def refused():
        async with serving(ok(PAGE, b"secret token: x")) as served:
            await get(served.url())

    with pytest.raises(ReadError) as caught:
        asyncio.run(refused())
    assert caught.value.details == {"reason": "Invalid header token"}


@pytest.mark.parametrize("rest", [b"zz\r\nfoo\r\n0\r\n\r\n", b"3\r\nfour\r\n0\r\n\r\n", b"0\r\nno trailer\r\n\r\n"])
def test_framing_that_breaks_later_is_noticed_at_once(rest):
    """The parser closes the connection but tells no one: without our watch the reader waits for its deadline."""
    assert asyncio.run(outcome([CHUNKED + b"3\r\n<p>\r\n", rest, HOLD], seconds=3)) == "bad_response"


CUT_OFF = {
    "fewer bytes than stated": HEAD + b"Content-Length: 99\r\n\r\n" + PAGE,
    "no bytes at all": HEAD + b"Content-Length: 99\r\n\r\n",
    "chunks without an end": CHUNKED + b"c\r\n<p>hello</p>\r\n",
    "a piece of a chunk": CHUNKED + b"ff\r\n<p>hello</p>\r\n",
    "a last chunk without its empty line": CHUNKED + b"c\r\n<p>hello</p>\r\n0\r\n",
    "a reset amid a stated length": [HEAD + b"Content-Length: 99\r\n\r\n" + PAGE, RESET],
    "a reset amid chunks": [CHUNKED + b"c\r\n<p>hello</p>\r\n", RESET],
    "a reset where the end is the end of the connection": [HEAD + b"\r\n" + PAGE, RESET],
    "half a coding": ok(gzip.compress(PAGE)[:-9], b"Content-Encoding: gzip"),
}


@pytest.mark.parametrize("name", CUT_OFF)
def test_a_page_is_not_whole_that_ends_with(name):
    assert asyncio.run(outcome(CUT_OFF[name])) == "truncated_body"


@pytest.mark.parametrize("script", [b"", b"HTTP/1.1 200 OK\r\nContent-", [b"HTTP/1.1", RESET]])
def test_a_connection_lost_before_the_answer_is_a_connect_error(script):
    assert asyncio.run(outcome(script)) == "connect_error"


def test_a_port_nobody_listens_on_is_a_connect_error():
    async def refused():
        async with serving(b"") as served:
            url = served.url()
        with pytest.raises(ReadError) as caught:
            await get(url)
        return caught.value.code

    assert asyncio.run(refused()) == "connect_error"


def test_a_stated_length_over_the_cap_is_refused_before_reading():
    head = HEAD + b"Content-Length: %d\r\n\r\n" % (settings.WIRE_CAP_BYTES + 1)

    assert asyncio.run(outcome([head, HOLD])) == "body_too_large"


@pytest.mark.parametrize("head", [HEAD + b"\r\n", CHUNKED])
def test_an_endless_body_is_given_up_at_the_cap(head):
    block = b"x" * 65536
    piece = block if head is not CHUNKED else b"10000\r\n" + block + b"\r\n"

    assert asyncio.run(outcome([head, piece * (settings.WIRE_CAP_BYTES // 65536 + 1), HOLD])) == "body_too_large"


def test_a_bomb_is_refused():
    body = gzip.compress(bytes(settings.DECODED_CAP_BYTES + 1))

    assert asyncio.run(outcome(ok(body, b"Content-Encoding: gzip"))) == "body_too_large"


@pytest.mark.parametrize(
    "script",
    [
        [b"HTTP/1.1 200 OK\r\n", HOLD],
        [HEAD + b"X-A: b\r\n", HOLD],
        [HEAD + b"Content-Length: 99\r\n\r\n<p>", HOLD],
        [CHUNKED + b"3\r\n<p>\r\n", HOLD],
        [b"HTTP/1.1 100 Continue\r\n\r\n", HOLD],
    ],
)
def test_a_server_that_falls_silent_meets_the_deadline(script):
    assert asyncio.run(outcome(script, seconds=0.2)) == "timeout"


def test_a_body_that_drips_meets_the_deadline():
    drip = [HEAD + b"Content-Length: 9999\r\n\r\n", *[b"x"] * 500]

    assert asyncio.run(outcome(drip, seconds=0.3)) == "timeout"


PIECES = [
    b"\r\n",
    b"\n",
    b"\0",
    b"\xe9",
    b" ",
    b":",
    b",",
    b"9" * 30,
    b"-1",
    b"Content-Length: 5\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: br\r\n",
    b"Connection: upgrade\r\nUpgrade: x\r\n",
    b"Location: http://\xe9:99/\r\n",
    b"Set-Cookie: \xe9=\xe9; Expires=x\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n",
]


@given(
    st.sampled_from(sorted(READ)),
    st.lists(st.tuples(st.integers(0, 120), st.integers(0, 9), st.sampled_from(PIECES)), max_size=4),
)
@hypothesis_settings(deadline=None)
def test_whatever_bytes_a_server_sends_and_closes_the_end_is_typed_and_soon(name, edits):
    script = READ[name]
    for place, gone, piece in edits:
        script = script[:place] + piece + script[place + gone :]

    assert asyncio.run(outcome(script)) != "timeout"


def test_a_status_other_than_2xx_is_answered_without_its_body():
    reply = asyncio.run(outcome([b"HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n\r\nno", HOLD]))

    assert (reply.status, reply.body) == (404, b"")


def test_headers_are_found_in_any_case_and_hold_no_lone_surrogates():
    reply = asyncio.run(outcome(ok(PAGE, b"content-TYPE: text/html; x=caf\xe9")))

    assert reply.headers["Content-Type"] == "text/html; x=caf\ufffd"


def test_the_wire_size_is_that_of_the_packed_page():
    packed = gzip.compress(PAGE * 100)

    reply = asyncio.run(outcome(ok(packed, b"Content-Encoding: gzip")))

    assert (reply.body, reply.wire_bytes) == (PAGE * 100, len(packed))


def test_a_large_packed_page_is_unpacked_off_the_event_loop():
    page = bytes(range(256)) * 4096
    packed = gzip.compress(page, compresslevel=0)

    assert asyncio.run(outcome(ok(packed, b"Content-Encoding: gzip"))).body == page


def test_the_url_goes_out_as_it_is_written():
    target = "/a%2Fb;c/%7E'|?sig=a%2Fb%3D&x=%27|^&q=%zz"

    async def request_line():
        async with serving(ok()) as served:
            await get(served.url(target))
            return served.heads[0].split("\r\n")[0]

    assert asyncio.run(request_line()) == f"GET {target} HTTP/1.1"
