"""Clients that others wrote, as they are: the SDK's and FastMCP's, over HTTP and over standard input and output."""

import json
import os
import re
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import fastmcp
import httpx2
import mcp
import pytest
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import KEY
from verbena.catalog import CATALOG
from verbena.doors.mcp import MODERN

PROGRAM = str(Path(sys.executable).with_name("verbena"))
ERAS = {"legacy": "2025-11-25", "auto": MODERN}
WAIT_S = 60
NAMES = [*(verb.id for verb in CATALOG), "job_status", "job_results", "job_cancel"]


@pytest.fixture
def over_http(stack):
    """Makes the SDK's client of the deployed product."""

    @asynccontextmanager
    async def connect(mode="auto"):
        headers = {"Authorization": f"Bearer {KEY}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=WAIT_S) as http,
            mcp.Client(streamable_http_client(f"{stack.base_url}/mcp", http_client=http), mode=mode) as client,
        ):
            yield client

    return connect


@pytest.fixture
def over_stdio(stack):
    """Makes the SDK's client of `verbena mcp`, which reaches the deployed product, or works by itself."""
    environment = {
        "PATH": os.environ["PATH"],
        "VERBENA_URL": stack.base_url,
        "VERBENA_KEY": KEY,
        "VERBENA_ALLOW_NETWORKS": "127.0.0.1/32",
    }

    def connect(*words, mode="auto", **changed):
        server = StdioServerParameters(command=PROGRAM, args=["mcp", *words], env=environment | changed)
        return mcp.Client(server, mode=mode)

    return connect


def run(made, what):
    """What a coroutine makes of a connected client."""

    async def connected():
        with anyio.fail_after(WAIT_S):
            async with made as client:
                return await what(client)

    return anyio.run(connected)


def scraping(*urls):
    async def what(client):
        return await client.call_tool("web_scrape", {"urls": list(urls)})

    return what


async def told(client):
    """What a client knows of the server: its version, its tools."""
    return client.protocol_version, [tool.name for tool in (await client.list_tools()).tools]


async def whole_job(client, urls):
    """All rows of a job, as a model would get them: call, wait, page by page."""
    job_id = (await client.call_tool("web_scrape", {"urls": urls})).structured_content["job_id"]
    while (await client.call_tool("job_status", {"job_id": job_id})).structured_content["status"] == "pending":
        pass  # each look takes its time, and `run` ends them
    rows, cursor = [], 0
    while cursor is not None:
        page = await client.call_tool("job_results", {"job_id": job_id, "cursor": cursor, "limit": 5})
        rows += page.structured_content["results"]
        following = re.search(r"cursor=(\d+)", page.structured_content.get("next", ""))
        cursor = int(following[1]) if following else None
    return rows


@pytest.mark.parametrize("mode", ERAS)
def test_the_sdk_finds_the_tools_over_http(over_http, mode):
    assert run(over_http(mode), told) == (ERAS[mode], NAMES)


@pytest.mark.parametrize("mode", ERAS)
def test_the_sdk_reads_pages_over_http(over_http, site, mode):
    """The client holds what it gets to the published output schema."""
    result = run(over_http(mode), scraping(site, f"{site}/missing"))

    assert not result.is_error
    assert [row["status"] for row in result.structured_content["results"]] == ["success", "failed"]
    assert "A page at /." in result.content[0].text


def test_the_sdk_reads_a_job_to_its_end_over_http(over_http, site):
    urls = [f"{site}/{number}" for number in range(12)]

    rows = run(over_http(), lambda client: whole_job(client, urls))

    assert [row["url"] for row in rows] == urls


def test_the_sdk_is_told_what_is_wrong(over_http):
    async def wrong(client):
        result = await client.call_tool("web_scrape", {"urls": []})
        with pytest.raises(mcp.MCPError) as caught:
            await client.call_tool("web_scrapes", {})
        return result, caught.value

    result, error = run(over_http(), wrong)

    assert result.is_error
    assert "send at least one" in result.content[0].text
    assert "there is no tool 'web_scrapes'" in error.error.message


@pytest.mark.parametrize("mode", ERAS)
def test_the_sdk_reads_pages_over_stdio_through_a_server(over_stdio, site, mode):
    result = run(over_stdio(mode=mode), scraping(site))

    assert result.structured_content["usage"]["charge_micros"] == 1000


@pytest.mark.parametrize("mode", ERAS)
def test_the_sdk_reads_a_job_over_stdio_without_a_server(over_stdio, site, mode):
    urls = [f"{site}/{number}" for number in range(12)]

    rows = run(over_stdio("--local", mode=mode, VERBENA_URL="http://127.0.0.1:9"), lambda c: whole_job(c, urls))

    assert [row["status"] for row in rows] == ["success"] * 12


def asked(*lines, **environment):
    """What `verbena mcp` answers to lines of its input."""
    ran = subprocess.run(
        [PROGRAM, "mcp"],
        input="\n".join(lines).encode(),
        env=os.environ | environment,
        capture_output=True,
        timeout=WAIT_S,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    return [json.loads(line) for line in ran.stdout.splitlines()]


PING = '{"jsonrpc": "2.0", "id": 7, "method": "ping"}'
TELLING = '{"jsonrpc": "2.0", "method": "notifications/initialized"}'


@pytest.mark.parametrize(
    ("key", "serves", "told"),
    [(KEY, False, "no server answers at http://127.0.0.1:9 "), ("vb_unknown", True, "unauthorized: Send a valid key")],
)
def test_what_fails_on_the_way_to_a_server_is_the_answer_to_its_message(stack, key, serves, told):
    url = stack.base_url if serves else "http://127.0.0.1:9"

    (answer,) = asked(TELLING, PING, VERBENA_URL=url, VERBENA_KEY=key)

    assert answer["id"] == 7
    assert answer["error"]["message"].startswith(told)


def test_a_line_that_is_no_json_is_told_so_and_the_next_is_answered(stack):
    answers = asked("{", "", PING, VERBENA_URL=stack.base_url, VERBENA_KEY=KEY)

    assert sorted(answer.get("error", {}).get("code", 0) for answer in answers) == [-32700, 0]


@pytest.mark.parametrize("by", ["http", "stdio"])
def test_fastmcp_reads_pages(stack, site, by):
    if by == "http":
        transport = StreamableHttpTransport(f"{stack.base_url}/mcp", auth=KEY)
    else:
        keys = {"PATH": os.environ["PATH"], "VERBENA_URL": stack.base_url, "VERBENA_KEY": KEY}
        transport = StdioTransport(PROGRAM, ["mcp"], env=keys)

    async def what(client):
        return [tool.name for tool in await client.list_tools()], await client.call_tool("web_scrape", {"urls": [site]})

    names, result = run(fastmcp.Client(transport), what)

    assert names == NAMES
    assert result.structured_content["results"][0]["status"] == "success"
