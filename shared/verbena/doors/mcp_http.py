"""MCP over HTTP: one POST a message, JSON back, no session and no stream."""

from typing import Any

from pydantic import Field
from pydantic_core import to_json

from verbena import runtime
from verbena.aws.keys import ApiKey
from verbena.doors import calling, mcp
from verbena.doors.access import authenticate, caller_of
from verbena.doors.http import HttpAnswer, HttpRequest
from verbena.doors.mcp_tools import Toolbox
from verbena.doors.operation import Operation
from verbena.errors import Forbidden, InvalidJson, MethodNotAllowed
from verbena.runtime import Runtime
from verbena.tools.size import Size
from verbena.tools.tool import WHOLE_CHARS
from verbena.views import NoQuery, Query

OLDEST = "2025-03-26"
"""What a client speaks that names no version: the header came with the next one."""

NAMED = {"tools/call": "name"}
"""Methods whose header Mcp-Name repeats a parameter."""

STATUSES = {mcp.METHOD_NOT_FOUND: 404, mcp.INTERNAL_ERROR: 200}
"""HTTP statuses of errors from 2026-07-28 on; all others are 400. Before, a request that has an id gets 200."""


class SizeQuery(Query):
    """How much the client behind this URL takes."""

    max_chars: int = Field(default=WHOLE_CHARS, ge=4_000, le=1_000_000, description="Longest answer, in characters.")
    max_chars_per_row: int | None = Field(
        default=None, ge=1_000, le=1_000_000, description="Longest row of an answer that cannot be given whole."
    )


def _post(request: HttpRequest, here: Runtime, key: ApiKey, query: SizeQuery) -> HttpAnswer:
    _check_origin(request, here)
    try:
        message = request.json_value()
    except InvalidJson as error:
        return _told(mcp.Refused(mcp.PARSE_ERROR, error.message).answer(), 400)
    try:
        _check_headers(request, message)
    except mcp.Refused as refused:
        return _told(refused.answer(message.get("id") if isinstance(message, dict) else None), 400)
    for _ in message[1:] if isinstance(message, list) else ():
        authenticate(request, here)  # each message of a list counts for the key's rate
    toolbox = Toolbox(
        calls=here.calls,
        caller=caller_of(key, request),
        run=runtime.run,
        call=lambda capability, body, caller: calling.run(here, capability, body, caller),
        size=Size(query.max_chars, query.max_chars_per_row),
    )
    spoken = request.headers.get("mcp-protocol-version", OLDEST)
    answer = mcp.answers(message, toolbox, batches=spoken in mcp.BATCHED)
    return _told(answer, _status(message, answer))


def _check_origin(request: HttpRequest, here: Runtime) -> None:
    """A page in somebody's browser may call only if the operator lists its origin, whatever name it reached us by."""
    origin, allowed = request.headers.get("origin"), here.settings.cors_origins
    if origin and origin not in allowed and "*" not in allowed:
        raise Forbidden("pages of this origin may not call; the stack's parameter CorsOrigins lists those that may")


def _check_headers(request: HttpRequest, message: Any) -> None:
    """What gateways route by must be what the message says."""
    spoken = request.headers.get("mcp-protocol-version")
    if spoken is not None and spoken not in mcp.VERSIONS:
        raise mcp.unsupported(spoken)
    asked = mcp.version_of(message) if mcp.is_request(message) and "id" in message else None
    if asked is None:
        return
    name = NAMED.get(message["method"])
    told = {"mcp-protocol-version": asked, "mcp-method": message["method"]}
    told |= {"mcp-name": message["params"].get(name)} if name else {}
    for header, value in told.items():
        if request.headers.get(header) != value:
            raise mcp.Refused(mcp.HEADER_MISMATCH, f"the header {header} is not what the message says")


def _status(message: Any, answer: Any) -> int:
    if answer is None:
        return 202
    if not isinstance(answer, dict) or "error" not in answer:
        return 200
    if mcp.is_request(message) and mcp.version_of(message) is None:
        return 200
    return STATUSES.get(answer["error"]["code"], 400)


def _told(answer: Any, status: int) -> HttpAnswer:
    return HttpAnswer(status, b"" if answer is None else to_json(answer))


def _no_stream(_request: HttpRequest, _here: Runtime, _key: None, _query: NoQuery) -> HttpAnswer:
    """Clients before 2026-07-28 try to listen, and to end a session; there is neither here."""
    raise MethodNotAllowed("/mcp takes POST alone: there are no streams and no sessions", allowed=["POST"])


OPERATIONS = (
    Operation("POST /mcp", "Speak MCP.", None, _post, "", SizeQuery),
    Operation("GET /mcp", "Nothing to listen to.", None, _no_stream, None),
    Operation("DELETE /mcp", "No session to end.", None, _no_stream, None),
)
