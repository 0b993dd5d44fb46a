"""The executor of web.scrape: a row for every URL that came in time."""

import asyncio
import time

import pytest

from tests.net.serving import HOLD, LOOPBACK, Served, ok, serving
from verbena.capability import Call
from verbena.catalog.web import WEB_SCRAPE, ScrapeInput
from verbena.net import Client
from web_scrape import executor
from web_scrape.executor import scrape_with
from web_scrape.fetch import Pace
from web_scrape.tiers import direct

TEXT = b"<html><head><title>Pier</title></head><body><main><h1>Pier notice</h1><p>%b</p></main></body></html>" % (
    b"The ferry timetable for the northern pier changes on the first Monday of every month. " * 5
)
HTML = b"Content-Type: text/html; charset=utf-8"


async def no_other_verb(name, arguments):
    raise AssertionError(name, arguments)


def call(seconds=20.0):
    return Call(owner="o", correlation_id="c", deadline=time.monotonic() + seconds, run=no_other_verb)


def rows_of(portion):
    return {answer.position: answer.row for answer in portion.answers}


async def no_wait(_seconds):
    """Between tries, so that the tests need not wait either."""


AT_ONCE = Pace(sleep=no_wait)


def test_the_capability_names_this_executor():
    assert WEB_SCRAPE.load is executor.scrape


def test_every_url_has_its_row_whatever_happened_to_the_others():
    async def scrape():
        async with serving(ok(TEXT, HTML)) as good, serving(b"") as bad, Client(LOOPBACK) as client:
            urls = [good.url("/a"), bad.url(), "javascript:alert(1)", "http://u:pw-91@x.test/", good.url("/b#part")]
            return await scrape_with(direct(client), ScrapeInput(urls=urls), call(), AT_ONCE)

    portion = asyncio.run(scrape())
    rows = rows_of(portion)
    assert [rows[position].status for position in range(5)] == ["success", "failed", "failed", "failed", "success"]
    assert [rows[position].index for position in range(5)] == [0, 1, 2, 3, 4]
    assert rows[1].error.code == "connect_error"
    assert rows[2].error.code == rows[3].error.code == "invalid_url"
    assert rows[3].url == "http://***@x.test/"
    assert rows[4].url.endswith("/b#part")
    assert "Pier notice" in rows[0].content


def test_a_row_carries_the_evidence_of_its_transfer():
    async def scrape():
        moved = b"HTTP/1.1 301 x\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n"
        async with serving(moved, ok(TEXT, HTML)) as served, Client(LOOPBACK) as client:
            portion = await scrape_with(direct(client), ScrapeInput(urls=[served.url("/old")]), call())
            return served, portion.answers[0].row.metadata

    served, metadata = asyncio.run(scrape())
    assert metadata.final_url == served.url("/new")
    assert metadata.redirects == [served.url("/old")]
    assert (metadata.http_status, metadata.bytes) == (200, len(TEXT))
    assert (metadata.charset.lower(), metadata.charset_source) == ("utf-8", "header")
    assert metadata.content_type == "text/html; charset=utf-8"
    assert metadata.title == "Pier"
    assert metadata.fetched_at.endswith("+00:00")


def test_an_empty_answer_is_an_empty_row():
    async def scrape():
        async with serving(ok(b"")) as served, Client(LOOPBACK) as client:
            return (await scrape_with(direct(client), ScrapeInput(urls=[served.url()]), call())).answers[0].row

    row = asyncio.run(scrape())
    assert (row.status, row.error.code, row.content) == ("empty", "empty_page", None)


def test_a_url_that_is_not_read_when_the_call_ends_is_not_answered():
    async def scrape():
        async with (
            serving(ok(TEXT, HTML)) as good,
            serving([b"HTTP/1.1 200 OK\r\n", HOLD]) as slow,
            Client(LOOPBACK) as client,
        ):
            return await scrape_with(direct(client), ScrapeInput(urls=[slow.url(), good.url()]), call(0.5))

    started = time.monotonic()
    portion = asyncio.run(scrape())

    assert [answer.position for answer in portion.answers] == [1]
    assert time.monotonic() - started < 2


def test_a_call_without_time_answers_nothing():
    async def scrape():
        async with serving(ok(TEXT, HTML)) as served, Client(LOOPBACK) as client:
            return await scrape_with(direct(client), ScrapeInput(urls=[served.url()]), call(0))

    assert asyncio.run(scrape()).answers == ()


def test_two_readings_of_one_page_have_the_same_content():
    async def scrape():
        async with serving(ok(TEXT, HTML, b"Date: today"), ok(TEXT, HTML)) as served, Client(LOOPBACK) as client:
            wanted = ScrapeInput(urls=[served.url()])
            return [(await scrape_with(direct(client), wanted, call())).answers[0].row.content for _ in range(2)]

    first, second = asyncio.run(scrape())
    assert first == second


@pytest.mark.parametrize("answers", [["93.184.216.34", "127.0.0.2"], ["10.1.2.3"]])
def test_a_name_with_an_inner_address_is_a_refused_row(answers):
    async def lookup(_host, _port):
        return answers

    async def scrape():
        async with Client(LOOPBACK, lookup=lookup) as client:
            return (await scrape_with(direct(client), ScrapeInput(urls=["http://mixed.test/"]), call(3))).answers[0].row

    row = asyncio.run(scrape())
    assert (row.status, row.error.code, row.error.retryable) == ("failed", "forbidden_address", False)


def test_a_name_that_rebinds_never_reaches_the_inside():
    """First a public answer (whose dial must lead nowhere outside), then an inner one with a listener on it."""
    asked = []

    async def scrape():
        canary = Served([[ok(b"CANARY")]])
        server = await asyncio.start_server(canary.answer, "127.0.0.2", 0)
        port = server.sockets[0].getsockname()[1]

        async def lookup(host, _):
            asked.append(host)
            return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

        rows = []
        for _ in range(2):  # a client each: the answers of names are kept for some seconds
            async with Client(LOOPBACK, lookup=lookup) as client:
                wanted = ScrapeInput(urls=[f"http://rebind.test:{port}/"])
                rows.append((await scrape_with(direct(client), wanted, call(), AT_ONCE)).answers[0].row)
        server.close()
        return rows, canary.connections

    rows, reached = asyncio.run(scrape())
    assert [row.status for row in rows] == ["failed", "failed"]
    assert [row.error.code for row in rows] == ["connect_error", "forbidden_address"]
    assert reached == 0
