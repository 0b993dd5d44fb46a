"""What `make run` shows of the functions' logs."""

import json
import queue
import re
from functools import partial

from local.logs import following, readable


def record(**fields):
    fixed = {
        "level": "INFO",
        "location": "handler:1",
        "timestamp": "2026-12-01 12:50:03,510+0000",
        "service": "verbena",
    }
    return json.dumps(fixed | fields)


def test_a_record_is_one_line_with_its_own_fields():
    line = readable(record(message="request", method="GET", path="/health", status=200))

    assert line == "12:50:03 INFO request method=GET path=/health status=200"


def test_a_failure_shows_its_traceback():
    line = readable(record(level="ERROR", message="request failed", exception="Traceback:\n  boom", exception_name="E"))

    assert line == "12:50:03 ERROR request failed\nTraceback:\n  boom"


def test_what_only_a_machine_wants_is_left_out():
    assert readable("START RequestId: 1 Version: $LATEST") == ""
    assert readable("REPORT RequestId: 1\tDuration: 3 ms") == ""
    assert readable(json.dumps({"_aws": {}, "PartsFailed": [0.0]})) == ""


def test_a_line_that_is_no_record_is_shown_as_it_is():
    assert readable("something printed") == "something printed"
    assert readable("5") == ""


def test_each_invocation_is_shown_once(stack, api):
    shown = queue.SimpleQueue()
    asked = [f"/nothing/{number}" for number in range(3)]

    with following(stack.client("logs"), stack.deployment.physical["FunctionLogs"], shown.put, every_s=0.01):
        for path in [*asked, "/the/last"]:
            api.get(path)
        lines = list(iter(partial(path_shown, shown), "/the/last"))

    assert [line for line in lines if line] == asked


def test_a_request_can_be_followed_to_the_parts_of_its_job(stack, api):
    shown, lines = queue.SimpleQueue(), []
    with following(stack.client("logs"), stack.deployment.physical["FunctionLogs"], shown.put, every_s=0.01):
        answer = api.post("/v1/web/scrape", json={"urls": ["https://nowhere.invalid"], "async": True})
        job = f"job_id={answer.json()['job_id']}"
        wanted = [f" request request_id={answer.headers['X-Request-Id']} ", f" part {job} part_id=0000 "]
        while not all(any(want in line for line in lines) for want in wanted):
            lines.append(shown.get(timeout=20))

    assert [job in line for line in lines if wanted[0] in line] == [True]


def path_shown(shown):
    """The path of the next line, None if it is about none: other tests' jobs may still log."""
    match = re.search(r"path=(\S+)", shown.get(timeout=20))
    return match and match[1]
