"""MCP over standard input and output: a message a line, answered as each is done."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, BinaryIO

from pydantic_core import from_json, to_json

from verbena.doors import mcp

AT_ONCE = 8
"""How many messages are worked on at once: a ping must not wait for pages to be read."""

Answer = Callable[[Any], Any]


def serve(lines: BinaryIO, out: BinaryIO, answer: Answer) -> None:
    """Answer every line until there are no more; what was begun is finished."""
    writing = threading.Lock()

    def work(line: bytes) -> None:
        told = _answered(line, answer) if line.strip() else None
        if told is not None:
            with writing:
                out.write(to_json(told) + b"\n")
                out.flush()

    working: list[Future[None]] = []
    with ThreadPoolExecutor(AT_ONCE, "mcp") as workers:
        for line in lines:
            # A result is None, or the error that no answer could be written.
            working = [each for each in working if not each.done() or each.result()]
            working.append(workers.submit(work, line))
    for each in working:
        each.result()


def _answered(line: bytes, answer: Answer) -> Any:
    try:
        message = from_json(line)
    except ValueError as error:
        return mcp.Refused(mcp.PARSE_ERROR, f"this line is not JSON: {error}").answer()
    return answer(message)
