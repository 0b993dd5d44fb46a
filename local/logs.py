"""What the functions log, as lines a person can read while the stack runs."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

EVERY_S = 0.5
# An invocation's lines are filed together once it ended, under the time it ended.
LOOK_BACK_MS = 5_000
# Lambda's own lines around an invocation.
PLATFORM = ("START RequestId:", "END RequestId:", "REPORT RequestId:")
# Fields that say the same on every line of this machine.
DULL = {"level", "location", "message", "timestamp", "service", "invocation", "exception", "exception_name"}


@contextmanager
def following(client: Any, group: str, show: Callable[[str], None], every_s: float = EVERY_S) -> Iterator[None]:
    """Show the lines of a log group in a thread, from now until the block ends."""
    ended = threading.Event()

    def run() -> None:
        since_ms, seen = _now_ms(), set[str]()
        while not ended.wait(every_s):
            asked_ms = _now_ms()
            for line in _new_lines(client, group, since_ms, seen):
                show(line)
            since_ms = max(since_ms, asked_ms - LOOK_BACK_MS)

    thread = threading.Thread(target=run, name="logs", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _now_ms() -> int:
    return int(time.time() * 1000)


def _new_lines(client: Any, group: str, since_ms: int, seen: set[str]) -> list[str]:
    """MiniStack gives every invocation a log stream of its own: one that was seen has no more to say."""
    events = client.filter_log_events(logGroupName=group, startTime=since_ms)["events"]
    fresh = [event for event in events if event["logStreamName"] not in seen]
    seen.update(event["logStreamName"] for event in fresh)
    return [line for event in fresh if (line := readable(event["message"]))]


def readable(message: str) -> str:
    """A log record as one line and its traceback; '' for what only a machine wants."""
    if message.startswith(PLATFORM):
        return ""
    try:
        record = json.loads(message)
    except ValueError:
        return message
    if not isinstance(record, dict) or "message" not in record:
        return ""
    at = str(record.get("timestamp", ""))[11:19]
    fields = [f"{name}={value}" for name, value in record.items() if name not in DULL]
    line = " ".join([at, str(record.get("level", "")), str(record["message"]), *fields])
    return f"{line}\n{record['exception']}" if "exception" in record else line
