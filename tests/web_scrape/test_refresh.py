"""Pages that send their visitors on: which refreshes are taken, and what becomes of them on the way."""

import asyncio
import time

import pytest

from tests.net.serving import LOOPBACK, Served, ok, serving
from verbena import settings
from verbena.capability import Call
from verbena.catalog.web import ScrapeInput
from verbena.net import Client, Reply
from web_scrape.executor import scrape_with
from web_scrape.refresh import target
from web_scrape.tiers import direct

PAGE = "https://site.example/old/page"
HTML = b"Content-Type: text/html; charset=utf-8"
TEXT = "<title>Pier</title><main><h1>Pier notice</h1><p>%s</p></main>" % (
    "The ferry timetable for the northern pier changes on the first Monday of every month. " * 5
)


def meta(content):
    return f'<meta http-equiv=refresh content="{content}">'


def led(html, **headers):
    reply = Reply(PAGE, 200, {"Content-Type": "text/html"} | headers, html.encode(), len(html))
    return target(reply)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("0;url=/new", "/new"),
        ("0; URL='/new'", "/new"),
        ("0;url=&quot;/new&quot; onclick", "/new"),
        (" 3 , Url = /new", "/new"),
        ("0 /new", "/new"),
        ("0;/new", "/new"),
        ("0;'/new'", "/new"),
        (".5;url=/new", "/new"),
        ("1.9.9;url=/new", "/new"),
        ("10;url=/new", "/new"),
        ("0;url=new#part", "/old/new"),
        ("0;url=//other.example/", "https://other.example/"),
        ("11;url=/new", None),
        ("99999999999999999999;url=/new", None),
        ("0", None),
        ("0;", None),
        ("url=/new", None),
        ("soon;url=/new", None),
        ("0x;url=/new", None),
        ("0;url=javascript:go()", None),
        ("0;url=mailto:a@site.example", None),
        ("0;url=https://user:word@site.example/", None),
        ("5;url=/old/page", None),
        ("0;url=/old/page", "/old/page"),
    ],
)
def test_a_refresh_is_read_as_browsers_read_it(content, found):
    wanted = f"https://site.example{found}" if found and found.startswith("/") else found

    assert led(meta(content)) == wanted
    if "&" not in content:
        assert led("<p>Moved.</p>", Refresh=content) == wanted


@pytest.mark.parametrize(
    "html",
    [
        '<META CONTENT="0;URL=/new" HTTP-EQUIV="Refresh">',
        "<head><title>x</title><meta name=a content='0;url=/new' http-equiv='REFRESH'/></head>",
        f"<body><div><p>Moved.</p>{meta('0;url=/new')}</div></body>",
        f"{meta('soon')}{meta('0;url=/new')}{meta('0;url=/other')}",
        f"<base href=/deep/>{meta('0;url=../new')}",
        f"<noscript>{meta('0;url=/without')}</noscript>{meta('0;url=/new')}",
        f"<script>location='/new'</script><noscript>{meta('0;url=/new')}</noscript>",
    ],
)
def test_a_refresh_counts_wherever_a_browser_finds_it(html):
    assert led(html) == "https://site.example/new"


@pytest.mark.parametrize(
    "html",
    [
        f"<!-- {meta('0;url=/new')} --><p>Here.</p>",
        f"<template>{meta('0;url=/new')}</template><p>Here.</p>",
        f"<pre>{meta('0;url=/new').replace('<', '&lt;')}</pre>",
        f"<textarea>{meta('0;url=/new')}</textarea>",
        f"<script>const tag = `{meta('0;url=/new')}`</script><p>Here.</p>",
        "<meta name=refresh content='0;url=/new'><p>Here.</p>",
        f"<p>All of the page.</p><noscript>{meta('0;url=/without')}</noscript>",
        f"{meta('300;url=/new')}{meta('0;url=/other')}",
        f"<title>Just a moment...</title><script>_cf_chl_opt={{}}</script>{meta('5;url=?bm-verify=1')}",
    ],
)
def test_what_no_browser_takes_leaves_the_page_as_it_is(html):
    assert led(html) is None


def test_a_tag_in_plain_text_is_text():
    reply = Reply(PAGE, 200, {"Content-Type": "text/plain"}, meta("0;url=/new").encode(), 9)

    assert target(reply) is None


def scraped(*scripts, path="/"):
    """The row of one page, and what the server was asked for."""

    async def play():
        async with serving(*scripts) as served, Client(LOOPBACK) as client:
            call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 20, run=None)
            wanted = ScrapeInput(urls=[served.url(path)])
            portion = await scrape_with(direct(client), wanted, call)
            return portion.answers[0].row, [head.split(" ")[1] for head in served.heads], served

    return asyncio.run(play())


def page(html, *headers):
    return ok(html.encode(), HTML, *headers)


def test_a_refresh_is_a_redirect_in_the_evidence():
    row, asked, served = scraped(page(meta("0;url=/new?a%2Fb")), page(TEXT), path="/old")

    assert row.status == "success"
    assert row.metadata.final_url == served.url("/new?a%2Fb")
    assert row.metadata.redirects == [served.url("/old")]
    assert asked == ["/old", "/new?a%2Fb"]


def test_refreshes_and_redirects_have_one_bound_together():
    hops = [page(meta(f"0;url=/{number}")) for number in range(settings.REDIRECT_LIMIT + 1)]

    row, asked, _ = scraped(*hops, page(TEXT))

    assert row.error.code == "too_many_redirects"
    assert len(asked) == settings.REDIRECT_LIMIT + 1


def test_refreshes_in_a_circle_end():
    row, asked, _ = scraped(page(meta("0;url=/b")), page(meta("0;url=/a")), page(meta("0;url=/b")), path="/a")

    assert row.error.code == "too_many_redirects"
    assert asked == ["/a", "/b"]


def test_a_page_that_comes_back_to_itself_is_that_page():
    row, asked, _ = scraped(page(meta("0;url=/") + TEXT))

    assert (row.status, asked) == ("success", ["/"])


def test_a_page_that_sets_a_cookie_and_comes_back_gets_its_cookie():
    row, asked, served = scraped(page(meta("0;url=/"), b"Set-Cookie: seen=1"), page(TEXT))

    assert (row.status, asked) == ("success", ["/", "/"])
    assert "Cookie: seen=1\r\n" in served.heads[1]


def test_a_refresh_to_an_inner_address_is_refused_before_it_is_dialled():
    async def play():
        canary = Served([[ok(b"CANARY")]])
        inner = await asyncio.start_server(canary.answer, "127.0.0.2", 0)
        port = inner.sockets[0].getsockname()[1]
        async with serving(page(meta(f"0;url=http://127.0.0.2:{port}/"))) as served, Client(LOOPBACK) as client:
            call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 20, run=None)
            wanted = ScrapeInput(urls=[served.url()])
            portion = await scrape_with(direct(client), wanted, call)
        inner.close()
        return portion.answers[0].row, canary.connections

    row, connections = asyncio.run(play())
    assert (row.error.code, connections) == ("forbidden_address", 0)


def test_a_notice_that_scripts_are_needed_is_not_the_page_that_led_there():
    notice = "<title>JavaScript is disabled</title><h1>Please enable JavaScript to use this site.</h1>"
    shell = f"<script src=/app.js></script><noscript>{meta('0;url=/nojs')}</noscript>"

    row, asked, _ = scraped(page(shell), page(notice), path="/item")

    assert (row.status, row.error.code) == ("empty", "needs_rendering")
    assert asked == ["/item", "/nojs"]
