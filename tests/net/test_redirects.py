"""Redirects: followed by us, each hop checked."""

import asyncio

import pytest

from tests.net.serving import get, moved, ok, outcome, serving
from verbena import settings
from verbena.errors import ReadError


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(status):
    reply = asyncio.run(outcome(moved("/b?c=d#e", status), ok(b"there")))

    assert (reply.status, reply.body) == (200, b"there")
    assert reply.url.endswith("/b?c=d")
    assert [url.rpartition("/")[2] for url in reply.redirects] == [""]


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("next", "/a/next"),
        ("../x", "/x"),
        ("?page=2", "/a/b?page=2"),
        ("/caf\u00e9", "/caf%C3%A9"),
        (" /padded ", "/padded"),
        ("\\back\\slash", "/back/slash"),
        ("/a%2Fb?c=%27", "/a%2Fb?c=%27"),
    ],
)
def test_a_location_is_read_as_browsers_read_it(location, target):
    async def second_request():
        async with serving(moved(location), ok()) as served:
            await get(served.url("/a/b"))
            return served.heads[1].split(" ")[1]

    assert asyncio.run(second_request()) == target


def test_a_location_in_another_charset_keeps_its_bytes():
    answer = b"HTTP/1.1 302 Found\r\nLocation: /caf\xe9\r\nContent-Length: 0\r\n\r\n"

    assert asyncio.run(outcome(answer, ok())).url.endswith("/caf%E9")


@pytest.mark.parametrize("status", [300, 304, 305, 306, 399])
def test_other_3xx_answers_are_not_followed(status):
    assert asyncio.run(outcome(moved("/b", status), ok())).status == status


def test_a_redirect_without_a_location_is_an_answer():
    assert asyncio.run(outcome(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")).status == 302


def test_as_many_redirects_as_the_limit_are_followed():
    hops = [moved(f"/{number}") for number in range(settings.REDIRECT_LIMIT)]

    reply = asyncio.run(outcome(*hops, ok(b"there")))

    assert reply.body == b"there"
    assert len(reply.redirects) == settings.REDIRECT_LIMIT


def test_one_redirect_more_than_the_limit_is_too_many():
    hops = [moved(f"/{number}") for number in range(settings.REDIRECT_LIMIT + 1)]

    assert asyncio.run(outcome(*hops, ok())) == "too_many_redirects"


@pytest.mark.parametrize("location", ["/", "", "#top"])
def test_a_page_that_redirects_to_itself_is_asked_once(location):
    async def requests():
        async with serving(moved(location)) as served:
            with pytest.raises(ReadError) as caught:
                await get(served.url())
            return caught.value.code, len(served.heads)

    assert asyncio.run(requests()) == ("too_many_redirects", 1)


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "ftp://127.0.0.1/",
        "data:text/html,hello",
        "http://user:pw-91@127.0.0.1/",
        "http://[::1",
        "http://",
        "http://127.0.0.1/" + "a" * 9000,
    ],
)
def test_a_redirect_away_from_the_web_is_refused(location):
    assert asyncio.run(outcome(moved(location), ok())) == "invalid_url"


def test_a_redirect_of_an_endless_answer_is_followed_at_once():
    endless = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 999999999999\r\n\r\nx"

    assert asyncio.run(outcome(endless, ok(b"there"))).body == b"there"


def test_credentials_do_not_follow_a_redirect():
    async def heads():
        async with serving(moved("/b"), ok()) as served:
            await get(served.url(), headers={"Authorization": "Bearer s3", "cookie": "id=s3", "X-Kept": "yes"})
            return served.heads

    first, second = asyncio.run(heads())
    assert first.count("s3") == 2
    assert "s3" not in second
    assert "X-Kept: yes" in second


def test_a_cookie_set_on_the_way_is_sent_back_on_the_way():
    async def heads():
        async with serving(moved("/", 302, b"Set-Cookie: seen=1; Path=/"), ok(b"page")) as served:
            reply = await get(served.url())
            return reply.body, served.heads[1]

    body, second = asyncio.run(heads())
    assert body == b"page"
    assert "Cookie: seen=1" in second


def test_a_cookie_is_forgotten_when_the_page_is_read():
    async def heads():
        async with serving(moved("/b", 302, b"Set-Cookie: seen=1; Path=/"), ok(b"p", b"Set-Cookie: x=y")) as served:
            await get(served.url())
            await get(served.url())
            return served.heads[-1]

    assert "Cookie" not in asyncio.run(heads())
