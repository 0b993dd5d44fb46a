"""Whom the contract tests call: the deployment that VERBENA_URL and VERBENA_KEY name, else the local stack."""

import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from verbena.aws.keys import ApiKey, Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.table import Table

URL, KEY, PAGE = (os.environ.get(name) for name in ("VERBENA_URL", "VERBENA_KEY", "VERBENA_TEST_PAGE"))
IS_DEPLOYED = bool(URL and KEY)
LOCAL_KEY = "vb_of_the_contract_tests"
HTML = "<html><title>Harbour</title><main><h1>Harbour</h1><p>The ferry leaves at nine.</p></main></html>"


@pytest.fixture(scope="session")
def client(request):
    """A caller with a key that has the scopes web and jobs, and with funds that nobody else spends meanwhile."""
    url, key = (URL, KEY) if IS_DEPLOYED else local_customer(request.getfixturevalue("stack"))
    with httpx.Client(base_url=url.rstrip("/"), headers={"Authorization": f"Bearer {key}"}, timeout=40) as caller:
        yield caller


def local_customer(stack):
    """Where the stack is, and the key of an owner whose wallet no other test of the session moves."""
    dynamodb, outputs = stack.client("dynamodb"), stack.deployment.outputs
    Keys(Table(dynamodb, outputs["ConfigTable"])).put(LOCAL_KEY, ApiKey("product", "product", ("web", "jobs")))
    LedgerTable(Table(dynamodb, outputs["LedgerTable"])).top_up("product", 1_000_000)
    return stack.base_url, LOCAL_KEY


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    """The address of a page that the target can read, and that takes any query."""
    if PAGE or IS_DEPLOYED:
        yield PAGE or pytest.skip("VERBENA_TEST_PAGE is not set, and a deployment reads no page of this machine")
        return
    folder = tmp_path_factory.mktemp("site")
    (folder / "harbour.html").write_text(HTML)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/harbour.html"
    server.shutdown()
    thread.join()
    server.server_close()
