"""The real handlers over MiniStack's stores, pages on loopback, and callers with keys and funds of their own."""

import io
import logging
import threading
import uuid
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from local import emulator
from tests.converters.pdfs import column, pdf
from tests.doors.gateway import Caller, Context, Gateway
from verbena import net, runtime, settings
from verbena.aws import clients
from verbena.aws.keys import ApiKey
from verbena.doors import rest
from web_scrape.handler import worker

FUNDS = 1_000_000
SCOPES = ("web", "maps", "jobs")


class Site(BaseHTTPRequestHandler):
    """/missing is a 404, /big a text over a row's cap, /notice a PDF; anything else a small page."""

    def do_GET(self):
        if self.path.startswith("/notice"):
            self.answer(200, pdf([column(["Berth 4 is closed."])]))
            return
        text = "A page to read. " * 100_000 if self.path.startswith("/big") else f"A page at {self.path}."
        self.answer(404 if self.path.startswith("/missing") else 200, text.encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Tests read no access log."""


@pytest.fixture(scope="session")
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def forget():
    """Let the process read its settings and make its clients anew."""
    settings.current.cache_clear()
    runtime.current.cache_clear()
    clients._CLIENTS.clear()


@pytest.fixture(scope="module")
def environment(ministack):
    """What the template gives a function, with this machine's pages allowed."""
    outputs = ministack.deployment.outputs
    variables = {
        **emulator.client_environment(ministack.endpoint),
        "VERBENA_JOBS_TABLE": outputs["JobsTable"],
        "VERBENA_LEDGER_TABLE": outputs["LedgerTable"],
        "VERBENA_CONFIG_TABLE": outputs["ConfigTable"],
        "VERBENA_RESULTS_BUCKET": outputs["ResultsBucket"],
        "VERBENA_QUEUE_WEB_SCRAPE": outputs["WebScrapeQueue"],
        "VERBENA_QUEUE_WEB_DISCOVER": outputs["WebDiscoverQueue"],
        "VERBENA_QUEUE_MAPS": outputs["MapsQueue"],
        "VERBENA_REFUSED_MESSAGES": outputs["IntakeDlq"],
        "VERBENA_ALLOW_NETWORKS": "127.0.0.1/32",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        forget()
        yield
        runtime.run(net.close())
    forget()


@pytest.fixture
def changed(environment):
    """Inside `with changed(NAME=value)`, the process has other settings."""

    @contextmanager
    def change(**variables):
        try:
            with pytest.MonkeyPatch.context() as patch:
                for name, value in variables.items():
                    patch.setenv(name, value)
                forget()
                yield
        finally:
            forget()

    return change


@pytest.fixture(scope="module")
def gateway(environment):
    return Gateway()


@pytest.fixture
def new_caller(gateway):
    """Makes callers; each is another owner unless told."""

    def make(funds=FUNDS, scopes=SCOPES, rate_limit=None, owner=None):
        here = runtime.current()
        owner, secret = owner or f"owner-{uuid.uuid4().hex[:12]}", f"vb_canary_{uuid.uuid4().hex}"
        here.keys.put(secret, ApiKey(f"key_{secret[-12:]}", owner, scopes, rate_limit))
        here.ledger.top_up(owner, funds)
        return Caller(gateway, secret, owner)

    return make


@pytest.fixture
def caller(new_caller):
    return new_caller()


@pytest.fixture
def work(gateway, ministack):
    """Gives messages of the scrape queue to the worker's handler, all there are or so many."""
    sqs, url = ministack.client("sqs"), ministack.deployment.outputs["WebScrapeQueue"]

    def run(most=1000):
        for _ in range(most):
            messages = sqs.receive_message(QueueUrl=url).get("Messages")
            if not messages:
                return
            record = {"messageId": "m", "receiptHandle": messages[0]["ReceiptHandle"], "body": messages[0]["Body"]}
            assert worker({"Records": [record]}, Context()) == {"batchItemFailures": []}
            sqs.delete_message(QueueUrl=url, ReceiptHandle=record["receiptHandle"])

    sqs.purge_queue(QueueUrl=url)
    return run


@pytest.fixture
def logged(gateway):
    """What the doors write to their log, as one text."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(rest.logger.registered_formatter)
    log = logging.getLogger(rest.logger.name)
    log.addHandler(handler)
    yield text.getvalue
    log.removeHandler(handler)
