"""Wrong input is refused by name, with the fix, before anything else happens."""

import pytest


def problems(answer):
    assert answer.error.code == "invalid_input"
    return {problem["field"]: problem for problem in answer.error.details["fields"]}


def test_an_unknown_field_is_refused_with_the_nearest_right_name(world):
    found = problems(world.call(item=["ok/1"], items=["ok/1"]))

    assert found == {"item": {"field": "item", "problem": "no such field", "fix": "did you mean 'items'?"}}


def test_the_nearest_name_may_be_an_option(world):
    assert problems(world.call(items=["ok/1"], idempotencykey="k"))["idempotencykey"]["fix"] == (
        "did you mean 'idempotency_key'?"
    )


def test_a_field_like_no_other_is_refused_with_all_names(world):
    fix = problems(world.call(items=["ok/1"], zzz=1))["zzz"]["fix"]

    assert fix.startswith("remove it; the fields are items, look, size, async, dry_run")


def test_every_wrong_field_is_named_at_once_options_too(world):
    answer = world.call(items=[], look="odd", dry_run="perhaps", max_charge_micros=-1)

    found = problems(answer)
    assert list(found) == ["items", "look", "dry_run", "max_charge_micros"]
    assert found["items"]["fix"] == "send at least one"
    assert all(name in answer.error.message for name in found)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "items"),
        ({"items": "ok/1"}, "items"),
        ({"items": [1]}, "items.0"),
        ({"items": ["ok/1"] * 10_001}, "items"),
        ({"items": ["ok/1"], "async_": True}, "async_"),
        ({"items": ["ok/1"], "idempotency_key": ""}, "idempotency_key"),
        ({"items": ["ok/1"], "idempotency_key": "k" * 257}, "idempotency_key"),
    ],
)
def test_each_wrong_shape_names_its_field_and_costs_nothing(world, body, field):
    """A36, A43"""
    answer = world.call(**body)

    assert list(problems(answer)) == [field]
    assert (world.stage.ran, world.charged()) == ([], 0)


def test_what_was_sent_in_a_wrong_field_is_not_repeated(world):
    answer = world.call(items=["ok/1"], look="my password")

    assert "my password" not in answer.model_dump_json()
