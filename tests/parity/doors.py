"""What every door publishes of every verb, and what each answers to one call: a line a door.

Run by the tests in a process whose catalog has a verb more than ours. Reads `{"verb", "body"}`, writes
`{"schemas": {door: {verb: schema}}, "rows": {door: rows}}`.
"""

import json
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace

import echo.executor
import echo.handler
from click.testing import CliRunner

import intake.handler as messages
import jobs.handler
import mcp_door.handler
import verbena
from verbena import runtime
from verbena.aws import clients
from verbena.aws.keys import ApiKey
from verbena.capability import Call
from verbena.catalog import CATALOG, SCOPES, VERBS
from verbena.doors import intake
from verbena.doors.cli import main
from verbena.doors.cli.in_process import InProcess
from verbena.tools import calls as tool_calls
from verbena.tools.size import Size

ASKED = json.load(sys.stdin)
VERB, BODY = VERBS[ASKED["verb"]], ASKED["body"]
IDS = {verb.id: verb.name for verb in CATALOG}
KEY, KEY_ID = f"vb_{uuid.uuid4().hex}", uuid.uuid4().hex


def request(handler, route, body=None, query=None):
    """What a handler answers to a request with the key."""
    method, path = route.split(" ")
    event = {
        "routeKey": route,
        "rawPath": path,
        "headers": {"authorization": f"Bearer {KEY}", "host": "verbena.test"},
        "requestContext": {"http": {"method": method}, "requestId": uuid.uuid4().hex},
        "queryStringParameters": query,
        "pathParameters": {"job_id": path.rpartition("/")[2]},
        "body": json.dumps(body),
    }
    return json.loads(handler(event, SimpleNamespace(aws_request_id="a"))["body"])


def speak(method, **params):
    sent = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return request(mcp_door.handler.handler, "POST /mcp", sent)["result"]


# ---- what is published


def described():
    """OpenAPI keeps the parts of a schema in one place for all; here each has its own again."""
    told = request(jobs.handler.handler, "GET /openapi.json")
    schemas = told["components"]["schemas"]
    for verb in CATALOG:
        whole = told["paths"][verb.path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        own = schemas[whole["$ref"].rpartition("/")[2]]
        needed = list(VERBS[verb.name].request_schema().get("$defs", {}))
        parts = {"$defs": {name: schemas[name] for name in needed}} if needed else {}
        yield verb.name, json.loads(json.dumps(parts | own).replace("#/components/schemas/", "#/$defs/"))


def tools(form):
    return request(jobs.handler.handler, "GET /v1/tools", query={"format": form})["tools"]


def by_verb(found, name, schema):
    return {IDS[tool[name]]: tool[schema] for tool in found if tool[name] in IDS}


SCHEMAS = {
    "rest": lambda: {v["name"]: v["input_schema"] for v in request(jobs.handler.handler, "GET /v1/verbs")["verbs"]},
    "openapi": lambda: dict(described()),
    "mcp": lambda: by_verb(speak("tools/list")["tools"], "name", "inputSchema"),
    "message": lambda: {verb.name: intake.message_schema(verb)["properties"]["input"] for verb in CATALOG},
    "chat, mcp": lambda: by_verb(tools("mcp"), "name", "inputSchema"),
    "client": lambda: {verb.name: method(verb).capability.request_schema() for verb in CATALOG},
    "chat, anthropic": lambda: by_verb(tools("anthropic"), "name", "input_schema"),
}

# ---- what is answered


def direct():
    """The executor itself, without any door."""
    wanted = VERB.input.model_validate(BODY)
    call = Call("owner", "correlation", float("inf"), run=None)
    return [answer.row.model_dump(exclude_none=True) for answer in runtime.run(VERB.load(wanted, call)).answers]


def over_mcp(name, arguments):
    return speak("tools/call", name=name, arguments=arguments)["structuredContent"]["results"]


def in_chat():
    """A model's call, as its vendor writes it."""
    call = tool_calls.read({"function": {"name": VERB.id, "arguments": json.dumps(BODY)}})
    return over_mcp(call.name, call.arguments)


def as_job():
    """A call that becomes a job, whose messages the worker gets."""
    job_id = request(echo.handler.handler, f"POST {VERB.path}", {**BODY, "async": True})["job_id"]
    sqs, url = clients.client("sqs"), runtime.current().settings.queues["echo"]
    while messages := sqs.receive_message(QueueUrl=url).get("Messages"):
        record = {"messageId": "m", "receiptHandle": messages[0]["ReceiptHandle"], "body": messages[0]["Body"]}
        assert (
            echo.handler.worker({"Records": [record]}, SimpleNamespace(aws_request_id="a"))["batchItemFailures"] == []
        )
        sqs.delete_message(QueueUrl=url, ReceiptHandle=record["receiptHandle"])
    return over_mcp("job_results", {"job_id": job_id})


def as_message():
    message = {"verb": VERB.name, "input": BODY, "key_id": KEY_ID}
    return messages.invoke(message, SimpleNamespace(aws_request_id=uuid.uuid4().hex))["results"]


def on_the_command_line():
    words = ["call", VERB.name, "--local", "-o", "json", "--json", "-"]
    return json.loads(CliRunner().invoke(main, words, input=json.dumps(BODY)).stdout)["results"]


def in_this_process():
    here = InProcess()
    toolbox = here.toolbox(Size())
    rows = toolbox.use(toolbox.tool(VERB.id), BODY)["structuredContent"]["results"]
    here.close()
    return rows


def method(verb, url="http://127.0.0.1:1"):
    """The verb as the client has it."""
    space, _, name = verb.name.partition(".")
    return getattr(getattr(verbena.Client(url, KEY), space), name)


class Served(BaseHTTPRequestHandler):
    """The verb's handler behind HTTP."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = json.dumps(request(echo.handler.handler, f"POST {self.path}", body)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_):
        pass


def with_the_client():
    with HTTPServer(("127.0.0.1", 0), Served) as server:
        threading.Thread(target=server.handle_request).start()
        rows = method(VERB, f"http://127.0.0.1:{server.server_address[1]}")(**BODY).rows
    return [row.model_dump(mode="json", exclude_unset=True) for row in rows]


ROWS = {
    "direct": direct,
    "rest": lambda: request(echo.handler.handler, f"POST {VERB.path}", BODY)["results"],
    "mcp": lambda: over_mcp(VERB.id, BODY),
    "mcp, local": in_this_process,
    "chat": in_chat,
    "message": as_message,
    "job": as_job,
    "client": with_the_client,
    "command line": on_the_command_line,
}

if __name__ == "__main__":
    runtime.current().keys.put(KEY, ApiKey(KEY_ID, "owner-of-echoes", SCOPES))
    # The doors and a direct caller have one executor, the function's own.
    assert VERB.load is echo.executor.back
    schemas = {door: published() for door, published in SCHEMAS.items()}
    rows = {door: answered() for door, answered in ROWS.items()}
    json.dump({"schemas": schemas, "rows": rows}, sys.stdout)
