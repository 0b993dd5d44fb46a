"""The open field cases of searching, played by raw sockets to the executor of web.discover and its drivers."""

import asyncio
import contextlib
import json
import logging
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.net.serving import HOLD, LOOPBACK, RESET, serving
from tests.web_discover.searching import LASTING, hits, search_with, tried
from verbena import apis, net
from verbena.capability import Portion
from verbena.engine import Engine
from verbena.errors import AllProvidersFailed
from verbena.memory.providers import ProvidersMemory
from verbena.providers import ProviderRow

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "cases/cases-open.jsonl").read_text("utf-8").splitlines())
    if case["area"] == "discover" or case["id"] == "disc-key-in-error"
}
# The made-up providers of the cases answer in this vendor's way.
USUAL = "tavily"
SPARE = b'{"results": [{"url": "https://spare.example/", "title": "Spare"}]}'


def raw(status, body=b"", kind="application/json"):
    head = f"HTTP/1.1 {status} Told\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def written(reply):
    """A reply of a case as it comes over the wire."""
    if "json" in reply:
        return raw(reply["status"], json.dumps(reply["json"]).encode())
    return raw(reply["status"], reply["body"].encode(), reply["content_type"])


def scripts_of(case_id):
    """What each provider of a case answers, in turn."""
    scripts = {}
    for step in CASES[case_id]["steps"]:
        if "reply" in step:
            scripts.setdefault(step["provider"], []).append(written(step["reply"]))
    return scripts


def arguments_of(case_id):
    return next(step["args"] for step in CASES[case_id]["steps"] if "call" in step)


@dataclass
class Stage:
    """Providers that answer as scripted, in this order."""

    scripts: dict[str, list]
    secret: str = "a-made-up-key"
    served: dict = field(default_factory=dict)

    @contextlib.asynccontextmanager
    async def open(self):
        async with contextlib.AsyncExitStack() as stack:
            client = await stack.enter_async_context(net.Client(LOOPBACK))
            for name, script in self.scripts.items():
                self.served[name] = await stack.enter_async_context(serving(*script))
            rows = [self.row(name, place) for place, name in enumerate(self.scripts)]
            urls = {"SEARXNG_URL": rows[0].tuning["base_url"]}
            book = ProvidersMemory(lambda: rows, lambda name: urls.get(name, self.secret))

            async def send(request, *, is_own):
                return await apis.sent(client, request)

            yield Engine(book, send)

    def row(self, name, place):
        config = json.dumps({"base_url": self.served[name].url("")})
        return ProviderRow(name, name if name in LASTING else USUAL, priority=place, config=config)

    def asked(self, name):
        return len(self.served[name].heads)


def played(stage, arguments, times=1, seconds=30.0):
    async def play():
        async with stage.open() as engine:
            return [await search_with(engine, seconds=seconds, **arguments) for _ in range(times)]

    return asyncio.run(play())


def test_a_rate_limit_passes_and_a_used_quota_keeps_the_vendor_out():
    case = "disc-rate-vs-quota"
    stage = Stage(scripts_of(case) | {"spare": [raw(200, SPARE)]})

    first, second, third = played(stage, arguments_of(case), times=3)

    assert tried(first) == [("brave", "transient"), ("spare", "ok")]
    assert "RATE_LIMITED" in first.attempts[0].message
    assert tried(second) == [("brave", "quota"), ("spare", "ok")]
    assert "QUOTA_LIMITED" in second.attempts[0].message
    assert tried(third) == [("brave", "resting"), ("spare", "ok")]
    assert stage.asked("brave") == 2
    assert all(outcome.units == {"web_search": 1} for outcome in (first, second, third))


def test_an_outage_is_no_honest_zero_and_an_honest_zero_is_no_outage():
    case = "disc-swallowed-failure"

    (outcome,) = played(Stage(scripts_of(case)), arguments_of(case))

    assert isinstance(outcome, Portion)
    assert tried(outcome) == [("p1", "auth"), ("p2", "ok")]
    assert "bad key" in outcome.attempts[0].message
    assert outcome.attempts[1].hits == 0
    assert hits(outcome) == []
    assert outcome.units == {"web_search": 1}


def test_a_searxng_without_json_is_a_matter_of_its_settings():
    case = "disc-searxng-html"

    outcomes = played(Stage(scripts_of(case)), arguments_of(case), times=2)

    for outcome in outcomes:
        assert outcome.code == CASES[case]["expect"]["error"]
        assert tried(outcome) == [("searxng", "config")]
        assert "search.formats" in outcome.attempts[0].message


def test_a_failover_is_told_on_success_too():
    case = "disc-silent-degrade"

    (outcome,) = played(Stage(scripts_of(case)), arguments_of(case))

    assert [hit.url for hit in hits(outcome)] == ["https://a.example/"]
    failed, served = outcome.attempts
    assert (failed.provider, failed.ok, failed.kind) == ("p1", False, "transient")
    assert "429" in failed.message
    assert (served.provider, served.ok, served.hits) == ("p2", True, 1)
    assert min(failed.ms, served.ms) >= 0


@pytest.mark.parametrize(
    ("script", "kind"),
    [("refused", "auth"), (RESET, "transient"), (HOLD, "transient")],
    ids=["refused", "reset", "timeout"],
)
def test_a_key_in_the_address_is_in_no_error_and_no_log(script, kind, caplog):
    case = "disc-key-in-error"
    (secret,) = CASES[case]["expect"]["lacks"]
    caplog.set_level(logging.DEBUG)
    echo = {"error": {"code": 401, "message": f"GET /customsearch/v1?key={quote(secret)}&cx={secret} was refused"}}
    answer = raw(401, json.dumps(echo).encode()) if script == "refused" else script

    (outcome,) = played(Stage({"google_cse": [answer]}, secret=secret), arguments_of(case), seconds=0.5)

    assert isinstance(outcome, AllProvidersFailed)
    assert tried(outcome) == [("google_cse", kind)]
    told = [*traceback.format_exception(outcome), repr(outcome.details), *map(repr, outcome.attempts), caplog.text]
    assert secret not in "".join(told)
    if script == "refused":
        assert "GET /customsearch/v1?key=[secret]" in outcome.attempts[0].message


def test_each_case_has_its_test():
    assert set(CASES) == {
        "disc-rate-vs-quota",
        "disc-swallowed-failure",
        "disc-searxng-html",
        "disc-silent-degrade",
        "disc-key-in-error",
    }
