"""What the tests of the client share: a site of a few pages, and clients of the running stack."""

from collections.abc import Iterator

import pytest

from tests.sites import Played, Site, pages, playing
from verbena import Client


@pytest.fixture
def site() -> Iterator[Site]:
    with pages() as here:
        yield here


@pytest.fixture
def played() -> Iterator[Played]:
    with playing() as here:
        yield here


@pytest.fixture(scope="session")
def account(stack, api) -> dict[str, str]:
    return {"base_url": stack.base_url, "api_key": api.headers["Authorization"].removeprefix("Bearer ")}


@pytest.fixture
def client(account) -> Iterator[Client]:
    with Client(**account) as made:
        yield made
