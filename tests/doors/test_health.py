"""Deep readiness does real work, says what it took, and fails in the envelope."""

import pytest

from tests.doors.conftest import forget

STEPS = ["read a page", "write to a table on a condition and read it back", "write to a bucket and read it back"]


@pytest.fixture
def no_bucket(environment):
    """A deployment whose bucket is gone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERBENA_RESULTS_BUCKET", "not-there")
        forget()
        yield
    forget()


def test_every_step_is_taken_and_timed(caller):
    answer = caller.get("/health/deep")

    assert (answer.status, answer.json["status"]) == (200, "ok")
    assert [step["name"] for step in answer.json["steps"]] == STEPS
    assert all(step["ok"] and step["ms"] > 0 for step in answer.json["steps"])


def test_any_key_may_ask_but_nobody_without_one(new_caller, gateway):
    assert new_caller(scopes=("maps",)).get("/health/deep").status == 200

    refused = gateway.send("GET", "/health/deep")

    assert (refused.status, refused.code) == (401, "unauthorized")


def test_it_costs_nothing(caller):
    before = caller.wallet

    caller.get("/health/deep")

    assert caller.wallet == before


def test_a_failed_step_is_a_503_that_names_it(caller, no_bucket):
    answer = caller.get("/health/deep")

    assert (answer.status, answer.code) == (503, "not_ready")
    steps = answer.json["error"]["details"]["steps"]
    assert [(step["name"], step["ok"]) for step in steps] == list(zip(STEPS, [True, True, False], strict=True))


def test_why_a_step_failed_is_told_to_the_log_and_not_to_the_caller(caller, no_bucket, caplog):
    answer = caller.get("/health/deep")

    assert b"NoSuchBucket" not in answer.body
    assert "NoSuchBucket" in caplog.text


def test_the_public_health_stays_shallow_when_a_store_is_gone(gateway, no_bucket):
    assert gateway.send("GET", "/health").json == {"status": "ok"}
