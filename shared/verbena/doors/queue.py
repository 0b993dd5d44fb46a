"""The queue doors: parts to work, parts that failed too often, and the sweeper's tick."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aws_lambda_powertools import Logger
from pydantic_core import from_json

from verbena import runtime, settings
from verbena.aws.metrics import parts_failed
from verbena.closing import sweep
from verbena.jobs import Part

Event = Mapping[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]

logger = Logger(service="verbena")


def worker_handler(package: str) -> Handler:
    """The Lambda entry that works the parts on a package's queue."""

    def worker(event: Event, context: Any) -> dict[str, Any]:
        failures = [record for record in event["Records"] if not _worked(record, context)]
        for record in failures:
            runtime.current().queues.retry_soon(package, record["receiptHandle"], settings.RETRY_VISIBILITY_S)
        return _failed(failures)

    return worker


def burial_handler() -> Handler:
    """The Lambda entry of every dead-letter queue: no part is lost without its rows and an alarm."""

    def dead_letters(event: Event, context: Any) -> dict[str, Any]:
        buried = [(record, _buried(record, context)) for record in event["Records"]]
        # One that could not be buried counts too: the platform sees no error of an invocation that says what failed.
        parts_failed(sum(stuck is not False for _, stuck in buried))
        return _failed([record for record, stuck in buried if stuck is None])

    return dead_letters


def sweep_handler() -> Handler:
    """The Lambda entry of the schedule."""

    def tick(_event: Event, _context: Any) -> dict[str, Any]:
        here = runtime.current()
        late = runtime.run(sweep(here.calls.backend, here.calls.retention_s))
        logger.info("swept", late_jobs=late)
        return {"late_jobs": late}

    return tick


def _worked(record: Mapping[str, Any], context: Any) -> bool:
    """Work one message; a failure is logged and left to the queue's redelivery."""
    started = time.perf_counter()
    try:
        part = _part(record)
        is_first = record.get("attributes", {}).get("ApproximateReceiveCount") == "1"
        runtime.run(runtime.current().calls.parts.work(part, is_first=is_first))
    except Exception:
        logger.exception("part failed", message_id=record["messageId"])
        return False
    took = round((time.perf_counter() - started) * 1000, 1)
    invocation = getattr(context, "aws_request_id", None)
    logger.info("part", job_id=part.job_id, part_id=part.part_id, ms=took, invocation=invocation)
    return True


def _buried(record: Mapping[str, Any], context: Any) -> bool | None:
    """Whether a part was really stuck; None if that could not be found out, so that it is delivered again."""
    try:
        part = _part(record)
    except (KeyError, TypeError, ValueError):
        logger.exception("dead letter is no part and is dropped", message_id=record["messageId"])
        return True
    try:
        stuck = runtime.run(runtime.current().calls.parts.bury(part))
    except Exception:
        logger.exception("dead letter could not be buried", message_id=record["messageId"])
        return None
    invocation = getattr(context, "aws_request_id", None)
    logger.warning("part failed", job_id=part.job_id, part_id=part.part_id, stuck=stuck, invocation=invocation)
    return stuck


def _failed(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in records]}


def _part(record: Mapping[str, Any]) -> Part:
    return Part.of(from_json(record["body"]))
