"""A model's tool call as a conversation: run where its tools are, waited for, and answered as text."""

import time
import uuid
from collections.abc import Sequence
from typing import Any

from verbena.capability import Capability
from verbena.client.peer import Peer
from verbena.client.typed import modelled
from verbena.client.wire import Ask, Json, Talk, looks
from verbena.envelope import failed
from verbena.errors import InvalidInput
from verbena.tools.calls import ToolCall, read
from verbena.tools.text import text_of
from verbena.tools.tool import JOB_RESULTS
from verbena.views import ToolList

WAIT_S = 60.0
"""How long a job of a tool call is waited for, unless said otherwise: models and their users are impatient."""


def tools(peer: Peer, form: str) -> Talk[list[Json]]:
    """The server's tools, as a vendor's requests take them."""
    return modelled(ToolList, (yield from peer.read("/v1/tools", {"format": form}))).tools


def answered(peer: Peer, catalog: Sequence[Capability], tool_call: Any, max_chars: int, timeout: float) -> Talk[str]:
    """What the model is told. What it got wrong is told too, for it to correct; our own failures are raised."""
    try:
        call = read(tool_call)
    except InvalidInput as error:
        return text_of(failed(error).wire())
    is_verb = call.name in {capability.id for capability in catalog}
    key = {"idempotency_key": uuid.uuid4().hex} if is_verb else {}
    reply = yield from _used(peer, ToolCall(call.name, {**key, **call.arguments}), max_chars)
    job_id = _pending(reply)
    if job_id is None or not is_verb or call.arguments.get("async"):
        return _text(reply)
    yield from _waited(peer, job_id, time.monotonic() + timeout)
    return _text((yield from _used(peer, ToolCall(JOB_RESULTS.name, {"job_id": job_id}), max_chars)))


def _used(peer: Peer, call: ToolCall, max_chars: int) -> Talk[Json]:
    """The MCP door knows the size, the words and the marks of an answer to a model, the same for all."""
    params = {"name": call.name, "arguments": call.arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return peer.json(Ask("POST", "/mcp", {"max_chars": max_chars}, message))


def _waited(peer: Peer, job_id: str, until: float) -> Talk[None]:
    for pause in looks():
        view = yield from peer.job(job_id)
        if view["status"] == "completed" or time.monotonic() + pause > until:
            return
        yield pause


def _pending(reply: Json) -> str | None:
    told = reply.get("result", {}).get("structuredContent", {})
    return told.get("job_id") if told.get("status") == "pending" else None


def _text(reply: Json) -> str:
    if "error" in reply:
        return f"Failed: {reply['error']['message']}"
    return "\n".join(part["text"] for part in reply["result"]["content"])
