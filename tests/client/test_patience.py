"""What is sent again, what is not, and that a lost answer is never paid twice."""

import asyncio
import json
import socket
from http.server import ThreadingHTTPServer

import httpx
import pytest

from tests.sites import DROP, Quiet, serving
from verbena import AsyncClient, Client
from verbena.client import Overdue, Unreachable
from verbena.envelope import ErrorInfo
from verbena.errors import InProgress, InternalError, RobotsDenied, TooManyRequests, Unavailable

WALLET = (200, {"available_micros": 1_500_000, "held_micros": 0})
URLS = ["https://e.invalid/1"]
ROW = {"url": URLS[0], "index": 0, "status": "success", "content": "Text of it"}
ANSWER = (200, {"status": "completed", "results": [ROW]})


def failing(error, **headers):
    return error.status, {"status": "completed", "error": ErrorInfo.of(error).model_dump()}, headers


@pytest.fixture
def client(played):
    with Client(played.url, "k") as made:
        yield made


@pytest.fixture
def losing(stack):
    """A way to the stack on which the first answer is lost, although the call was served."""
    lost = []

    class Proxy(Quiet):
        def do_POST(self):  # noqa: N802 - http.server's name
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name: self.headers[name] for name in ("Authorization", "Content-Type")}
            reply = httpx.post(f"{stack.base_url}{self.path}", content=body, headers=headers, timeout=40)
            self.close_connection = True
            if not lost:
                lost.append(reply.json())
                return
            self.send_response(reply.status_code)
            self.send_header("Content-Length", str(len(reply.content)))
            self.end_headers()
            self.wfile.write(reply.content)

    with serving(ThreadingHTTPServer, Proxy) as url:
        yield url, lost


def test_a_call_whose_answer_was_lost_is_answered_and_paid_once(losing, account, api, site):
    url, lost = losing
    before = api.get("/v1/wallet").json()["available_micros"]

    with Client(url, account["api_key"]) as client:
        rows = client.web.scrape(site.pages(2)).rows

    assert [row.url for row in rows] == [row["url"] for row in lost[0]["results"]]
    assert before - api.get("/v1/wallet").json()["available_micros"] == 2_000
    assert len(site.seen) == len(site.pages(2)) + 1  # and robots.txt


def test_a_call_is_sent_again_with_the_key_it_had(client, played):
    played.answers = [DROP, failing(InProgress(retry_after_s=0.01)), ANSWER]

    (row,) = client.web.scrape(URLS).rows

    assert row.content == "Text of it"
    assert played.bodies[0] == played.bodies[1] == played.bodies[2]
    assert len(played.bodies[0]["idempotency_key"]) == 32


def test_the_key_of_the_caller_is_kept(client, played):
    played.answers = [ANSWER]

    client.web.scrape(URLS, idempotency_key="mine")

    assert played.bodies == [{"urls": URLS, "idempotency_key": "mine"}]


def test_two_calls_never_share_a_key(client, played):
    played.answers = [ANSWER, ANSWER]

    client.web.scrape(URLS)
    client.web.scrape(URLS)

    assert len({body["idempotency_key"] for body in played.bodies}) == 2


@pytest.mark.parametrize(
    "answer",
    [
        failing(TooManyRequests(retry_after_s=0.01)),
        (429, "<h1>Slow down</h1>", {"Retry-After": "0"}),
        failing(Unavailable(), **{"Retry-After": "0"}),
        (502, "<h1>Bad Gateway</h1>", {"Retry-After": "0"}),
        (503, {"message": "Service Unavailable"}, {"Retry-After": "0"}),
        (504, "<h1>Gateway Timeout</h1>", {"Retry-After": "0"}),
        DROP,
    ],
)
def test_what_passes_is_tried_again(client, played, answer):
    played.answers = [answer, WALLET]

    assert client.wallet().available_micros == 1_500_000
    assert len(played.requests) == 2


def test_a_wait_that_is_too_long_is_the_callers_to_decide(client, played):
    played.answers = [failing(TooManyRequests(), **{"Retry-After": "3600"})]

    with pytest.raises(TooManyRequests) as refused:
        client.wallet()

    assert (len(played.requests), refused.value.request_id) == (1, "request-7")


def test_a_server_that_stays_busy_is_not_asked_for_ever(client, played):
    played.answers = [failing(TooManyRequests(retry_after_s=0.01))] * 9

    with pytest.raises(TooManyRequests):
        client.web.scrape(URLS)

    assert len(played.requests) == 5


@pytest.mark.parametrize("error", [RobotsDenied(), InternalError(request_id="r")])
def test_what_does_not_pass_is_not_tried_again(client, played, error):
    played.answers = [failing(error)]

    with pytest.raises(type(error)):
        client.web.scrape(URLS)

    assert len(played.requests) == 1


def test_a_retry_never_passes_the_timeout_of_the_call(client, played):
    played.answers = [failing(TooManyRequests(retry_after_s=30))]

    with pytest.raises(TooManyRequests):
        client.web.scrape(URLS, timeout=5)

    assert len(played.requests) == 1


def test_a_timeout_before_a_job_is_read_names_the_job(client, played):
    played.answers = [(202, {"status": "pending", "job_id": "j"})]
    job = client.web.scrape(URLS, wait=False)

    with pytest.raises(Overdue) as overdue:
        _ = job.results(timeout=0).rows

    assert overdue.value.job_id == "j"
    assert len(played.requests) == 1


def test_a_silent_server_is_waited_for_no_longer_than_the_timeout():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Client(url, "k") as client, pytest.raises(Overdue) as overdue:
            client.web.scrape(URLS, timeout=0.2)

    assert overdue.value.job_id is None


def test_a_call_that_failed_midway_has_its_rows_and_the_error(client, played):
    status, body, _ = failing(RobotsDenied())
    played.answers = [(status, body | {"results": [ROW]})]

    result = client.web.scrape(URLS)

    assert [row.content for row in result] == ["Text of it"]
    assert result.error.code == "robots_denied"


def test_what_only_a_newer_server_says_is_kept(client, played):
    played.answers = [(200, {"status": "completed", "results": [ROW | {"mood": "good"}], "weather": "fine"})]

    (row,) = client.web.scrape(URLS).rows

    assert row.model_extra == {"mood": "good"}


def test_an_error_that_only_a_newer_server_knows_keeps_its_code_in_the_message(client, played):
    error = {"code": "of_tomorrow", "message": "Ask in spring.", "retryable": False, "details": {"message": "odd"}}
    played.answers = [(418, {"status": "completed", "error": error})]

    with pytest.raises(InternalError, match=r"of_tomorrow: Ask in spring\.") as refused:
        client.web.scrape(URLS)

    assert refused.value.details == {"message": "odd"}


def test_another_program_on_the_port_is_recognized(client, played):
    played.answers = [(200, "<h1>It works!</h1>")]

    with pytest.raises(Unreachable, match="no Verbena"):
        client.wallet()


def test_nobody_at_the_address_is_told_as_such():
    with Client("http://127.0.0.1:1") as client, pytest.raises(Unreachable, match=r"no server answers at http"):
        client.wallet()


@pytest.mark.parametrize(("url", "key"), [("localhost:3000", "k"), ("http://127.0.0.1:1", "kéy")])
def test_an_address_or_key_that_cannot_be_one_is_refused_at_once(url, key):
    with pytest.raises(ValueError, match=r"base URL|ASCII") as refused:
        Client(url, key)

    assert "kéy" not in str(refused.value)


def test_address_and_key_come_from_the_environment(played, monkeypatch):
    monkeypatch.setenv("VERBENA_URL", played.url)
    monkeypatch.setenv("VERBENA_KEY", "of the environment")
    played.answers = [WALLET]

    with Client() as client:
        client.wallet()

    assert played.requests[0][1]["Authorization"] == "Bearer of the environment"


def test_an_event_loop_has_the_same_patience(played):
    played.answers = [DROP, failing(TooManyRequests(retry_after_s=0.01)), ANSWER]

    async def use():
        async with AsyncClient(played.url, "k") as client:
            return await client.web.scrape(URLS)

    assert asyncio.run(use()).rows[0].content == "Text of it"
    assert len({json.dumps(body) for body in played.bodies}) == 1
