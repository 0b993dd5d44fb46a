"""The deployed product on one machine, through its front door."""

import http.server
import json
import threading
import time
from functools import partial

import httpx
import pytest

from local.seed import FUNDS_MICROS, seed
from local.stack import DataInUse, Stack

LOOPBACK = {"VERBENA_ALLOW_NETWORKS": "127.0.0.1/32"}
PAGE = b"<html><title>Verbena</title><body><main><p>A page that a test may read.</p></main></body></html>"


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def wait_until(condition, timeout_s=30):
    """What `condition` answered once it was true."""
    deadline = time.monotonic() + timeout_s
    while not (answer := condition()):
        assert time.monotonic() < deadline, "the condition never came true"
        time.sleep(0.05)
    return answer


def test_a_page_is_read_through_door_function_and_settings(api, site):
    answer = api.post("/v1/web/scrape", json={"urls": [f"{site}/one"]})

    (row,) = answer.json()["results"]
    assert (answer.status_code, row["status"]) == (200, "success")
    assert "A page that a test may read." in row["content"]


def test_a_job_runs_through_queue_and_workers(api, site):
    urls = [f"{site}/{number}" for number in range(30)]

    pending = api.post("/v1/web/scrape", json={"urls": urls})

    assert pending.status_code == 202
    job = wait_until(lambda: completed(api, pending.headers["Location"]))
    assert job["progress"] == {"done": 30, "total": 30}


def completed(api, location):
    job = api.get(location).json()
    return job if job["status"] == "completed" else None


def test_absolute_urls_are_those_the_caller_used(api, site):
    pending = api.post("/v1/web/scrape", json={"urls": [site], "async": True}, headers={"Host": "verbena.test:81"})

    assert pending.headers["Location"].startswith("http://verbena.test:81/v1/jobs/")


def test_a_path_that_is_nothing_is_answered_in_the_envelope(api):
    answer = api.get("/nothing/here%2Fat/all?x=1")

    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_no_key_is_refused(stack):
    answer = httpx.get(f"{stack.base_url}/v1/wallet")

    assert (answer.status_code, answer.headers["WWW-Authenticate"][:6]) == (401, "Bearer")


def test_a_body_over_the_doors_cap_is_refused_by_the_door(api):
    answer = api.post("/v1/web/scrape", content=json.dumps({"urls": ["x" * 3_000_000]}))

    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "request_too_large"


def test_a_body_over_the_gateways_cap_is_refused_before_it(api):
    answer = api.post("/v1/web/scrape", content=b"x" * (10 * 1024 * 1024 + 1))

    assert answer.status_code == 413


@pytest.mark.parametrize("queue", ["WebScrape", "WebDiscover", "Maps"])
def test_every_dead_letter_queue_is_drained(stack, queue):
    sqs = stack.client("sqs")
    url = stack.deployment.physical[f"{queue}Dlq"]

    sqs.send_message(QueueUrl=url, MessageBody="no part of any job")

    assert wait_until(lambda: messages_in(sqs, url) == 0)


def messages_in(sqs, url):
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    counts = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return sum(map(int, counts.values()))


def test_the_sweeper_ticks_without_an_error(stack):
    assert stack.sweep() == {"late_jobs": 0}


def test_expiry_is_switched_on_where_the_template_says_so(stack):
    dynamodb = stack.client("dynamodb")

    states = {
        name: dynamodb.describe_time_to_live(TableName=stack.deployment.outputs[name])["TimeToLiveDescription"]
        for name in ("JobsTable", "ConfigTable", "LedgerTable")
    }

    assert [state["TimeToLiveStatus"] for state in states.values()] == ["ENABLED", "ENABLED", "DISABLED"]


def test_data_survives_a_restart_and_jobs_still_run(tmp_path, site):
    urls = [f"{site}/{number}" for number in range(10)]
    wallets = []
    for first in (True, False):
        with Stack(data=tmp_path, settings=LOOPBACK) as stack:
            if first:
                seed(stack, "vb_kept")
            with httpx.Client(base_url=stack.base_url, headers={"X-API-Key": "vb_kept"}, timeout=40) as caller:
                location = caller.post("/v1/web/scrape", json={"urls": urls}).headers["Location"]
                wait_until(partial(completed, caller, location))
                wallets.append(caller.get("/v1/wallet").json()["available_micros"])

    assert wallets == [FUNDS_MICROS - 10_000, FUNDS_MICROS - 20_000]


def test_a_data_directory_belongs_to_one_stack(tmp_path):
    with Stack(functions=None, data=tmp_path), pytest.raises(DataInUse, match=str(tmp_path)):
        Stack(functions=None, data=tmp_path).start()


def test_stores_come_without_functions(ministack):
    tables = ministack.client("dynamodb").list_tables()["TableNames"]

    assert sorted(tables) == sorted(
        ministack.deployment.outputs[name] for name in ("JobsTable", "LedgerTable", "ConfigTable")
    )
    assert ministack.client("lambda").list_functions()["Functions"] == []
