"""Kept pages, over real sockets: what a site is asked, what is kept, and what a row says of it."""

import asyncio
import time
from dataclasses import dataclass, field

import pytest

from tests.net.serving import LOOPBACK, moved, ok, serving
from verbena.capability import Call, Services
from verbena.catalog.web import ScrapeInput
from verbena.memory import PageMemory
from verbena.net import Client, Reply, headers_of
from web_scrape.cache import may_be_kept
from web_scrape.executor import scrape_with
from web_scrape.fetch import Pace
from web_scrape.tiers import direct

HTML = b"Content-Type: text/html; charset=utf-8"
ETAG = b'ETag: "a"'
UNCHANGED = b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nConnection: keep-alive\r\n\r\n'
GONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
DAY = 86_400
NOON = 1_800_000_000


def page(*headers, words=b"The ferry timetable for the northern pier changes on the first Monday of every month. "):
    body = b"<html><head><title>Pier</title></head><body><main><p>" + words * 5 + b"</p></main></body></html>"
    return ok(body, HTML, *headers)


async def no_other_verb(name, arguments):
    raise AssertionError(name, arguments)


@dataclass
class Reader:
    """Reads one site over one store of pages; `at` is the time of its clock."""

    served: object
    client: Client
    pages: PageMemory = field(default_factory=lambda: PageMemory(7 * DAY))
    at: float = NOON

    async def answer(self, path="/", owner="o", max_age_s=DAY, **options):
        call = Call(owner, "c", time.monotonic() + 20, no_other_verb, services=Services(pages=self.pages))
        wanted = ScrapeInput(urls=[self.served.url(path)], max_age_s=max_age_s, **options)
        (answer,) = (await scrape_with(direct(self.client), wanted, call, Pace(wall=lambda: self.at))).answers
        return answer

    async def later(self, seconds, path="/", **options):
        self.at += seconds
        return await self.answer(path, **options)

    @property
    def asked(self):
        return len(self.served.heads)


def reading(*scripts):
    """Runs a test against a site that answers its nth request with the nth script, the last one for ever."""

    def run(test):
        async def play():
            async with serving(*scripts) as served, Client(LOOPBACK) as client:
                await test(Reader(served, client))

        asyncio.run(play())

    return run


def test_a_page_within_its_age_is_given_again_without_asking_its_site():
    @reading(page(), GONE)
    async def _(reader):
        first, second = await reader.answer(), await reader.later(60)

        assert reader.asked == 1
        assert (first.from_cache, second.from_cache) == (False, True)
        assert (first.row.metadata.cache_age_s, second.row.metadata.cache_age_s) == (None, 60)
        fresh = {"metadata": second.row.metadata.model_copy(update={"cache_age_s": None})}
        assert second.row.model_copy(update=fresh) == first.row


def test_a_kept_page_is_given_in_whatever_form_is_asked_for():
    @reading(page(), GONE)
    async def _(reader):
        await reader.answer()

        text = await reader.later(1, format="html", include=["raw_html"], only_main_content=False)

        assert "<p>The ferry" in text.row.content
        assert text.row.raw_html.startswith("<html><head>")


def test_a_kept_page_keeps_the_way_that_led_to_it():
    @reading(moved("/new"), page(b"X-Robots-Tag: noindex"), GONE)
    async def _(reader):
        first, second = await reader.answer("/old"), await reader.later(1, "/old")

        assert second.from_cache
        assert second.row.metadata.final_url == first.row.metadata.final_url == reader.served.url("/new")
        assert second.row.metadata.redirects == [reader.served.url("/old")]
        assert second.row.metadata.bytes == first.row.metadata.bytes


def test_by_default_no_page_is_looked_up_or_kept():
    @reading(page())
    async def _(reader):
        await reader.answer()
        unkept = await reader.later(1, max_age_s=0)
        await reader.answer("/other", max_age_s=0)

        assert (unkept.from_cache, reader.asked) == (False, 3)
        assert len(reader.pages.pages) == 1


def test_pages_of_another_owner_are_not_given():
    @reading(page())
    async def _(reader):
        await reader.answer(owner="a")

        assert (await reader.answer(owner="b")).from_cache is False
        assert reader.asked == 2


def test_addresses_that_differ_in_their_fragment_are_one_page():
    @reading(page(), GONE)
    async def _(reader):
        await reader.answer("/a#top")

        assert (await reader.answer("/a#end")).from_cache is True
        assert (await reader.answer("/A")).from_cache is False


def test_a_kept_page_asks_for_no_robots_txt_either():
    @reading(page(), GONE)
    async def _(reader):
        await reader.answer(respect_robots=False)

        assert (await reader.later(60, respect_robots=True)).from_cache is True
        assert reader.served.robots_asked == 0


# ---- pages that are too old


def test_a_page_that_did_not_change_is_given_again_and_is_no_free_one():
    @reading(page(ETAG, b"Last-Modified: Mon, 04 Nov 2024 08:00:00 GMT"), UNCHANGED)
    async def _(reader):
        first = await reader.answer()
        second = await reader.later(DAY + 1)

        assert 'If-None-Match: "a"' in reader.served.heads[1]
        assert "If-Modified-Since: Mon, 04 Nov 2024 08:00:00 GMT" in reader.served.heads[1]
        assert second.row.content == first.row.content
        assert second.row.metadata.http_status == 200
        assert (second.from_cache, second.row.metadata.cache_age_s) == (False, None)
        assert second.row.metadata.fetched_at > first.row.metadata.fetched_at
        assert (await reader.later(DAY)).row.metadata.cache_age_s == DAY
        assert reader.asked == 2


def test_a_page_that_changed_takes_the_place_of_the_old_one():
    @reading(
        page(ETAG), page(b'ETag: "b"', words=b"The northern pier is closed from now on until the end of spring. "), GONE
    )
    async def _(reader):
        await reader.answer()
        second = await reader.later(DAY + 1)
        third = await reader.later(1)

        assert second.row.content.startswith("The northern pier is closed")
        assert (third.from_cache, third.row.content) == (True, second.row.content)


def test_a_page_without_validators_is_read_anew():
    @reading(page())
    async def _(reader):
        await reader.answer()
        await reader.later(DAY + 1)

        assert "If-" not in reader.served.heads[1]


def test_a_page_that_is_gone_is_not_given_from_what_was_kept():
    @reading(page(ETAG), GONE)
    async def _(reader):
        await reader.answer()

        assert (await reader.later(DAY + 1)).row.error.code == "page_not_found"


def test_an_unchanged_page_elsewhere_says_nothing_of_the_one_that_is_kept():
    elsewhere = page(words=b"The southern pier has a timetable of its own, which is printed in green. ")

    @reading(page(ETAG), moved("/south"), UNCHANGED, elsewhere)
    async def _(reader):
        await reader.answer()

        assert (await reader.later(DAY + 1)).row.content.startswith("The southern pier")


def test_no_page_is_given_after_the_store_has_forgotten_it():
    @reading(page(ETAG))
    async def _(reader):
        await reader.answer()
        await reader.later(7 * DAY, max_age_s=7 * DAY)

        assert "If-None-Match" not in reader.served.heads[1]


@pytest.mark.parametrize("script", [page(ETAG), UNCHANGED])
def test_a_page_whose_body_is_lost_is_read_anew(script):
    @reading(page(ETAG), script, page())
    async def _(reader):
        await reader.answer()
        reader.pages.bodies.clear()

        row = (await reader.later(DAY + 1)).row

        assert (row.status, row.metadata.cache_age_s) == ("success", None)


# ---- what is never kept


@pytest.mark.parametrize(
    "script",
    [
        page(b"Cache-Control: max-age=60, No-Store"),
        page(b"Cache-Control: max-age=60", b"Cache-Control: private"),
        page(b'Cache-Control: private="set-cookie"'),
        page(b"Vary: Accept, *"),
        b"HTTP/1.1 203 Transformed\r\n" + page().partition(b"\r\n")[2],
        ok(b"<title>Just a moment...</title><div id=challenge-form></div>", HTML, b"cf-mitigated: challenge"),
        ok(b"<html><body><div id=root></div><script src=/app.js></script></body></html>", HTML),
        ok(b"", HTML),
        GONE,
    ],
)
def test_what_a_site_forbids_to_keep_or_what_is_no_page_is_not_kept(script):
    @reading(script)
    async def _(reader):
        await reader.answer()

        assert not (await reader.later(1)).from_cache
        assert (reader.asked, reader.pages.pages) == (2, {})


@pytest.mark.parametrize(
    "headers",
    [
        {"Cache-Control": "no-cache, max-age=0, must-revalidate"},
        {"Set-Cookie": "a=b"},
        {"Vary": "Accept-Encoding, Cookie"},
    ],
)
def test_a_site_that_only_bounds_the_age_of_a_page_or_sets_a_cookie_does_not_forbid_to_keep_it(headers):
    assert may_be_kept(Reply("https://port.example/", 200, headers_of(headers), b"x", 1))


def test_no_cookie_is_kept():
    @reading(page(b"Set-Cookie: session=pw-91", ETAG))
    async def _(reader):
        await reader.answer()

        (kept,) = reader.pages.pages.values()
        assert set(kept.headers) == {"Content-Type", "ETag"}
