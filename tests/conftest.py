"""What several test files share: one emulator of each kind per session, and no way to a real account."""

from collections.abc import Iterator

import httpx
import pytest

from local.seed import seed
from local.stack import Stack

KEY = "vb_of_the_test_suite"
REPLIES = "arn:aws:sqs:us-east-1:000000000000:replies"


@pytest.fixture(scope="session", autouse=True)
def no_real_account() -> Iterator[None]:
    """A developer's own AWS profile must stay out of reach of every test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("AWS_PROFILE", raising=False)
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        yield


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """The deployed product, reading pages of this machine; `api` is its caller."""
    # The usual providers that need no key must not be asked by a test: nothing listens on port 9.
    settings = {
        "VERBENA_ALLOW_NETWORKS": "127.0.0.1/32",
        "VERBENA_DUCKDUCKGO_BASE_URL": "http://127.0.0.1:9",
        "VERBENA_OSM_BASE_URL": "http://127.0.0.1:9",
        "VERBENA_REPLY_QUEUES": REPLIES,
    }
    with Stack(settings=settings) as running:
        seed(running, KEY)
        yield running


@pytest.fixture(scope="session")
def api(stack: Stack) -> Iterator[httpx.Client]:
    """A caller of `stack` whose key has every scope and a funded wallet."""
    headers = {"Authorization": f"Bearer {KEY}"}
    with httpx.Client(base_url=stack.base_url, headers=headers, timeout=40) as client:
        yield client


@pytest.fixture(scope="session")
def ministack() -> Iterator[Stack]:
    """The template's tables, bucket and queues without any function: for code that runs in the test."""
    with Stack(functions=None) as running:
        yield running
