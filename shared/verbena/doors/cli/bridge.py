"""MCP's messages from standard input handed on to a server, and its answers back."""

from typing import Any

import httpx
from pydantic_core import from_json, to_json

from verbena.client.lines import CONNECT_WITHIN_S, caller
from verbena.client.peer import ANSWER_WITHIN_S
from verbena.doors import mcp
from verbena.doors.cli.command import NO_SERVER
from verbena.tools.size import Size


class Bridge:
    """One client's way to a server. What fails on the way is the answer to the message it failed for."""

    def __init__(self, base_url: str, key: str | None, size: Size) -> None:
        sizes = {"max_chars": size.max_chars, "max_chars_per_row": size.max_chars_per_row}
        self._http = httpx.Client(
            **caller(base_url, key),
            params={name: value for name, value in sizes.items() if value is not None},
            timeout=httpx.Timeout(ANSWER_WITHIN_S, connect=CONNECT_WITHIN_S),
        )
        self._http.headers.update({"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
        self._where = base_url
        self._spoken: str | None = None

    def close(self) -> None:
        self._http.close()

    def answer(self, message: Any) -> Any:
        """The server's answer to a message; None where it has none."""
        message_id = message.get("id") if isinstance(message, dict) else None
        try:
            reply = self._http.post("/mcp", content=to_json(message), headers=self._headers(message))
            told = from_json(reply.content) if reply.content else None
        except httpx.HTTPError as error:
            return self._failed(message_id, f"no server answers at {self._where} ({error}). {NO_SERVER}")
        except ValueError:
            return self._failed(message_id, f"what answers at {self._where} is no Verbena. {NO_SERVER}")
        if isinstance(told, dict) and "jsonrpc" not in told:
            return self._failed(message_id, _refusal(told))
        if isinstance(message, dict) and message.get("method") == "initialize" and told:
            self._spoken = told.get("result", {}).get("protocolVersion")
        return told

    def _headers(self, message: Any) -> dict[str, str]:
        """What a request says of itself, for gateways; before 2026-07-28 what was agreed at the beginning."""
        asked = mcp.version_of(message) if mcp.is_request(message) else None
        if asked is None:
            return {"MCP-Protocol-Version": self._spoken} if self._spoken else {}
        name = message["params"].get("name")
        told = {"MCP-Protocol-Version": asked, "Mcp-Method": message["method"], "Mcp-Name": name}
        return {header: value for header, value in told.items() if isinstance(value, str) and value.isascii()}

    def _failed(self, message_id: Any, text: str) -> Any:
        return None if message_id is None else mcp.Refused(mcp.INTERNAL_ERROR, text).answer(message_id)


def _refusal(answer: dict[str, Any]) -> str:
    """What an envelope, or a gateway, says instead of an answer."""
    error = answer.get("error")
    return f"{error['code']}: {error['message']}" if isinstance(error, dict) else str(answer.get("message", answer))
