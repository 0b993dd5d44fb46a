"""A fresh installation for each test."""

import pytest

from tests.calls.world import World


@pytest.fixture
def world():
    return World()
