"""API keys: never stored, found at once, forgotten within the stated delay."""

import hashlib
import sys

import pytest

from verbena.aws.keys import ApiKey, Keys
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


def revoke(keys, secret):
    digest = hashlib.sha256(secret.encode()).hexdigest()
    keys.table.client.delete_item(TableName=keys.table.name, Key={"pk": {"S": f"key#{digest}"}, "sk": {"S": "key"}})


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
    keys.put(new_id, KEY)
    keys.find(new_id)
    revoke(keys, new_id)

    clock.now += KEY_CACHE_S
    assert keys.find(new_id) == KEY
    clock.now += 0.001
    assert keys.find(new_id) is None


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
