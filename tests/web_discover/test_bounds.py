"""Whatever vendors do, a search ends in time and tells no secret (C27, C28)."""

import asyncio
import contextlib
import json
import logging
import time

import pytest

from tests.doubles import VENDORS, running
from tests.net.serving import LOOPBACK, serving
from tests.web_discover.searching import LASTING, engine_at, tried, wanted
from verbena import apis, net
from verbena.engine import Engine
from verbena.errors import AllProvidersFailed, ProviderError
from verbena.memory.providers import ProvidersMemory
from verbena.providers import ProviderRow
from verbena.selection import Ask

CANARY = "canary-77/&+=q"


def ask(*, seconds, attempt_s):
    return Ask(
        verb="web.discover",
        drivers=list(LASTING.values()),
        input=wanted(),
        limit=10,
        deadline=time.monotonic() + seconds,
        attempt_s=attempt_s,
    )


async def bounded(*doubles, **bounds):
    async with engine_at(*doubles) as engine:
        return await engine.serve(ask(**bounds))


def test_behind_a_vendor_that_hangs_the_next_one_serves():
    with running("brave") as first, running("tavily") as second:
        first.will("hang")

        served = asyncio.run(bounded(first, second, seconds=30, attempt_s=0.2))

        assert tried(served) == [("brave", "transient"), ("tavily", "ok")]
        assert served.attempts[0].message == "no answer within 0.2 s"


def test_when_all_hang_the_deadline_ends_the_search():
    with contextlib.ExitStack() as stack:
        doubles = [stack.enter_context(running(name)) for name in VENDORS]
        for double in doubles:
            double.will("hang")

        with pytest.raises(AllProvidersFailed) as failed:
            asyncio.run(bounded(*doubles, seconds=0.75, attempt_s=0.5))

        attempts = failed.value.attempts
        assert {attempt.kind for attempt in attempts} == {"transient"}
        # The second has what the first left, and for the others nothing is left.
        assert len(attempts) == 2
        assert attempts[0].message == "no answer within 0.5 s"
        assert attempts[1].message in {f"no answer within {tenths / 10} s" for tenths in range(3)}


async def echoed(name, status):
    """What is told of a vendor that answers with the request it got, secrets and all."""
    secrets = {need: f"{CANARY}-{need}" for need in LASTING[name].needs}
    async with serving(b"") as served, net.Client(LOOPBACK) as client:

        async def send(request, *, is_own):
            echo = json.dumps({"message": f"{request.url} {dict(request.headers)} {request.body}"}).encode()
            head = f"HTTP/1.1 {status} Told\r\nContent-Length: {len(echo)}\r\n\r\n".encode()
            served.scripts[:] = [[head + echo]]
            return await apis.sent(client, request)

        book = ProvidersMemory(lambda: [ProviderRow(name, name)], secrets.get)
        engine = Engine(book, send, {name: served.url("")})
        try:
            await engine.serve(ask(seconds=30, attempt_s=30))
        except ProviderError as error:
            return json.dumps([error.message, *(attempt.message for attempt in error.attempts)])
    return None


@pytest.mark.parametrize("status", [400, 401, 429, 500])
@pytest.mark.parametrize("name", [name for name, driver in LASTING.items() if driver.needs])
def test_a_secret_that_a_vendor_sends_back_is_told_to_nobody(name, status, caplog):
    caplog.set_level(logging.DEBUG)

    told = asyncio.run(echoed(name, status))

    assert f"HTTP {status}" in told
    assert "canary-77" not in told
    assert "canary-77" not in caplog.text
