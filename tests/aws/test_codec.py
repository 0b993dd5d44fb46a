"""Values on their way into DynamoDB and back."""

import pytest

from verbena import settings
from verbena.aws.codec import decoded, due_shard, encoded

VALUES = {
    "text": "naïve \U0001f600 \x00",
    "empty": "",
    "number": -7,
    "big": 10**37,
    "flag": False,
    "list": [1, ["two", {"three": 3}], []],
    "map": {"deep": {"list": [0]}, "null": None},
}


def test_values_come_back_as_they_were():
    assert decoded(encoded(VALUES)) == VALUES


def test_numbers_come_back_as_whole_numbers_at_any_depth():
    back = decoded(encoded({"n": 1, "list": [2], "map": {"n": 3, "list": [{"n": 4}]}}))

    numbers = [back["n"], back["list"][0], back["map"]["n"], back["map"]["list"][0]["n"]]
    assert [type(number) for number in numbers] == [int] * 4


def test_a_field_that_is_none_is_left_out():
    assert encoded({"a": None, "b": 0, "c": ""}).keys() == {"b", "c"}


def test_a_tuple_is_a_list():
    assert decoded(encoded({"scopes": ("web", "jobs")})) == {"scopes": ["web", "jobs"]}


def test_a_fraction_is_refused():
    with pytest.raises(TypeError, match="float is nothing an item may hold"):
        encoded({"rating": 4.6})


def test_due_shards_are_all_used_and_none_is_hot():
    shards = [due_shard(f"{n:032x}") for n in range(4_000)]

    counts = [shards.count(f"due#{n}") for n in range(settings.DUE_SHARDS)]
    assert sum(counts) == 4_000
    assert min(counts) > 150
