"""One call of a verb that came through a door: run, counted, and findable in the log."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from aws_lambda_powertools import Logger

from verbena import runtime, settings
from verbena.aws import metrics
from verbena.aws.keys import ApiKey
from verbena.capability import Capability
from verbena.closing import close
from verbena.doors.access import caller_of
from verbena.doors.http import HttpRequest
from verbena.envelope import Answered
from verbena.request import Caller
from verbena.runtime import Runtime

MOST_AT_ONCE: Final = 20
"""How many items a protocol without jobs may ask for in one request: those of Tavily's extract."""

PAGE_AT_ONCE_S: Final = 18.0
"""What a page may take there: less than the budget of the request, so that it fails by its own row and not by ours."""

logger = Logger(service="verbena")


def run(here: Runtime, capability: Capability, body: Mapping[str, Any], caller: Caller) -> Answered:
    """The call's envelope; as a job where it must be one."""
    started = time.perf_counter()
    answered = runtime.run(here.calls.run(capability, body, caller))
    metrics.called(capability.name, answered, (time.perf_counter() - started) * 1000)
    if answered.job_id:
        logger.append_keys(job_id=answered.job_id)
    return answered


def run_at_once(
    capability: Capability, body: Mapping[str, Any], key: ApiKey, request: HttpRequest, here: Runtime
) -> Answered:
    """The call's envelope for a caller who knows no jobs: always completed.

    What is not done within the request is cancelled: its rows are `not_attempted`, and nobody pays for them.
    """
    limits = {**here.calls.inline_limits, capability.id: MOST_AT_ONCE}
    patient = replace(here, calls=replace(here.calls, inline_limits=limits))
    answered = run(patient, capability, body, caller_of(key, request))
    if answered.status == "completed" or answered.job_id is None:
        return answered
    return runtime.run(_cancelled(answered.job_id, key.owner, request.base_url, here))


def more_of(answered: Answered) -> list[str]:
    """The warning of an answer that holds not all of its rows."""
    return [f"the answer was full; the other rows are at {answered.next}"] if answered.next else []


async def _cancelled(job_id: str, owner: str, base_url: str, here: Runtime) -> Answered:
    await close(here.calls.backend, job_id, "cancelled", here.calls.retention_s)
    reading = here.calls.reading
    return await reading.page(await reading.job(owner, job_id), 0, settings.PAGE_LIMIT, base_url)
