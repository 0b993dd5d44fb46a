"""What a double shows of a request, and what it does when a test tells it to."""

import asyncio
import json
import socket
import ssl

import httpx
import pytest

from tests.doubles import VENDORS, running, start

CLASSES = {"transient", "quota", "auth", "config", "vendor_param", "bad_request", "no_results", "success"}
# Made once, for it takes longer than a request.
TLS = ssl.create_default_context()
SCRIPTS = [(name, script) for name, vendor in VENDORS.items() for script in vendor.scripts]
ANSWERS = [(name, script) for name, vendor in VENDORS.items() for script in vendor.answer_scripts]


def send(double, endpoint=0, *, timeout=30, headers=None, method=None, **changes):
    """The reply to the contract's example request, with some parameters changed; None takes one away."""
    chosen = double.vendor.endpoints[endpoint]
    asked = {name: value for name, value in {**chosen.example, **changes}.items() if value is not None}
    sent = {"params": asked} if chosen.where == "query" else {"json": asked}
    headers = double.vendor.headers if headers is None else headers
    return httpx.request(
        method or chosen.method, double.base_url + chosen.path, headers=headers, timeout=timeout, verify=TLS, **sent
    )


def wire(double, endpoint=0):
    """Status and the first bytes of the body, or how it failed; a body without an end is not waited for."""
    chosen = double.vendor.endpoints[endpoint]
    sent = {"params": chosen.example} if chosen.where == "query" else {"json": chosen.example}
    try:
        with httpx.stream(
            chosen.method, double.base_url + chosen.path, headers=double.vendor.headers, timeout=30, verify=TLS, **sent
        ) as reply:
            body = b""
            for chunk in reply.iter_bytes():
                body += chunk
                if len(body) > 1_000_000:
                    break
            return reply.status_code, body
    except httpx.TransportError as error:
        return type(error).__name__, b""


def urls(body):
    """Every value of a body that is the address of a page."""
    if isinstance(body, dict):
        body = list(body.values())
    if isinstance(body, list):
        return [url for one in body for url in urls(one)]
    return [body] if isinstance(body, str) and body.startswith("https://") and "/guides/" in body else []


@pytest.mark.parametrize(("name", "script"), SCRIPTS)
def test_every_script_answers_a_good_request(name, script):
    with running(name) as double:
        double.will(script)
        double.release()
        status, body = wire(double)

    assert double.refusals == []
    assert len(double.requests) == 1
    assert double.scripts[script].expected_class in CLASSES
    for url in double.scripts[script].expected_urls or ():
        assert url in body.decode()
    if double.scripts[script].expected_class == "success":
        assert status == 200
        assert json.loads(body)


@pytest.mark.parametrize(("name", "script"), ANSWERS)
def test_the_scripts_of_answers_leave_the_search_alone(name, script):
    with running(name) as double:
        double.will(script)
        double.release()
        search, _ = wire(double)
        answer, _ = wire(double, endpoint=1)

    assert search == 200
    assert (answer == 200) is (script not in {"agent_rate_limited", "agent_bad_key", "agent_bad_value"})


@pytest.mark.parametrize("name", VENDORS)
def test_no_two_failure_classes_of_a_vendor_look_the_same(name):
    seen = {}
    with running(name) as double:
        for script, told in double.scripts.items():
            if script not in {"hang", "slow_headers", "slow_body"}:
                double.will(script)
                seen.setdefault(wire(double), set()).add(told.expected_class)

    assert [classes for classes in seen.values() if len(classes) > 1] == []


@pytest.mark.parametrize(
    ("name", "status", "told"),
    [
        ("brave", 422, "SUBSCRIPTION_TOKEN_INVALID"),
        ("tavily", 401, '"detail"'),
        ("perplexity", 401, "<html>"),
        ("google_cse", 400, "API_KEY_INVALID"),
        ("exa", 401, "INVALID_API_KEY"),
        ("serper", 403, "Unauthorized."),
        ("linkup", 401, "UNAUTHORIZED"),
        ("baidu", 401, "216003"),
    ],
)
def test_a_wrong_key_is_told_in_the_vendors_own_way(name, status, told):
    with running(name) as double:
        headers = {header: f"{value}-not" for header, value in double.vendor.headers.items()}
        reply = send(double, headers=headers, **({"key": "not"} if name == "google_cse" else {}))

    assert reply.status_code == status
    assert told in reply.text
    assert double.refusals[0].rule == "credential"


@pytest.mark.parametrize("name", [name for name, vendor in VENDORS.items() if vendor.headers])
def test_a_missing_key_is_refused(name):
    with running(name) as double:
        reply = send(double, headers={})

    assert reply.status_code in {401, 403, 422}
    assert double.refusals[0].rule == "credential"


def test_a_key_is_looked_at_before_parameters():
    with running("brave") as double:
        reply = send(double, headers={"X-Subscription-Token": "not"}, country="XX")

    assert reply.json()["error"]["code"] == "SUBSCRIPTION_TOKEN_INVALID"


@pytest.mark.parametrize("name", VENDORS)
def test_another_method_and_another_path_are_refused(name):
    with running(name) as double:
        other = "POST" if double.vendor.endpoints[0].method == "GET" else "GET"
        by_method = send(double, method=other)
        by_path = httpx.get(double.base_url + "/elsewhere", headers=double.vendor.headers)

    assert by_method.status_code >= 400
    assert by_path.status_code >= 400
    assert len(double.refusals) == 2


@pytest.mark.parametrize("name", [name for name, vendor in VENDORS.items() if vendor.endpoints[0].where == "body"])
@pytest.mark.parametrize(
    "sent",
    [{"data": {"q": "otter"}}, {"content": "{", "headers": {"Content-Type": "application/json"}}, {"json": ["otter"]}],
    ids=["form", "broken", "list"],
)
def test_a_body_that_is_no_json_object_is_refused(name, sent):
    with running(name) as double:
        headers = double.vendor.headers | sent.get("headers", {})
        reply = httpx.post(double.base_url + double.vendor.endpoints[0].path, **(sent | {"headers": headers}))

    assert reply.status_code in {400, 422}


@pytest.mark.parametrize(
    ("name", "changes", "refused"),
    [
        ("brave", {"q": "word " * 50}, False),
        ("brave", {"q": "word " * 51}, True),
        ("brave", {"country": "VN"}, True),
        ("brave", {"search_lang": "zh"}, True),
        ("brave", {"freshness": "2026-02-30to2026-03-01"}, True),
        ("brave", {"freshness": "2026-03-02to2026-03-01"}, True),
        ("tavily", {"country": "norway"}, False),
        ("tavily", {"country": "no"}, True),
        ("tavily", {"country": "norway", "topic": "news"}, True),
        ("tavily", {"include_domains": ["localhost", "https://example.org"]}, True),
        ("perplexity", {"search_domain_filter": ["-example.org", "-example.com"]}, False),
        ("perplexity", {"search_domain_filter": ["example.org", "-example.com"]}, True),
        ("perplexity", {"search_after_date_filter": "03/04/2026"}, True),
        ("perplexity", {"search_after_date_filter": "03/04/2026", "search_recency_filter": None}, False),
        ("perplexity", {"search_after_date_filter": "2026-03-04", "search_recency_filter": None}, True),
        ("perplexity", {"search_after_date_filter": "3/4/2026", "search_recency_filter": None}, True),
        ("google_cse", {"start": "91"}, False),
        ("google_cse", {"start": "92"}, True),
        ("google_cse", {"cx": "another"}, True),
        ("google_cse", {"siteSearch": "example.org example.com"}, True),
        ("exa", {"category": "people", "startPublishedDate": None}, False),
        ("exa", {"category": "people"}, True),
        ("exa", {"text": True}, True),
        ("exa", {"startPublishedDate": "2026-01-01"}, True),
        ("linkup", {"outputType": "structured"}, True),
        ("linkup", {"includeDomains": "example.org"}, True),
        ("baidu", {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}, True),
        ("baidu", {"resource_type_filter": [{"type": "video", "top_k": 11}]}, True),
        ("baidu", {"search_recency_filter": "day"}, True),
        ("baidu", {"search_filter": {"range": {"page_time": {"gte": "2026-01-01"}}}}, True),
        ("serper", {"tbs": "cdr:1,cd_min:1/2/2026,cd_max:3/4/2026"}, False),
        ("searxng", {"limit": "5"}, True),
        ("duckduckgo", {"kl": "us-en"}, True),
    ],
)
def test_the_rules_between_parameters_hold(name, changes, refused):
    with running(name) as double:
        reply = send(double, **changes)

    assert bool(double.refusals) is refused
    assert (reply.status_code >= 400) is refused


@pytest.mark.parametrize(
    ("name", "asked", "hosts"),
    [
        ("brave", {"q": "otter (site:a.example OR site:b.example)"}, {"a.example", "b.example"}),
        ("brave", {"q": "otter -site:example.org -site:library.example"}, {"reviews.example.com", "news.example.net"}),
        ("tavily", {"include_domains": ["a.example", "localhost"]}, {"a.example"}),
        (
            "tavily",
            {"include_domains": None, "exclude_domains": ["example.com", "example.net"]},
            {"housing.example.org", "library.example"},
        ),
        ("perplexity", {"search_domain_filter": ["a.example"]}, {"a.example"}),
        ("perplexity", {"search_domain_filter": ["-example.com", "-example.net", "-example.org"]}, {"library.example"}),
        ("google_cse", {"siteSearch": "a.example"}, {"a.example"}),
        ("google_cse", {"siteSearch": "a.example", "q": "otter site:b.example"}, {"a.example", "b.example"}),
        (
            "google_cse",
            {"siteSearch": "example.org", "siteSearchFilter": "e"},
            {"library.example", "reviews.example.com", "news.example.net"},
        ),
        ("exa", {"includeDomains": ["a.example", "b.example"]}, {"a.example", "b.example"}),
        ("exa", {"includeDomains": ["a.example", "b.example"], "excludeDomains": ["b.example"]}, {"a.example"}),
        ("serper", {"q": "otter site:a.example"}, {"a.example"}),
        ("searxng", {"q": "otter site:a.example"}, {"a.example"}),
        ("linkup", {"includeDomains": ["a.example"]}, {"a.example"}),
        ("baidu", {"search_filter": {"match": {"site": ["a.example"]}}}, {"a.example"}),
        (
            "baidu",
            {"search_filter": None, "block_websites": ["example.com", "example.net", "example.org"]},
            {"library.example"},
        ),
    ],
)
def test_a_filter_of_domains_shows_in_the_hits(name, asked, hosts):
    with running(name) as double:
        reply = send(double, **asked)

    assert {url.split("/")[2] for url in urls(reply.json())} == hosts


@pytest.mark.parametrize(
    ("name", "asked", "count"),
    [
        ("brave", {"count": "3"}, 3),
        ("tavily", {"max_results": 3}, 3),
        ("perplexity", {"max_results": 20}, 20),
        ("google_cse", {"num": "3"}, 3),
        ("exa", {"numResults": 100}, 100),
        ("serper", {"num": 100}, 10),
        ("searxng", {}, 10),
        ("linkup", {"maxResults": 30}, 30),
        ("baidu", {"resource_type_filter": [{"type": "web", "top_k": 50}]}, 50),
        ("duckduckgo", {}, 2),
    ],
)
def test_as_many_hits_come_as_are_asked_for(name, asked, count):
    with running(name) as double:
        reply = send(double, **asked)

    assert len(set(urls(reply.json()))) == count


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        ("brave", 200, {"type": "search"}),
        ("google_cse", 200, {"kind": "customsearch#search"}),
        ("linkup", 400, {"statusCode": 400}),
        ("serper", 200, {"organic": []}),
        ("tavily", 200, {"results": []}),
    ],
)
def test_nothing_found_looks_as_the_vendor_makes_it(name, status, body):
    with running(name) as double:
        double.will("empty")
        reply = send(double)

    assert reply.status_code == status
    assert reply.json().items() >= body.items()
    assert {"web", "items"}.isdisjoint(reply.json())


def test_brave_decorates_unless_told_not_to():
    with running("brave") as double:
        plain = send(double).json()["web"]["results"][0]
        decorated = send(double, text_decorations=None).json()["web"]["results"][0]

    assert "<strong>" not in plain["title"] + plain["description"]
    assert "<strong>" in decorated["title"]


def test_tavily_dates_only_news():
    with running("tavily") as double:
        general = send(double).json()["results"][0]
        news = send(double, topic="news").json()["results"][0]

    assert "published_date" not in general
    assert news["published_date"] == "Thu, 01 Jan 2026 09:12:00 GMT"


def test_exa_has_no_snippet_unless_contents_are_asked_for():
    with running("exa") as double:
        bare = send(double, contents=None).json()["results"][0]
        full = send(double).json()["results"][0]

    assert {"highlights", "text"}.isdisjoint(bare)
    assert full["highlights"]


def test_linkup_answers_instead_of_hits():
    with running("linkup") as double:
        body = send(double, outputType="sourcedAnswer").json()

    assert set(body) == {"answer", "sources"}
    assert body["sources"][0]["url"] == "https://example.org/guides/0"


def test_the_agent_of_perplexity_searches_with_its_tool_and_tells_its_cost():
    tool = {"type": "web_search", "filters": {"search_domain_filter": ["a.example"]}}
    with running("perplexity") as double:
        body = send(double, endpoint=1, tools=[tool]).json()
        bare = send(double, endpoint=1, tools=None).json()

    assert {url.split("/")[2] for url in urls(body)} == {"a.example"}
    assert [item["type"] for item in bare["output"]] == ["message"]
    assert body["usage"]["cost"]["total_cost"] == 0.0028


def test_the_retired_chat_of_perplexity_says_so_to_a_right_key():
    with running("perplexity") as double:
        reply = httpx.post(double.base_url + "/chat/completions", headers=double.vendor.headers, json={})

    assert reply.status_code == 403
    assert reply.json()["error"]["type"] == "chat_completions_not_available"


def test_a_bang_is_sent_away_unless_told_not_to():
    with running("duckduckgo") as double:
        away = send(double, q="!w otter", no_redirect=None)
        kept = send(double, q="!w otter")

    assert (away.status_code, away.headers["location"]) == (303, "https://bang.example.org/")
    assert kept.json()["Redirect"] == "https://bang.example.org/"
    assert kept.headers["content-type"] == "application/x-javascript"


def test_scripts_are_played_one_after_another_and_the_last_for_ever():
    with running("brave") as double:
        double.will("rate_limited", "quota_used", "success")
        statuses = [send(double).json().get("error", {}).get("code") for _ in range(4)]

    assert statuses == ["RATE_LIMITED", "QUOTA_LIMITED", None, None]


def test_an_unknown_script_is_told_at_once():
    with running("brave") as double, pytest.raises(KeyError, match="no_such"):
        double.will("no_such")


def test_a_scripted_failure_hides_no_broken_request():
    with running("brave") as double:
        double.will("rate_limited")
        reply = send(double, country="XX")

    assert reply.status_code == 422


def test_a_request_is_kept_as_it_came():
    with running("exa") as double:
        send(double, query="caf\xe9")
    with running("brave") as other:
        send(other, q="caf\xe9")

    (posted,) = double.requests
    (gotten,) = other.requests
    assert (posted.method, posted.path, posted.body["query"]) == ("POST", "/search", "caf\xe9")
    assert posted.headers["X-API-Key"] == double.key["EXA_API_KEY"]
    assert (gotten.query["q"], gotten.body) == (["caf\xe9"], None)


def connect(double):
    return socket.create_connection(("127.0.0.1", int(double.base_url.rsplit(":")[-1])), timeout=30)


GET = b"GET /?q=otter&format=json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def test_a_double_hangs_until_it_is_released():
    with running("tavily") as double:
        double.will("hang")
        with pytest.raises(httpx.ReadTimeout):
            send(double, timeout=httpx.Timeout(30, read=0.2))
        double.release()
        reply = send(double)

    assert reply.status_code == 200


def test_slow_headers_never_pause_long_and_never_end_until_they_are_released():
    with running("duckduckgo") as double, connect(double) as connection, connection.makefile("rb") as lines:
        double.will("slow_headers")
        connection.sendall(GET)
        trickle = lines.readline() + lines.read(12)
        double.release()
        rest = lines.read()

    assert trickle == b"HTTP/1.1 200 OK\r\nX-Slow: zzzz"
    assert json.loads(rest.partition(b"\r\n\r\n")[2])["Heading"] == "otter"


def test_a_slow_body_never_pauses_long_and_never_ends_until_it_is_released():
    with running("tavily") as double, httpx.Client(timeout=5, headers=double.vendor.headers) as client:
        double.will("slow_body")
        with client.stream("POST", double.base_url + "/search", json={"query": "otter"}) as reply:
            chunks = reply.iter_bytes()
            trickle = [next(chunks) for _ in range(3)]
            double.release()
            rest = b"".join(chunks)

    assert b"".join(trickle).isspace()
    assert json.loads(rest)["query"] == "otter"


def test_a_double_ends_whoever_is_still_connected():
    with httpx.Client() as client:
        with (
            running("duckduckgo") as double,
            connect(double) as waiting,
        ):
            client.get(double.base_url, params=double.vendor.endpoints[0].example)
            double.will("hang")
            waiting.sendall(GET)

        with pytest.raises(httpx.ConnectError):
            client.get(double.base_url)


def test_a_double_serves_a_coroutine_too():
    async def ask():
        async with start("duckduckgo") as double, httpx.AsyncClient() as client:
            return await client.get(double.base_url, params=double.vendor.endpoints[0].example)

    assert asyncio.run(ask()).status_code == 200


def test_a_double_listens_on_the_loopback_with_a_key_of_its_own():
    with running("google_cse") as double, running("searxng") as other:
        assert double.base_url.startswith("http://127.0.0.1:")
        assert set(double.key) == {"GOOGLE_CUSTOM_SEARCH_API_KEY", "GOOGLE_CUSTOM_SEARCH_CX"}
        assert other.key == {"SEARXNG_URL": other.base_url}
