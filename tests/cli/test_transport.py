"""The way to a server: what is tried again, what is not, and strangers that answer in its place."""

import pytest

from tests.sites import DROP, playing
from verbena.envelope import ErrorInfo
from verbena.errors import TooManyRequests

from .conftest import caller

WALLET = (200, {"available_micros": 1_500_000, "held_micros": 0})


@pytest.fixture
def played():
    with playing() as here:
        yield here


def refusal(code="too_many_requests", message="no", **details):
    return {
        "status": "completed",
        "error": {"code": code, "message": message, "retryable": False, "details": details},
    }


def busy(seconds):
    error = ErrorInfo.of(TooManyRequests(retry_after_s=seconds))
    return 429, {"status": "completed", "error": error.model_dump()}


def test_a_read_that_is_slowed_down_is_repeated_when_the_server_says(played):
    played.answers = [busy(0.01), busy(0.02), WALLET]

    result = caller({})("wallet", "--url", played.url, "--key", "k", "-o", "text")

    assert result.stdout.splitlines()[0].split() == ["available", "$1.50"]
    assert [headers["Authorization"] for _, headers in played.requests] == ["Bearer k"] * 3


def test_a_read_over_a_lost_connection_is_repeated_once_the_server_has_answered(played):
    view = {"status": "pending", "job_id": "j", "progress": {"done": 1, "total": 2}}
    played.answers = [(200, view), DROP, (200, view | {"status": "completed"})]

    result = caller({})("jobs", "wait", "j", "--url", played.url)

    assert result.exit_code == 0
    assert len(played.requests) == 3


def test_a_call_whose_answer_is_lost_is_sent_again_as_the_same_call(played):
    row = {"url": "https://example.com", "index": 0, "status": "success"}
    played.answers = [DROP, (200, {"status": "completed", "results": [row]})]

    result = caller({})("call", "web.scrape", "https://example.com", "--url", played.url)

    assert result.exit_code == 0
    first, again = played.bodies
    assert first == again
    assert first["idempotency_key"]


def test_a_read_that_a_repeat_cannot_help_is_not_repeated(played):
    played.answers = [(403, refusal("forbidden", scope="jobs"))]

    result = caller({})("jobs", "list", "--url", played.url)

    assert result.exit_code == 1
    assert "scope: jobs" in result.stderr
    assert "request id: request-7" in result.stderr


def test_an_error_that_only_a_newer_server_knows_is_shown_as_it_came(played):
    played.answers = [(418, refusal("of_tomorrow", "Ask again in spring."))]

    result = caller({})("wallet", "--url", played.url)

    assert "of_tomorrow: Ask again in spring." in result.stderr
    assert "fix:" not in result.stderr


@pytest.mark.parametrize(
    "answer",
    [(200, "<h1>It works!</h1>"), (404, "<h1>Not here</h1>"), (404, {"error": "no"}), (404, {"message": "no"})],
)
def test_another_program_on_the_port_is_recognized(played, answer):
    played.answers = [answer]

    result = caller({})("wallet", "--url", played.url)

    assert result.exit_code == 1
    assert f"what answers at {played.url} is no Verbena (HTTP {answer[0]}" in result.stderr
    assert "--url" in result.stderr


def test_no_server_at_all_is_told_how_to_start_one():
    result = caller({"VERBENA_URL": "http://127.0.0.1:1"})("wallet")

    assert result.exit_code == 1
    assert "no server answers at http://127.0.0.1:1" in result.stderr
    assert "make run" in result.stderr


@pytest.mark.parametrize(
    ("option", "value"), [("--url", "localhost:3000"), ("--url", "ftp://x"), ("--key", "kéy"), ("--key", "a\nb")]
)
def test_a_url_or_key_that_cannot_be_one_is_a_usage_error(option, value):
    assert caller({})("wallet", option, value).exit_code == 2


def test_a_call_that_failed_midway_shows_the_rows_it_has(played):
    row = {"url": "https://example.com", "index": 0, "status": "success", "content": "Text of it"}
    played.answers = [(409, refusal("cancelled") | {"results": [row]})]

    result = caller({})("call", "web.scrape", "https://example.com", "--url", played.url, "-o", "text")

    assert result.exit_code == 1
    assert "Text of it" in result.stdout
    assert "cancelled" in result.stderr
