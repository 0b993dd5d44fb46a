"""API keys: never stored, found at once, forgotten within the stated delay."""

import sys
from dataclasses import replace

import pytest

from verbena.aws.keys import ApiKey, Keys
from verbena.aws.slots import Slots
from verbena.rates import Rate
from verbena.settings import KEY_CACHE_S

KEY = ApiKey("id", "owner", ("web", "jobs"))


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def keys(tables, clock):
    return Keys(tables["ConfigTable"], clock)


@pytest.mark.parametrize("key", [KEY, ApiKey("id", "owner", (), "60/m")])
def test_a_key_is_found_by_its_secret(keys, new_id, key):
    keys.put(new_id, key)

    assert keys.find(new_id) == key


@pytest.mark.parametrize("secret", ["", "nobody's", "ключ", "x" * 9_000])
def test_an_unknown_secret_finds_nothing(keys, secret):
    assert keys.find(secret) is None


def test_the_secret_itself_is_nowhere_in_the_table(keys, new_id):
    keys.put(new_id, KEY)

    items = keys.table.client.scan(TableName=keys.table.name)["Items"]
    assert any(item.get("owner") == {"S": "owner"} for item in items)
    assert new_id not in str(items)


def test_a_revoked_key_is_refused_after_the_stated_delay(keys, clock, new_id):
    key = replace(KEY, key_id=new_id)
    keys.put(new_id, key)
    keys.find(new_id)

    assert keys.revoke(new_id) == key
    clock.now += KEY_CACHE_S
    assert keys.find(new_id) == key
    clock.now += 0.001
    assert keys.find(new_id) is None


def test_what_is_no_key_is_not_revoked(keys, new_id):
    keys.put(new_id, replace(KEY, key_id=new_id))

    assert keys.revoke("nobody's") is None
    assert keys.find(new_id) is not None


def test_keys_are_all_listed_oldest_first_and_nothing_else(keys, new_id, tables):
    Slots(tables["ConfigTable"]).take(f"key#{new_id}", Rate(1, 60), 1000.0)
    made = [ApiKey(f"{new_id}/{n}", new_id, ("jobs",), created_at=f"2026-12-0{n}") for n in (3, 1, 2)]
    for key in made:
        keys.put(key.key_id, key)

    listed = [key for key in keys.every() if key.owner == new_id]

    assert listed == [made[1], made[2], made[0]]


def test_a_key_made_a_moment_after_it_was_tried_opens_at_once(keys, new_id):
    assert keys.find(new_id) is None

    keys.put(new_id, KEY)

    assert keys.find(new_id) == KEY


def test_guesses_do_not_fill_the_memory(keys, new_id):
    before = sys.getsizeof(keys._seen)

    for number in range(50):
        keys.find(f"{new_id}{number}")

    assert sys.getsizeof(keys._seen) == before
    assert keys._seen == {}
