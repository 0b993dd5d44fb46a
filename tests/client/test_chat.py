"""A model's tool calls, run by the client: the answer is text, whatever became of the call."""

import asyncio
import json
import re

import pytest

from verbena import AsyncClient, Client
from verbena.errors import Unauthorized


def openai(name, arguments):
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return {**call}


def anthropic(name, arguments):
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


def gemini(name, arguments):
    return {"functionCall": {"name": name, "args": arguments}}


@pytest.mark.parametrize("written", [openai, anthropic, gemini])
def test_a_call_in_any_vendors_form_is_run(client, site, written):
    text = client.call(written("web_scrape", {"urls": site.pages(2)}))

    assert text.startswith("status: completed")
    assert "Line 0 of page 1" in text
    assert re.search(r"<untrusted-\w+>.*Line 0 of page 0.*</untrusted-\w+>", text, re.DOTALL)


def test_a_job_is_waited_for_and_its_rows_are_in_the_text(client, site):
    text = client.call(openai("web_scrape", {"urls": site.pages(12)}))

    assert "status: completed, 12 of 12" in text
    assert "Line 0 of page 11" in text


def test_a_job_that_takes_too_long_is_left_to_the_model(client, site):
    urls = [*site.pages(20), *site.pages(1, "held")]

    text = client.call(openai("web_scrape", {"urls": urls}), timeout=0)
    job_id = re.search(r"job_id: (\w+)", text)[1]
    site.released.set()
    rows = client.jobs.get(job_id, "web.scrape").results().rows
    read_on = client.call(anthropic("job_results", {"job_id": job_id, "cursor": 20}))

    assert "status: pending" in text
    assert len(rows) == 21
    assert rows[20].url in read_on


def test_a_long_answer_is_cut_and_says_how_to_read_on(client, site):
    text = client.call(openai("web_scrape", {"urls": site.pages(1, "big")}), max_chars=4_000)

    assert len(text) < 6_000
    assert "skip_chars" in text


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (openai("web_scrape", {"urls": []}), "invalid_input"),
        (openai("web_scrap", {}), "there is no tool 'web_scrap'"),
        ({"function": {"name": "web_scrape", "arguments": "{"}}, "the arguments are not JSON"),
    ],
)
def test_what_the_model_got_wrong_is_told_to_it(client, call, told):
    text = client.call(call)

    assert text.startswith("Failed: ")
    assert told in text


def test_what_is_not_the_models_fault_is_raised(account):
    with Client(account["base_url"], "vb_wrong") as client, pytest.raises(Unauthorized):
        client.call(openai("web_scrape", {"urls": ["https://e.invalid"]}))


def test_the_tools_are_those_that_calls_may_name(client):
    names = {tool["name"] for tool in client.tools("anthropic")}

    assert {"web_scrape", "web_discover", "job_results"} <= names


def test_an_event_loop_runs_tool_calls_too(account, site):
    async def use():
        async with AsyncClient(**account) as client:
            return await client.tools(), await client.call(openai("web_scrape", {"urls": site.pages(1)}))

    tools, text = asyncio.run(use())

    assert tools
    assert "Line 0 of page 0" in text
