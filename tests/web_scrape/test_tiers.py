"""Which way is tried after which, what a proxy is given to do, and that no row tells."""

import asyncio
import logging
import time

import pytest

from tests.net.serving import LOOPBACK, RESET, ok, serving
from verbena import net, settings
from verbena.capability import Call
from verbena.catalog.web import ScrapeInput
from verbena.errors import ConnectFailed, ForbiddenAddress
from verbena.guard import Guard
from verbena.lanes import Lanes
from verbena.net import Client, Reply
from verbena.settings import Settings
from web_scrape.executor import scrape_with
from web_scrape.fetch import Pace
from web_scrape.tiers import Tier, chosen

HTML = {"Content-Type": "text/html; charset=utf-8"}
TEXT = b"<title>Pier</title><main><h1>Pier notice</h1><p>%b</p></main>" % (b"The ferry leaves at noon. " * 20)
SHELL = b"<title>App</title><div id=root></div><script src=/app.js></script>"
CHALLENGE = b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Enable JavaScript and cookies</p>"
LOGIN = b"<title>Sign in</title><h1>Sign in</h1><form><input name=u><input type=password></form>"


async def at_once(_seconds):
    """Between tries."""


class Plays:
    """A getter that answers every page with one body or error, and counts."""

    def __init__(self, answer, status=200):
        self.lanes = Lanes(8, 8)
        self.answer = answer
        self.status = status
        self.asked = 0

    async def get(self, url, *, headers, deadline, way=net.STRAIGHT):
        if url.endswith("/robots.txt"):
            return Reply(url, 404, {}, b"", 0)
        self.asked += 1
        self.left = deadline - time.monotonic()
        if isinstance(self.answer, Exception):
            raise self.answer
        return Reply(url, self.status, HTML, self.answer, len(self.answer))


def scraped(*answers, names=("direct", "proxy", "browser"), **wanted):
    """The row of a page for which each tier has an answer, and how often each was asked."""
    getters = [answer if isinstance(answer, Plays) else Plays(answer) for answer in answers]
    tiers = [Tier(name, getter) for name, getter in zip(names, getters, strict=True)]
    call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 20, run=None)

    async def play():
        arguments = ScrapeInput(urls=["https://site.example/page"], **wanted)
        return await scrape_with(tiers, arguments, call, Pace(sleep=at_once))

    (answer,) = asyncio.run(play()).answers
    return answer.row, [getter.asked for getter in getters]


@pytest.mark.parametrize(
    ("answers", "asked", "outcome"),
    [
        ((TEXT, TEXT, TEXT), [1, 0, 0], "success"),
        ((SHELL, TEXT, TEXT), [1, 0, 1], "success"),
        ((CHALLENGE, TEXT, TEXT), [1, 1, 0], "success"),
        ((CHALLENGE, CHALLENGE, TEXT), [1, 1, 1], "success"),
        ((CHALLENGE, SHELL, TEXT), [1, 1, 1], "success"),
        ((CHALLENGE, CHALLENGE, CHALLENGE), [1, 1, 1], "blocked"),
        ((Plays(b"", 403), TEXT, TEXT), [1, 1, 0], "success"),
        ((LOGIN, TEXT, TEXT), [1, 0, 0], "auth_required"),
        ((Plays(b"", 404), TEXT, TEXT), [1, 0, 0], "page_not_found"),
        ((Plays(b"", 429), TEXT, TEXT), [3, 0, 0], "rate_limited"),
        ((ConnectFailed(), TEXT, TEXT), [3, 0, 0], "connect_error"),
        ((SHELL, TEXT, LOGIN), [1, 0, 1], "auth_required"),
        ((SHELL, TEXT, SHELL), [1, 0, 1], "needs_rendering"),
    ],
)
def test_only_a_shell_or_a_wall_is_tried_another_way_and_only_where_that_can_help(answers, asked, outcome):
    row, times = scraped(*answers)

    assert times == asked
    assert (row.error.code if row.error else row.status) == outcome


def test_a_way_that_breaks_down_says_nothing_about_the_page():
    row, _ = scraped(CHALLENGE, ConnectFailed(), ConnectFailed())

    assert (row.status, row.error.code) == ("failed", "blocked")
    assert row.metadata.http_status == 200


def test_all_ways_together_have_the_time_of_one_page():
    late = Plays(TEXT)

    class Slow(Plays):
        async def get(self, url, **options):
            reply = await super().get(url, **options)
            await asyncio.sleep(0.2)
            return reply

    scraped(Slow(SHELL), late, names=("direct", "browser"), timeout_s=2)

    assert late.left < 1.9


def test_the_row_is_the_same_whichever_way_the_page_came(caplog):
    caplog.set_level(logging.INFO)

    straight, _ = scraped(TEXT, TEXT, names=("direct", "browser"))
    rendered, _ = scraped(SHELL, TEXT, names=("direct", "browser"))

    said = [
        row.model_dump() | {"metadata": row.metadata.model_dump(exclude={"fetched_at"})} for row in (straight, rendered)
    ]
    assert said[0] == said[1]
    (record,) = [record for record in caplog.records if record.name == "web_scrape.visit"]
    assert (record.tier, record.host, record.after, record.then) == (
        "browser", "site.example", "needs_rendering", "success",
    )  # fmt: skip


def through(*scripts, target="http://127.0.0.1:9/page", guard=LOOPBACK):
    """The row of a page that a proxy answers, and what the proxy was asked."""

    async def play():
        async with serving(*scripts) as proxy:
            proxies = [f"http://user:pw-91@127.0.0.1:{proxy.port}"]
            async with Client(guard, proxies=proxies) as client:
                wanted = ScrapeInput(urls=[target], respect_robots=False)
                call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 20, run=None)
                portion = await scrape_with([Tier("proxy", client)], wanted, call, Pace(sleep=at_once))
            return portion.answers[0].row, proxy.heads

    return asyncio.run(play())


PAGE = ok(TEXT, b"Content-Type: text/html; charset=utf-8")


def test_a_proxy_is_asked_for_the_page_and_gets_its_password():
    row, heads = through(PAGE)

    assert row.status == "success"
    assert row.metadata.final_url == "http://127.0.0.1:9/page"
    assert heads[0].startswith("GET http://127.0.0.1:9/page HTTP/1.1\r\n")
    assert "Proxy-Authorization: Basic dXNlcjpwdy05MQ==\r\n" in heads[0]


def test_a_page_over_tls_is_asked_for_through_a_tunnel():
    _, heads = through(RESET, target="https://127.0.0.1:9/page")

    assert heads[0].startswith("CONNECT 127.0.0.1:9 HTTP/1.1\r\n")


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2/",
        "http://10.1.2.3/",
        "http://169.254.169.254/latest/",
        "http://0x7f.2/",
        "http://[::1]/",
        "https://192.168.0.1/",
    ],
)
def test_a_proxy_is_never_asked_for_an_inner_address(target):
    row, heads = through(PAGE, target=target)

    assert (row.error.code, heads) == ("forbidden_address", [])


def test_a_proxy_is_never_asked_for_a_name_that_leads_inside():
    async def lookup(_host, _port):
        return ["93.184.216.34", "10.1.2.3"]

    async def play():
        async with serving(PAGE) as proxy, Client(LOOPBACK, lookup=lookup, proxies=[proxy.url()]) as client:
            with pytest.raises(ForbiddenAddress) as refused:
                await client.get("http://mixed.test/", headers={}, deadline=time.monotonic() + 5)
            return refused.value.code, proxy.heads

    assert asyncio.run(play()) == ("forbidden_address", [])


def test_a_redirect_inwards_is_refused_behind_a_proxy_too():
    moved = b"HTTP/1.1 302 x\r\nLocation: http://10.1.2.3/\r\nContent-Length: 0\r\n\r\n"

    row, heads = through(moved, PAGE)

    assert (row.error.code, len(heads)) == ("forbidden_address", 1)


def test_a_proxy_may_stand_where_pages_may_not():
    """The guard here allows nothing beside public addresses; the target is one, and the proxy is on this machine."""
    row, heads = through(PAGE, target="http://93.184.216.34/page", guard=Guard.of([], []))

    assert (row.status, len(heads)) == ("success", 1)


@pytest.mark.parametrize(
    "refusal",
    [b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", RESET],
)
def test_a_proxy_that_refuses_is_a_connection_that_failed_and_stays_unnamed(refusal, caplog):
    caplog.set_level(logging.DEBUG)

    for target in ("http://127.0.0.1:9/page", "https://127.0.0.1:9/page"):
        row, _ = through(refusal, target=target)

        assert (row.status, row.error.code) == ("failed", "connect_error")
        assert "roxy" not in row.model_dump_json()
        assert "pw-91" not in row.model_dump_json() + caplog.text


def test_proxies_take_turns():
    async def play():
        async with serving(PAGE) as first, serving(PAGE) as second:
            async with Client(LOOPBACK, proxies=[first.url(), second.url()]) as client:
                for _ in range(4):
                    await client.get("http://127.0.0.1:9/", headers={}, deadline=time.monotonic() + 5)
            return len(first.heads), len(second.heads)

    assert asyncio.run(play()) == (2, 2)


@pytest.mark.parametrize(
    ("name", "value", "field", "read"),
    [
        ("VERBENA_TIERS", "direct, proxy,browser", "tiers", ("direct", "proxy", "browser")),
        ("VERBENA_TIERS", "proxy", "tiers", ("proxy",)),
        ("VERBENA_TIERS", "", "tiers", ("direct",)),
        ("VERBENA_PROXIES", "http://a:1, https://u:p@b.test:2", "proxies", ("http://a:1", "https://u:p@b.test:2")),
        ("VERBENA_BROWSER_FUNCTION", "", "browser_function", None),
        ("VERBENA_BROWSER_SANDBOX", "off", "browser_sandbox", False),
    ],
)
def test_tiers_are_settings(name, value, field, read):
    assert getattr(settings.from_environment({name: value}), field) == read


@pytest.mark.parametrize("value", ["browser", "browser,direct", "direct,direct", "direct,stealth", ","])
def test_tiers_that_make_no_sense_are_refused_by_name(value):
    with pytest.raises(ValueError, match="VERBENA_TIERS"):
        settings.from_environment({"VERBENA_TIERS": value})


@pytest.mark.parametrize(
    "value", ["http://a:1,user:pw-91@b:2", "socks5://u:pw-91@a:1", "http://u:pw-91@", "http://u:pw-91@a:x"]
)
def test_proxies_that_are_none_are_refused_without_showing_them(value):
    with pytest.raises(ValueError, match="VERBENA_PROXIES: number") as refused:
        settings.from_environment({"VERBENA_PROXIES": value})

    assert "pw-91" not in str(refused.value)


def test_settings_printed_somewhere_show_no_proxy():
    assert "pw-91" not in repr(settings.from_environment({"VERBENA_PROXIES": "http://u:pw-91@a:1"}))


def test_the_tiers_of_one_loop_are_the_same_for_every_call():
    async def play():
        current = Settings(tiers=("direct", "proxy", "browser"), proxies=("http://a:1",), browser_function="browse")
        pairs = list(zip(chosen(current), chosen(current), strict=True))
        await net.close()
        return [(first.name, first.getter is second.getter) for first, second in pairs]

    assert asyncio.run(play()) == [("direct", True), ("proxy", True), ("browser", True)]


def test_a_tier_that_lacks_its_proxies_says_so():
    async def play():
        return chosen(Settings(tiers=("proxy",)))

    with pytest.raises(ValueError, match="VERBENA_PROXIES"):
        asyncio.run(play())


def test_a_tier_that_lacks_its_browser_says_so(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")

    async def play():
        try:
            return chosen(Settings(tiers=("direct", "browser")))
        finally:
            await net.close()

    with pytest.raises(ValueError, match="make extras"):
        asyncio.run(play())


def test_a_client_that_was_closed_is_not_used_again():
    async def twice():
        current = settings.from_environment({})
        first = chosen(current)
        await net.close()
        again = chosen(current)
        await net.close()
        return first, again

    ((first,), (again,)) = asyncio.run(twice())

    assert first.getter is not again.getter
