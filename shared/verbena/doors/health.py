"""Deep readiness: a real piece of work and a round trip of each store, step by step."""

import importlib
import time
from collections.abc import Callable, Coroutine
from typing import Any

from aws_lambda_powertools import Logger
from pydantic import Field

from verbena import runtime
from verbena.doors.http import HttpAnswer, HttpRequest, json_answer
from verbena.doors.operation import Operation
from verbena.envelope import Model
from verbena.errors import InternalError, NotReady
from verbena.runtime import Runtime
from verbena.views import NoQuery

# Named and not imported: doors know no function, and this one runs where its verb does.
PROBE = "web_scrape.probe:read_a_page"
KEPT_S = 86_400

logger = Logger(service="verbena")


class Step(Model):
    """One thing that was tried."""

    name: str
    ok: bool
    ms: float


class Readiness(Model):
    """Every step went well."""

    status: str
    steps: list[Step] = Field(description="In the order they were taken.")


def _deep(request: HttpRequest, here: Runtime, _key: Any, _query: NoQuery) -> HttpAnswer:
    probe_id = f"health#{request.request_id}"
    steps = [
        _step("read a page", _read_a_page),
        _step("write to a table on a condition and read it back", lambda: _table(here, probe_id)),
        _step("write to a bucket and read it back", lambda: _bucket(here, probe_id)),
    ]
    if not all(step.ok for step in steps):
        raise NotReady(steps=[step.model_dump() for step in steps])
    return json_answer(Readiness(status="ok", steps=steps).model_dump())


def _step(name: str, check: Callable[[], None]) -> Step:
    """Whatever goes wrong is what was looked for: it is logged, and the caller learns which step it was."""
    started = time.perf_counter()
    try:
        check()
    except Exception:
        logger.exception("not ready", step=name)
        ok = False
    else:
        ok = True
    return Step(name=name, ok=ok, ms=round((time.perf_counter() - started) * 1000, 1))


def _read_a_page() -> None:
    module, _, name = PROBE.partition(":")
    probe: Callable[[], Coroutine[Any, Any, None]] = getattr(importlib.import_module(module), name)
    runtime.run(probe())


def _table(here: Runtime, probe_id: str) -> None:
    """Everything rests on conditions: the same write again must be refused, and answered with what stands."""
    table = here.jobs.table
    item = {"pk": probe_id, "sk": "health", "ttl": int(time.time()) + KEPT_S}
    write = table.put("health", item, "attribute_not_exists(pk)")
    if table.apply(write) is not None or table.apply(write) != item or table.get(probe_id, "health") != item:
        raise InternalError("a conditional write did not do what it should")


def _bucket(here: Runtime, probe_id: str) -> None:
    objects, key, body = here.calls.backend.objects, f"health/{probe_id}", probe_id.encode()
    objects.put(key, body)
    if objects.get(key) != body:
        raise InternalError("an object is not what was written")


DEEP = Operation("GET /health/deep", "Read a page, write and read every store, and report each step.", Readiness, _deep)
