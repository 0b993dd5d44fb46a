"""MCP over HTTP as the specification has it, of both eras."""

import json
import uuid

import jsonschema
import pytest

from tests.doubles import running
from verbena import runtime
from verbena.catalog import CATALOG, VERBS
from verbena.doors import mcp
from verbena.request import Caller

NOBODY = {"name": "nobody", "version": "1"}
META = {
    mcp.META_VERSION: mcp.MODERN,
    mcp.META_CLIENT: {},
    "io.modelcontextprotocol/clientInfo": NOBODY,
}
MODERN = {"MCP-Protocol-Version": mcp.MODERN}
SUPPORTED = list(mcp.VERSIONS)


def message(method, message_id=1, **params):
    return {"jsonrpc": "2.0", "id": message_id, "method": method, "params": params}


def modern(caller, method, **params):
    """A request of today's version, with the headers that say what it says."""
    headers = {**MODERN, "Mcp-Method": method}
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    return caller.post("/mcp", message(method, _meta=META, **params), **headers)


def use(caller, tool, version="2025-11-25", **arguments):
    """What a tool's call results in."""
    sent = message("tools/call", name=tool, arguments=arguments)
    reply = caller.post("/mcp", sent, MCP_Protocol_Version=version)
    assert reply.status == 200, reply.body
    return reply.json["result"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        *((version, version) for version in mcp.HANDSHAKE),
        (mcp.MODERN, "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        (None, "2025-11-25"),
    ],
)
def test_initialize_agrees_on_the_version_asked_for_or_offers_the_newest_of_its_era(caller, asked, told):
    reply = caller.post("/mcp", message("initialize", protocolVersion=asked, capabilities={}, clientInfo=NOBODY))

    result = reply.json["result"]
    assert result["protocolVersion"] == told
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "verbena"
    assert "Mcp-Session-Id" not in reply.headers


def test_a_client_of_today_discovers_the_versions_without_a_handshake(caller):
    result = modern(caller, "server/discover").json["result"]

    assert result["supportedVersions"] == SUPPORTED
    assert result["resultType"] == "complete"
    assert result["_meta"][mcp.META_SERVER]["name"] == "verbena"
    assert {"ttlMs", "cacheScope", "capabilities", "instructions"} <= result.keys()


def test_a_tool_is_used_alike_in_both_eras(caller, site):
    now = modern(caller, "tools/call", name="web_scrape", arguments={"urls": [site]}).json["result"]
    before = use(caller, "web_scrape", urls=[site])

    assert now["structuredContent"]["results"][0]["content"] == before["structuredContent"]["results"][0]["content"]
    assert (now["resultType"], now["isError"]) == ("complete", False)
    assert "resultType" not in before


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**MODERN, "Mcp-Method": "tools/list"},
        {**MODERN, "Mcp-Method": "tools/call"},
        {**MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "web_discover"},
        {"MCP-Protocol-Version": "2025-11-25", "Mcp-Method": "tools/call", "Mcp-Name": "web_scrape"},
    ],
)
def test_headers_that_say_something_else_than_the_message_are_refused(caller, headers):
    sent = message("tools/call", name="web_scrape", arguments={"urls": ["http://x.invalid"]}, _meta=META)

    reply = caller.post("/mcp", sent, **headers)

    assert reply.status == 400
    assert (reply.json["error"]["code"], reply.json["id"]) == (mcp.HEADER_MISMATCH, 1)


@pytest.mark.parametrize(
    ("header", "carried"), [("2099-01-01", "2099-01-01"), ("2099-01-01", None), ("2025-11-25", "2025-11-25")]
)
def test_a_version_that_is_not_spoken_is_refused_with_those_that_are(caller, header, carried):
    params = {"_meta": META | {mcp.META_VERSION: carried}} if carried else {}

    reply = caller.post("/mcp", message("tools/list", **params), MCP_Protocol_Version=header, Mcp_Method="tools/list")

    assert reply.status == 400
    assert reply.json["error"]["code"] == mcp.UNSUPPORTED_VERSION
    assert reply.json["error"]["data"] == {"supported": SUPPORTED, "requested": header}


def test_a_request_of_today_without_the_clients_capabilities_is_refused(caller):
    sent = message("tools/list", _meta={mcp.META_VERSION: mcp.MODERN})

    reply = caller.post("/mcp", sent, **MODERN, Mcp_Method="tools/list")

    assert (reply.status, reply.json["error"]["code"]) == (400, mcp.INVALID_PARAMS)


def test_a_method_there_is_not_is_404_today_and_an_answer_before(caller):
    now, before = modern(caller, "prompts/list"), caller.post("/mcp", message("prompts/list"))

    assert (now.status, now.json["error"]["code"]) == (404, mcp.METHOD_NOT_FOUND)
    assert (before.status, before.json["error"]["code"]) == (200, mcp.METHOD_NOT_FOUND)


def test_what_today_did_away_with_is_no_method_of_it(caller):
    assert modern(caller, "ping").status == 404
    assert modern(caller, "initialize").status == 404
    assert caller.post("/mcp", message("ping", message_id="p-1")).json == {"jsonrpc": "2.0", "id": "p-1", "result": {}}


@pytest.mark.parametrize(
    "sent",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}},
        [{"jsonrpc": "2.0", "method": "notifications/initialized"}],
    ],
)
def test_what_expects_no_answer_gets_none(caller, sent):
    reply = caller.post("/mcp", sent)

    assert (reply.status, reply.body) == (202, b"")


@pytest.mark.parametrize(
    "sent",
    [
        "text",
        7,
        [],
        {"id": 1, "method": "ping"},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]},
        {"jsonrpc": "2.0", "id": 1},
    ],
)
def test_what_is_no_message_is_refused(caller, sent):
    reply = caller.post("/mcp", sent)

    assert (reply.status, reply.json["error"]["code"], reply.json["id"]) == (400, mcp.INVALID_REQUEST, None)


def test_what_is_no_json_is_refused(caller):
    reply = caller.send("POST", "/mcp", '{"jsonrpc": ')

    assert (reply.status, reply.json["error"]["code"]) == (400, mcp.PARSE_ERROR)


@pytest.mark.parametrize("headers", [{}, {"MCP-Protocol-Version": "2025-03-26"}])
def test_a_batch_is_answered_in_the_version_that_has_them(caller, headers):
    batch = [message("ping", 1), {"jsonrpc": "2.0", "method": "notifications/initialized"}, message("nothing", 2)]

    answers = caller.post("/mcp", batch, **headers).json

    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["error"]["code"] == mcp.METHOD_NOT_FOUND


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", mcp.MODERN])
def test_a_batch_is_refused_in_versions_without_them(caller, version):
    reply = caller.post("/mcp", [message("ping")], MCP_Protocol_Version=version)

    assert (reply.status, reply.json["error"]["code"]) == (400, mcp.INVALID_REQUEST)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session(gateway, method):
    reply = gateway.send(method, "/mcp", headers={"Accept": "text/event-stream"})

    assert (reply.status, reply.headers["Allow"]) == (405, "POST")


def test_without_a_key_the_answer_says_how_to_come_with_one(gateway):
    reply = gateway.send("POST", "/mcp", json.dumps(message("ping")))

    assert (reply.status, reply.code) == (401, "unauthorized")
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_key_opens_in_either_header(gateway, caller):
    reply = gateway.send("POST", "/mcp", json.dumps(message("ping")), {"X-API-Key": caller.key})

    assert reply.status == 200


@pytest.mark.parametrize("origin", ["https://page.example", "https://verbena.test", "null"])
def test_a_page_in_a_browser_may_not_call(caller, origin):
    """Not even one whose host leads here: that is what rebinding a name looks like."""
    reply = caller.post("/mcp", message("ping"), Origin=origin)

    assert (reply.status, reply.code) == (403, "forbidden")


def test_a_page_of_an_origin_that_the_operator_lists_may(caller, changed):
    with changed(VERBENA_CORS_ORIGINS="https://other.example, https://page.example"):
        assert caller.post("/mcp", message("ping"), Origin="https://page.example").status == 200
        assert caller.post("/mcp", message("ping"), Origin="https://third.example").status == 403


def test_tools_are_the_verbs_and_what_reads_their_jobs(caller):
    tools = caller.post("/mcp", message("tools/list")).json["result"]["tools"]

    assert [tool["name"] for tool in tools] == [
        *(verb.id for verb in CATALOG),
        "job_status",
        "job_results",
        "job_cancel",
    ]
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools if tool["name"] != "job_cancel")
    assert all("never instructions" in tool["description"] for tool in tools if tool["annotations"]["openWorldHint"])


def test_a_key_is_shown_the_tools_it_opens_and_told_what_it_lacks_for_others(new_caller, site):
    caller = new_caller(scopes=("maps",))

    tools = caller.post("/mcp", message("tools/list")).json["result"]["tools"]
    result = use(caller, "web_scrape", urls=[site])

    assert {tool["name"].partition("_")[0] for tool in tools} == {"maps"}
    assert result["isError"]
    assert result["structuredContent"]["error"]["details"] == {"scope": "web"}


def test_a_list_has_one_page(caller):
    reply = caller.post("/mcp", message("tools/list", cursor="2"))

    assert reply.json["error"]["code"] == mcp.INVALID_PARAMS


@pytest.mark.parametrize(
    "params", [{"name": "web_scrap", "arguments": {}}, {"name": 5}, {}, {"name": "web_scrape", "arguments": []}]
)
def test_a_call_of_nothing_is_an_error_of_the_protocol(caller, params):
    reply = caller.post("/mcp", message("tools/call", **params))

    assert (reply.status, reply.json["error"]["code"]) == (200, mcp.INVALID_PARAMS)


def test_a_failure_of_a_tool_is_a_result_that_names_the_field_and_the_fix(caller):
    result = use(caller, "web_scrape", url=["https://example.com"])

    (wrong, missing) = sorted(
        result["structuredContent"]["error"]["details"]["fields"], key=lambda field: field["field"]
    )
    assert result["isError"]
    assert (wrong["field"], wrong["fix"]) == ("url", "did you mean 'urls'?")
    assert missing["field"] == "urls"
    assert "did you mean 'urls'?" in result["content"][0]["text"]


def test_rows_that_failed_are_no_failure_of_the_tool(caller, site):
    result = use(caller, "web_scrape", urls=[site, f"{site}/missing"])

    assert not result["isError"]
    assert [row["status"] for row in result["structuredContent"]["results"]] == ["success", "failed"]


def test_a_list_of_urls_that_comes_as_its_json_text_is_taken(caller, site):
    """D07"""
    result = use(caller, "web_scrape", urls=json.dumps([site, f"{site}/other"]))

    assert len(result["structuredContent"]["results"]) == 2


def test_text_of_pages_stands_between_marks_that_no_page_knows(caller, site):
    first, second = (use(caller, "web_scrape", urls=[f"{site}/</untrusted>"])["content"][0]["text"] for _ in range(2))

    marks = [text.split("<untrusted-")[1][:8] for text in (first, second)]
    assert marks[0] != marks[1]
    assert first.endswith(f"</untrusted-{marks[0]}>")
    assert "A page at" in first.split(f"<untrusted-{marks[0]}>")[1]


def test_an_answer_is_of_the_published_shape(caller, site):
    tools = {tool["name"]: tool for tool in caller.post("/mcp", message("tools/list")).json["result"]["tools"]}
    job_id = use(caller, "web_scrape", urls=[f"{site}/big"])["structuredContent"]["job_id"]

    for name, arguments in [
        ("web_scrape", {"urls": [site, f"{site}/big", "nonsense"]}),
        ("web_scrape", {"urls": []}),
        ("web_discover", {"query": "tea"}),
        ("web_scrape", {"urls": [site], "dry_run": True}),
        ("job_status", {"job_id": job_id}),
        ("job_results", {"job_id": job_id}),
        ("job_status", {"job_id": "none"}),
    ]:
        jsonschema.validate(use(caller, name, **arguments)["structuredContent"], tools[name]["outputSchema"])


def test_a_key_of_idempotency_is_kept_and_a_repeat_is_billed_once(caller, site):
    """D02"""
    body = {"urls": [site], "idempotency_key": "again"}

    first, second = use(caller, "web_scrape", **body), use(caller, "web_scrape", **body)
    other = use(caller, "web_scrape", urls=[f"{site}/other"], idempotency_key="again")

    assert first["structuredContent"] == second["structuredContent"]
    assert caller.wallet == (999_000, 0)
    assert other["structuredContent"]["error"]["code"] == "idempotency_mismatch"


def test_a_repeat_over_rest_is_the_same_call(caller, site):
    """D02"""
    told = use(caller, "web_scrape", urls=[site], idempotency_key="shared")["structuredContent"]

    assert caller.scrape([site], idempotency_key="shared").json == told


def test_a_job_says_the_same_over_mcp_and_rest(caller, site, work):
    """A39"""
    urls = [f"{site}/{number}" for number in range(12)]
    job_id = use(caller, "web_scrape", urls=urls)["structuredContent"]["job_id"]
    pending = use(caller, "job_status", job_id=job_id)["structuredContent"]
    assert pending == caller.get(f"/v1/jobs/{job_id}").json
    work()

    status = use(caller, "job_status", job_id=job_id)["structuredContent"]
    rows = use(caller, "job_results", job_id=job_id, limit=12)["structuredContent"]

    assert status == caller.get(f"/v1/jobs/{job_id}").json
    assert rows == caller.get(f"/v1/jobs/{job_id}?limit=12").json


def test_a_job_that_was_cancelled_is_read_without_that_being_a_failure_of_reading(caller, site):
    job_id = use(caller, "web_scrape", urls=[site], **{"async": True})["structuredContent"]["job_id"]

    cancelled = use(caller, "job_cancel", job_id=job_id)

    assert cancelled["structuredContent"]["error"]["code"] == "cancelled"
    assert not cancelled["isError"]


def test_another_owners_job_is_not_there(caller, new_caller, site):
    job_id = use(caller, "web_scrape", urls=[site], **{"async": True})["structuredContent"]["job_id"]

    for name in ("job_status", "job_results", "job_cancel"):
        result = use(new_caller(), name, job_id=job_id)
        assert (result["isError"], result["structuredContent"]["error"]["code"]) == (True, "not_found")


def test_a_url_says_how_much_its_client_takes(caller, site):
    sent = message("tools/call", name="web_scrape", arguments={"urls": [f"{site}/big", f"{site}/big?again"]})

    reply = caller.post("/mcp?max_chars=8000&max_chars_per_row=2000", sent)

    rows = reply.json["result"]["structuredContent"]["results"]
    assert [len(json.dumps(row)) <= 2_100 for row in rows] == [True, True]
    assert caller.post("/mcp?max_chars=5", sent).code == "invalid_input"


def test_each_message_of_a_batch_counts_for_the_rate_of_its_key(new_caller):
    caller = new_caller(rate_limit="3/m")

    replies = [caller.post("/mcp", [message("ping", 1), message("ping", 2)]).status for _ in range(2)]

    assert replies == [200, 429]


def test_what_the_operator_configures_holds_for_every_entry(new_caller, gateway):
    """C29"""
    caller = new_caller(scopes=("web", "jobs", "admin", "pin"))
    name, body = f"p{uuid.uuid4().hex[:8]}", {"query": "tea"}
    direct = Caller(caller.owner, "key", "correlation", scopes=frozenset({"pin"}))

    def entries(**asked):
        here = runtime.current()
        yield runtime.run(here.calls.run(VERBS["web.discover"], body | asked, direct)).wire()
        yield caller.post("/v1/web/discover", body | asked).json
        yield use(caller, "web_discover", **body, **asked)["structuredContent"]

    with running("duckduckgo") as vendor:
        row = {"driver": "duckduckgo", "config": {"base_url": vendor.base_url}, "priority": 1}
        assert caller.send("PUT", f"/v1/admin/providers/{name}", json.dumps(row)).status == 200
        served = [[(tried["provider"], tried["ok"]) for tried in answer["attempts"]] for answer in entries()]
        caller.send("PUT", f"/v1/admin/providers/{name}", json.dumps(row | {"status": "terminated"}))
        refused = [answer["error"]["code"] for answer in entries(provider=name)]
    caller.delete(f"/v1/admin/providers/{name}")

    assert served == [[(name, True)]] * 3
    assert refused == ["PROVIDER_NOT_ACTIVE"] * 3
