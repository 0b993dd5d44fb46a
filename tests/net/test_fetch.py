"""One URL within one deadline: what is tried again, how long is waited, and what a status means."""

import asyncio
import time

import pytest

from tests.net.serving import HOLD, LOOPBACK, RESET, moved, ok, serving
from verbena import settings
from verbena.errors import ReadError
from verbena.net import Client
from web_scrape.fetch import USER_AGENT, Pace, Patience, fetch, retry_after, verdict

NOON = 1_800_000_000.0


def answer(status, *headers, body=b"no"):
    lines = b"".join(header + b"\r\n" for header in headers)
    return b"HTTP/1.1 %d x\r\n%bContent-Length: %d\r\n\r\n%b" % (status, lines, len(body), body)


def run(*scripts, timeout_s=5.0, **options):
    """The reply or the error of one fetch, the waits it asked for, and the heads the server saw."""
    waits = []

    async def noted(seconds):
        waits.append(seconds)

    async def play():
        async with serving(*scripts) as served, Client(LOOPBACK) as client:
            pace = Pace(sleep=noted, wall=lambda: NOON, jitter=lambda: 1.0)
            try:
                reply = await fetch(client, served.url(), patience=Patience(timeout_s), pace=pace, **options)
                result = verdict(reply, pace.wall) or reply
            except ReadError as error:
                result = error
            return result, waits, served.heads

    return asyncio.run(play())


def test_a_good_page_is_asked_for_once_and_by_name():
    reply, waits, heads = run(ok(b"page"))

    assert (reply.body, waits, len(heads)) == (b"page", [], 1)
    assert f"User-Agent: {USER_AGENT}\r\n" in heads[0]
    assert "Accept-Encoding: gzip, deflate, br, zstd\r\n" in heads[0]


@pytest.mark.parametrize(
    "first",
    [
        answer(502),
        answer(503),
        answer(504),
        answer(522),
        answer(429),
        answer(408),
        b"",
        [b"HTTP/1.1", RESET],
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    ],
)
def test_what_may_pass_is_tried_again(first):
    reply, waits, heads = run(first, ok(b"page"))

    assert (reply.body, waits, len(heads)) == (b"page", [0.5], 2)


@pytest.mark.parametrize(
    "first",
    [
        answer(400),
        answer(401),
        answer(403),
        answer(404),
        answer(500),
        answer(501),
        answer(503, b"cf-mitigated: challenge"),
        b"HTTP/1.1 nonsense\r\n\r\n",
        ok(b"x", b"Content-Encoding: aes"),
        ok(b""),
        moved("/"),
    ],
)
def test_what_stays_is_asked_for_once(first):
    error, waits, heads = run(first, ok())

    assert isinstance(error, ReadError)
    assert (waits, len(heads)) == ([], 1)


def test_tries_are_bounded_and_waits_grow():
    error, waits, heads = run(answer(503))

    assert error.code == "upstream_5xx"
    assert (waits, len(heads)) == ([0.5, 1.0], settings.TRIES)


def test_waits_are_spread():
    low, high = (Pace(jitter=lambda chance=chance: chance).backoff(2) for chance in (0.0, 1.0))

    assert (low, high) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        (b"2", 2),
        (b" 2 ", 2),
        (b"1.5", 2),
        (b"Fri, 15 Jan 2027 08:00:03 GMT", 3),
        (b"Friday, 15-Jan-27 08:00:03 GMT", 3),
        (b"Fri Jan 15 08:00:03 2027", 3),
        (b"Fri, 15 Jan 2027 07:00:00 GMT", 0.5),
        (b"0", 0.5),
        (b"-5", 0.5),
        (b"soon", 0.5),
        (b"1e9", 0.5),
        (b"", 0.5),
        ("٣".encode(), 0.5),
        (b"Fri, 99 Jan 2027 08:00:00 GMT", 0.5),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_obeyed_when_it_makes_sense(header, wait, status):
    _, waits, heads = run(answer(status, b"Retry-After: " + header), ok())

    assert (waits, len(heads)) == ([wait], 2)


@pytest.mark.parametrize("header", [b"31536000", b"999999999999", b"Fri, 15 Jan 2038 08:00:00 GMT"])
def test_a_wait_that_does_not_fit_gives_up_at_once_and_says_how_long(header):
    error, waits, heads = run(answer(429, b"Retry-After: " + header))

    assert (error.code, error.retryable, waits, len(heads)) == ("rate_limited", True, [], 1)
    assert error.details["retry_after_s"] >= 300_000_000 or header == b"31536000"


def test_a_number_too_large_for_a_wait_is_no_wait():
    assert retry_after("9" * 400, NOON) is None


def test_a_date_in_the_past_asks_for_no_wait():
    assert retry_after("Fri, 15 Jan 2027 07:00:00 GMT", NOON) == 0


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (202, "blocked"),
        (204, "empty_page"),
        (205, "empty_page"),
        (206, "bad_response"),
        (300, "bad_response"),
        (302, "bad_response"),
        (304, "bad_response"),
        (400, "upstream_4xx"),
        (401, "blocked"),
        (402, "upstream_4xx"),
        (403, "blocked"),
        (404, "page_not_found"),
        (407, "upstream_4xx"),
        (410, "page_not_found"),
        (418, "upstream_4xx"),
        (429, "rate_limited"),
        (451, "upstream_4xx"),
        (500, "upstream_5xx"),
        (599, "upstream_5xx"),
        (600, "bad_response"),
        (999, "blocked"),
    ],
)
def test_a_status_has_one_meaning(status, code):
    scripts = [answer(status, body=b"" if status in {204, 304} else b"no")]

    error, _, _ = run(*scripts)

    assert error.code == code
    assert error.details["http_status"] == status


def test_a_status_zero_is_a_bad_response():
    assert run(b"HTTP/1.1 000 x\r\nContent-Length: 0\r\n\r\n")[0].code == "bad_response"


def test_a_switch_of_protocols_is_a_bad_response():
    script = b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"

    assert run(script)[0].code == "bad_response"


@pytest.mark.parametrize("status", [200, 201, 203])
def test_other_successes_are_pages(status):
    assert run(answer(status, body=b"page"))[0].body == b"page"


@pytest.mark.parametrize("header", [b"CF-Mitigated: challenge", b"x-amzn-waf-action: captcha"])
@pytest.mark.parametrize("status", [200, 405, 429, 503])
def test_a_challenge_is_no_page_whatever_its_status(header, status):
    error, waits, heads = run(answer(status, header, b"Retry-After: 1"))

    assert (error.code, waits, len(heads)) == ("blocked", [], 1)


def test_an_error_behind_redirects_says_where_they_ended():
    error, _, _ = run(moved("/gone"), answer(410))

    assert error.details["final_url"].endswith("/gone")


def test_the_deadline_bounds_tries_and_redirects_together():
    started = time.monotonic()

    error, _, _ = run(answer(503), moved("/slow"), [b"HTTP/1.1 200 OK\r\n", HOLD], timeout_s=0.8)

    assert error.code == "timeout"
    assert time.monotonic() - started < 2


def test_no_more_than_four_at_once_are_asked_of_one_host():
    async def crowd():
        gate = asyncio.Event()
        async with serving([gate, ok(b"page")]) as served, Client(LOOPBACK) as client:
            tasks = [
                asyncio.create_task(fetch(client, served.url(f"/{number}"), patience=Patience(5)))
                for number in range(12)
            ]
            await asyncio.sleep(0.2)  # time enough for all twelve, were they let
            seen = len(served.heads)
            gate.set()
            return seen, [reply.body for reply in await asyncio.gather(*tasks)]

    seen, bodies = asyncio.run(crowd())
    assert seen == settings.CONNECTIONS_PER_HOST
    assert bodies == [b"page"] * 12


def test_the_time_of_a_url_starts_when_its_turn_comes():
    """The fifth URL of a host waits longer than its own time, and is read all the same."""

    async def crowd():
        async with serving([b"HTTP/1.1 200 OK\r\n", HOLD]) as slow, Client(LOOPBACK, per_host=1) as client:
            first = asyncio.create_task(fetch(client, slow.url("/1"), patience=Patience(0.3)))
            await asyncio.sleep(0)
            slow.scripts.append([ok(b"page")])
            second = asyncio.create_task(fetch(client, slow.url("/2"), patience=Patience(0.3)))
            return await asyncio.gather(first, second, return_exceptions=True)

    first, second = asyncio.run(crowd())
    assert first.code == "timeout"
    assert second.body == b"page"
