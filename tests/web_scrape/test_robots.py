"""robots.txt: who asks for it, what it allows, and what happens when it does not come."""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from tests.net.serving import HOLD, LOOPBACK, RESET, Served, moved, ok, serving
from verbena import settings
from verbena.capability import Call
from verbena.catalog.web import ScrapeInput
from verbena.errors import ReadError
from verbena.net import Client
from web_scrape.executor import scrape_with
from web_scrape.fetch import Pace
from web_scrape.robots import Robots, _ours, robots_url, rules
from web_scrape.tiers import direct

PAGE = ok(b"<title>Pier</title><main><h1>Pier notice</h1><p>%b</p></main>" % (b"The ferry leaves at noon. " * 20))
CLOSED = ok(b"User-agent: *\nDisallow: /private\n")


async def at_once(_seconds):
    """Between tries."""


AT_ONCE = Pace(sleep=at_once)


@asynccontextmanager
async def site(*robots):
    async with serving(PAGE) as served, Client(LOOPBACK) as client:
        served.robots = list(robots)
        yield served, client


async def rows(client, served, *paths, **wanted):
    urls = [served.url(path) for path in paths]
    call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 20, run=None)
    portion = await scrape_with(direct(client), ScrapeInput(urls=urls, **wanted), call, AT_ONCE)
    return [answer.row for answer in portion.answers]


def scraped(*robots, paths=("/a",), **wanted):
    """The rows, the paths of pages that were asked for, and how often robots.txt was."""

    async def play():
        async with site(*robots) as (served, client):
            answered = await rows(client, served, *paths, **wanted)
            return answered, [head.split(" ")[1] for head in served.heads], served.robots_asked

    return asyncio.run(play())


def allowed(robots, path="/"):
    return rules(robots.encode())(f"https://site.example{path}")


def test_a_page_that_robots_forbid_is_a_failed_row_and_is_not_asked_for():
    (denied, fine), asked, _ = scraped(CLOSED, paths=["/private/a", "/b"])

    assert (denied.status, denied.error.code, denied.error.retryable) == ("failed", "robots_denied", False)
    assert denied.error.details["robots_url"].endswith("/robots.txt")
    assert fine.status == "success"
    assert asked == ["/b"]


def test_who_may_disregard_robots_does_not_even_ask_for_them():
    (row,), asked, robots_asked = scraped(CLOSED, paths=["/private/a"], respect_robots=False)

    assert (row.status, asked, robots_asked) == ("success", ["/private/a"], 0)


def test_ten_pages_that_start_together_ask_once():
    answered, _, robots_asked = scraped(CLOSED, paths=[f"/{number}" for number in range(10)])

    assert {row.status for row in answered} == {"success"}
    assert robots_asked == 1


def test_rules_are_kept_for_the_next_call():
    async def play():
        async with site(CLOSED) as (served, client):
            await rows(client, served, "/a")
            await rows(client, served, "/private")
            return served.robots_asked

    assert asyncio.run(play()) == 1


def test_a_page_given_up_does_not_take_the_rules_from_the_others():
    release = asyncio.Event()

    async def play():
        async with site(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", release, b"\r\n") as (served, client):
            robots, url = Robots(), served.url("/a")
            first, second = (asyncio.create_task(robots.admit(client, AT_ONCE, url)) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            release.set()
            await second
            return first.cancelled(), served.robots_asked

    assert asyncio.run(play()) == (True, 1)


def test_every_hop_asks_the_robots_of_its_own_site():
    async def play():
        async with site(CLOSED) as (target, client), serving(moved(target.url("/private"))) as first:
            (row,) = await rows(client, first, "/")
            return row, target.heads

    row, heads = asyncio.run(play())
    assert (row.error.code, heads) == ("robots_denied", [])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 300])
def test_a_site_without_rules_allows_everything(status):
    (row,), _, _ = scraped(b"HTTP/1.1 %d x\r\nContent-Length: 4\r\n\r\nnope" % status)

    assert row.status == "success"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_rules_that_cannot_be_known_now_allow_nothing_now(status):
    (row,), asked, _ = scraped(b"HTTP/1.1 %d x\r\nContent-Length: 17\r\n\r\n<html>down</html>" % status)

    assert (row.status, row.error.code, row.error.retryable) == ("failed", "robots_unreachable", True)
    assert row.error.details["http_status"] == status
    assert asked == []


@pytest.mark.parametrize(
    ("robots", "code"),
    [
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nUser-agent: *"], "robots_unreachable"),
        ([b"HTTP/1.1 nonsense\r\n\r\n"], "robots_unreachable"),
        ([ok(b"x", b"Content-Encoding: aes")], "robots_unreachable"),
        ([RESET], "connect_error"),
        ([moved("http://10.1.2.3/robots.txt")], "forbidden_address"),
    ],
)
def test_a_broken_answer_allows_nothing_and_is_not_asked_for_again_by_each_page(robots, code):
    answered, asked, robots_asked = scraped(*robots, paths=["/a", "/b"])

    assert [row.error.code for row in answered] == [code, code]
    assert asked == []
    assert robots_asked <= settings.TRIES


def test_a_passing_failure_of_robots_is_tried_again():
    async def play():
        async with site(CLOSED) as (served, client):
            busy = b"HTTP/1.1 503 x\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"
            answers = iter([busy, CLOSED])
            served.script = lambda head: [next(answers)] if "robots" in head else [PAGE]
            return await rows(client, served, "/a", "/private")

    assert [row.status for row in asyncio.run(play())] == ["success", "failed"]


def test_robots_that_hang_cost_a_page_no_more_than_its_own_time():
    (row,), asked, _ = scraped(HOLD, timeout_s=1)

    assert (row.error.code, asked) == ("timeout", [])


@pytest.mark.parametrize("robots", [moved("/robots.txt"), moved("javascript:x")])
def test_redirects_that_lead_to_no_rules_allow_everything(robots):
    assert scraped(robots)[0][0].status == "success"


def test_robots_may_lie_behind_a_redirect():
    async def play():
        async with site(CLOSED) as (elsewhere, client), site(moved(elsewhere.url("/robots.txt"))) as (served, _):
            return await rows(client, served, "/private/x")

    assert asyncio.run(play())[0].error.code == "robots_denied"


def test_rules_and_failures_are_forgotten_in_their_own_time():
    now = [0.0]

    async def play():
        asked = []
        async with site(CLOSED) as (good, client), site(b"HTTP/1.1 500 x\r\n\r\n") as (bad, _):
            robots = Robots(clock=lambda: now[0])
            for now[0] in (0.0, settings.ROBOTS_FAILED_KEPT_S + 1, settings.ROBOTS_KEPT_S + 1):
                for served in (good, bad):
                    try:
                        await robots.admit(client, AT_ONCE, served.url("/a"))
                    except ReadError:
                        continue
                asked.append((good.robots_asked, bad.robots_asked))
        return asked

    assert asyncio.run(play()) == [(1, 1), (1, 2), (2, 3)]


def test_what_is_kept_is_bounded_by_its_size():
    big = ok(b"User-agent: *\nDisallow: /private\n#" + b"x" * settings.ROBOTS_CAP_BYTES)
    fitting = settings.ROBOTS_CACHE_BYTES // settings.ROBOTS_CAP_BYTES

    async def play():
        robots = Robots()
        async with Client(LOOPBACK) as client:
            servers = [Served([PAGE], robots=[big]) for _ in range(fitting + 1)]
            for served in [*servers, servers[-1], servers[0]]:
                server = await asyncio.start_server(served.answer, "127.0.0.1", served.port)
                served.port = server.sockets[0].getsockname()[1]
                await robots.admit(client, AT_ONCE, served.url("/a"))
                server.close()
        return [served.robots_asked for served in servers]

    assert asyncio.run(play()) == [2, *[1] * fitting]


@pytest.mark.parametrize(
    ("robots", "path", "may"),
    [
        ("User-agent: *\nDisallow: /*.print$\n", "/x.print", False),
        ("User-agent: *\nDisallow: /*.print$\n", "/x.print?y=1", True),
        ("User-agent: *\nDisallow: */private\n", "/a/private", False),
        ("User-agent: *\nDisallow: /users/*/replies\n", "/users/9/replies", False),
        ("User-agent: *\nDisallow: /users/*/replies\n", "/users/9", True),
        ("User-agent: *\nDisallow: /\nAllow: /open\n", "/open/a", True),
        ("User-agent: *\nAllow: /a\nDisallow: /a\n", "/a", True),
        ("User-agent: *\nDisallow:\n", "/", True),
        ("User-agent: *\nDisallow: /caf%C3%A9\n", "/caf%c3%a9", False),
        ("User-agent: *\nDisallow: /café\n", "/caf%C3%A9", False),
        ("User-agent: *\nDisallow: /a?b\n", "/a?b=c", False),
        ("user-agent:*\r\nDISALLOW:/a\r\n", "/a", False),
        ("User-agent: *\rDisallow: /a\r", "/a", False),
        ("\ufeffUser-agent: *\nDisallow: /a\n", "/a", False),
        ("User-agent: * # all\nDisallow: /a # not this\n", "/a", False),
        ("Disallow: /a\n", "/a", True),
        ("<!doctype html><title>App</title><p>Disallow: /</p>", "/a", True),
        ("", "/", True),
        ("User-agent: *\nDisallow: /\n", "/robots.txt", True),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: Verbena\nDisallow: /b\n", "/a", True),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: VERBENA/2.0\nDisallow: /b\n", "/b", False),
        ("User-agent: Verbena\nUser-agent: Other\nDisallow: /a\n", "/a", False),
        ("User-agent: Other\nUser-agent: *\nDisallow: /a\n", "/a", False),
        ("User-agent: Verb\nDisallow: /\n", "/a", True),
        ("User-agent: VerbenaBot\nDisallow: /\n", "/a", True),
        ("User-agent: Other\nDisallow: /\n", "/a", True),
        ("User-agent: Verbena\nDisallow: /a\n\nUser-agent: *\n\nUser-agent: Verbena\nDisallow: /b", "/b", False),
    ],
)  # fmt: skip
def test_rules_are_read_as_rfc_9309_says(robots, path, may):
    assert allowed(robots, path) is may


def test_of_a_very_long_file_the_whole_lines_of_its_beginning_count():
    start = "User-agent: *\nDisallow: /private\n"
    filler = "# " + "x" * (settings.ROBOTS_CAP_BYTES - len(start) - 14) + "\n"
    text = f"{start}{filler}Disallow: /a/longer/path\nDisallow: /late\n"

    assert [allowed(text, path) for path in ("/private", "/a", "/late")] == [False, True, True]


def test_agents_that_are_not_us_are_one_agent_to_the_parser_which_copies_rules_for_each():
    lines = [
        "User-agent: a",
        "useragent b*",
        " User agent : c/1 # d",
        "User-agent: Verbena/2",
        "USER-AGENT:*",
        "Allow: /",
    ]

    assert [_ours(line) for line in lines] == [
        *["User-agent: other"] * 3, "User-agent: Verbena", "User-agent: *", "Allow: /",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("url", "robots"),
    [
        ("https://site.example/a?b#c", "https://site.example/robots.txt"),
        ("http://site.example:8080/", "http://site.example:8080/robots.txt"),
        ("http://[2001:db8::1]/a", "http://[2001:db8::1]/robots.txt"),
    ],
)
def test_scheme_host_and_port_have_their_own_robots(url, robots):
    assert robots_url(url) == robots
