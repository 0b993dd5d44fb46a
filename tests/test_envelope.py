"""The envelope: what is absent is left out, what is unknown is null, an error is the same on both sides of a wire."""

import pytest

from verbena.envelope import Answered, Attempt, ErrorInfo, Meta, Progress, Usage, failed
from verbena.errors import InsufficientBalance, InternalError, by_code, every_error


def test_absent_parts_are_left_out_and_unknown_ones_are_null():
    """A19, B14"""
    answer = Answered(status="pending", job_id="j", progress=Progress(done=0, total=None), usage=Usage(), meta=Meta())

    assert answer.wire() == {
        "status": "pending",
        "job_id": "j",
        "progress": {"done": 0, "total": None},
        "usage": {"units": {}, "charge_micros": 0, "vendor_cost_micros": None, "unknown_costs": 0},
        "meta": {},
    }


def test_a_row_keeps_its_nulls_and_an_empty_list_of_rows_is_there():
    assert Answered(status="completed", results=[]).wire() == {"status": "completed", "results": []}
    assert Answered(status="completed", results=[{"a": None}]).wire()["results"] == [{"a": None}]


def test_an_answer_comes_back_from_its_wire_form():
    tried = Attempt(provider="p", driver="d", ok=False, kind="quota", ms=3)
    answer = Answered(status="completed", results=[{"a": 1}], usage=Usage(), attempts=[tried], next="http://x/y")

    assert Answered(**answer.wire()) == answer


def test_a_failed_call_is_completed_with_its_error():
    answer = failed(InsufficientBalance(balance_micros=1, required_micros=2))

    assert answer.wire() == {
        "status": "completed",
        "error": {
            "code": "insufficient_balance",
            "message": InsufficientBalance.fix,
            "retryable": False,
            "details": {"balance_micros": 1, "required_micros": 2},
        },
    }


@pytest.mark.parametrize("error", tuple(every_error()), ids=lambda error: error.code)
def test_an_error_is_raised_again_on_the_other_side(error):
    again = ErrorInfo.of(error("it broke", where="here")).raised()

    assert type(again) is error
    assert (again.message, again.details) == ("it broke", {"where": "here"})


def test_a_code_nobody_knows_is_an_internal_error():
    assert by_code("from_the_future") is InternalError
