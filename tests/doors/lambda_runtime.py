"""Lambda's Runtime API on loopback, as far as a runtime asks it: it feeds events one by one and keeps the answers."""

import json
import queue
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER_WITHIN_S = 60
ENDED = object()
# As Lambda sends them; without a content type the runtime's C++ client dies of a segmentation fault.
HEADERS = {
    "Content-Type": "application/json",
    "Lambda-Runtime-Aws-Request-Id": "an-event",
    "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:123456789012:function:verbena",
    "Lambda-Runtime-Trace-Id": "Root=1-67a00000-000000000000000000000001",
}


class RuntimeApi(BaseHTTPRequestHandler):
    """`GET …/invocation/next` waits for an event; what is posted is its answer, or why there is none."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        event = self.server.events.get()
        if event is ENDED:
            self.close_connection = True
            return
        ends = int((time.time() + ANSWER_WITHIN_S) * 1000)
        self.reply(200, event, HEADERS | {"Lambda-Runtime-Deadline-Ms": str(ends)})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.reply(202, {"status": "OK"})
        self.server.answers.put((self.path.rpartition("/")[2], json.loads(body)))

    def reply(self, status, value, headers=()):
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, text in [*dict(headers).items(), ("Content-Length", str(len(body)))]:
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Tests read no access log."""


def answer_of(process, answers):
    """The next answer; fails at once if the process ends without one."""
    ends = time.monotonic() + ANSWER_WITHIN_S
    while process.poll() is None and time.monotonic() < ends:
        with suppress(queue.Empty):
            return answers.get(timeout=0.1)
    return answers.get_nowait() if not answers.empty() else ("nothing", process.poll())


@contextmanager
def runtime_api():
    server = ThreadingHTTPServer(("127.0.0.1", 0), RuntimeApi)
    server.daemon_threads = True
    server.events, server.answers = queue.Queue(), queue.Queue()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.events.put(ENDED)
        server.shutdown()
        thread.join()
        server.server_close()


def invoked(python, handler, events, environment, task):
    """What a handler answers to each event: a process of its own under `awslambdaric`, as Lambda runs it."""
    with runtime_api() as api, (task.parent / f"{task.name}.log").open("w+") as log:
        address = {"AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{api.server_port}", "LAMBDA_TASK_ROOT": str(task)}
        process = subprocess.Popen(
            [python, "-m", "awslambdaric", handler], cwd=task, env=environment | address, stdout=log, stderr=log
        )
        try:
            for event in events:
                api.events.put(event)
                kind, answer = answer_of(process, api.answers)
                assert kind == "response", answer
                yield answer
        finally:
            process.kill()
            process.wait()
