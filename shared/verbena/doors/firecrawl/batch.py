"""Many pages, as a job: /v2/batch/scrape starts it, tells its documents and its errors, and ends it early."""

import re
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from pydantic import Field
from pydantic_core import from_json, to_json

from verbena import runtime, settings
from verbena.aws.keys import ApiKey
from verbena.catalog import WEB_SCRAPE
from verbena.closing import close
from verbena.doors.access import authenticate, caller_of, require
from verbena.doors.calling import run
from verbena.doors.firecrawl.documents import code_of, document
from verbena.doors.firecrawl.options import BATCH, MOST_URLS, BatchRequest, clamped, shown_by
from verbena.doors.firecrawl.scrape import with_scheme
from verbena.doors.foreign import Terms, keyed, taken
from verbena.doors.http import HttpAnswer, HttpRequest, json_answer
from verbena.envelope import Answered, JsonRow, Model
from verbena.errors import (
    Cancelled,
    InternalError,
    InvalidInput,
    InvalidUrl,
    NotFound,
    RobotsDenied,
    VerbenaError,
)
from verbena.jobs import Job
from verbena.ports import iso
from verbena.runtime import Runtime
from verbena.urls import masked, normalise

PATH: Final = "/v2/batch/scrape"
JOBS: Final = "jobs"
PAGE_DOCUMENTS: Final = 100


class PageQuery(Model):
    """Which documents of a batch: those of `limit` URLs, from the URL at `skip` on."""

    skip: int = Field(default=0, ge=0, le=MOST_URLS)
    limit: int = Field(default=PAGE_DOCUMENTS, ge=1, le=settings.PAGE_LIMIT)


PAGES: Final = Terms(PageQuery)


def start(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """A job of web.scrape under a UUID."""
    key = authenticate(request, here)
    require(key, WEB_SCRAPE.namespace)
    wanted, warnings = taken(BATCH, request.json_object())
    urls, invalid = _sorted_out(wanted)
    body = {"urls": urls, "async": True, **wanted.scrape_options(settings.READ_TIMEOUT_MAX_S)}
    answered = run(here, WEB_SCRAPE, keyed(body, request), caller_of(key, request))
    if answered.job_id is None:
        raise _error_of(answered)
    told = [*warnings, *clamped(wanted, settings.READ_TIMEOUT_MAX_S)]
    if told:
        here.calls.backend.objects.put(_told_key(answered.job_id), to_json(told))
    started = {"success": True, "id": _uuid(answered.job_id), "url": _url(request, answered.job_id)}
    return json_answer({**started, "invalidURLs": invalid, **_warning(told)})


def _sorted_out(wanted: BatchRequest) -> tuple[list[str], list[str]]:
    """The URLs that can be read, and those that are none; raises InvalidInput where these stop the batch."""
    urls: list[str] = []
    invalid: list[str] = []
    for url in map(with_scheme, wanted.urls):
        try:
            normalise(url)
        except InvalidUrl:
            invalid.append(masked(url))
        else:
            urls.append(url)
    if invalid and not (urls and wanted.ignore_invalid_urls):
        raise InvalidInput(
            f"{len(invalid)} of the urls cannot be read, such as {invalid[0][:200]}", invalidURLs=invalid
        )
    return urls, invalid


def status(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """How far a batch is, and a page of the documents it has so far."""
    key = authenticate(request, here)
    job = _owned(request, here, key)
    query, _ = taken(PAGES, request.query)
    return json_answer(runtime.run(_status(request, here, job, query)))


async def _status(request: HttpRequest, here: Runtime, job: Job, query: PageQuery) -> dict[str, Any]:
    backend = here.calls.backend
    page = await here.calls.reading.page(job, query.skip, query.limit, request.base_url)
    rows = page.results or []
    source = await here.calls.parts.source(job.job_id)
    stored = await backend.io(backend.objects.get, _told_key(job.job_id))
    told = from_json(stored) if stored else []
    shown = shown_by(source.arguments)
    after = f"{_url(request, job.job_id)}?skip={query.skip + len(rows)}&limit={query.limit}"
    return {
        "success": True,
        "status": _status_of(page),
        "completed": page.progress.done if page.progress else 0,
        "total": job.positions,
        "creditsUsed": sum(page.usage.units.values()) if page.usage else 0,
        **_times(job, backend.now() + here.calls.retention_s),
        # Clients follow it without a pause: it must lead on, so an empty page of a running job has none.
        "next": after if rows and page.next else None,
        "data": [document(row, shown, told) for row in rows if row["status"] != "failed"],
        **({"error": page.error.message} if page.error else {}),
        **_warning(told),
    }


def _status_of(answered: Answered) -> str:
    if answered.status == "pending":
        return "scraping"
    if answered.error is None:
        return "completed"
    return "cancelled" if answered.error.code == Cancelled.code else "failed"


def _times(job: Job, kept_until: float) -> dict[str, Any]:
    times = {"createdAt": job.created_at, "expiresAt": iso(job.expires_at or kept_until)}
    if job.completed_at is None:
        return times
    took = datetime.fromisoformat(job.completed_at) - datetime.fromisoformat(job.created_at)
    return {**times, "completedAt": job.completed_at, "duration": took.total_seconds()}


def errors(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """Every URL of a batch that has no document yet or for good, and why."""
    key = authenticate(request, here)
    job = _owned(request, here, key)
    return json_answer(runtime.run(_errors(request, here, job)))


async def _errors(request: HttpRequest, here: Runtime, job: Job) -> dict[str, Any]:
    """As many as an answer holds."""
    told: list[dict[str, Any]] = []
    blocked: list[str] = []
    size = 0
    async for row in _failed(request, here, job):
        told.append(_error(job, row))
        blocked += [row["url"]] if row["error"]["code"] == RobotsDenied.code else []
        size += 2 * len(to_json(told[-1]))
        if size > settings.ANSWER_CAP_BYTES:
            return {"errors": told, "robotsBlocked": blocked, "warning": f"the first {len(told)} errors"}
    return {"errors": told, "robotsBlocked": blocked}


async def _failed(request: HttpRequest, here: Runtime, job: Job) -> AsyncIterator[JsonRow]:
    at: int | None = 0
    while at is not None:
        page = await here.calls.reading.page(job, at, settings.PAGE_LIMIT, request.base_url)
        rows = page.results or []
        for row in rows:
            if row["status"] == "failed":
                yield row
        at = at + len(rows) if rows and page.next else None


def _error(job: Job, row: JsonRow) -> dict[str, Any]:
    return {
        "id": str(uuid5(UUID(job.job_id), str(row["index"]))),
        "timestamp": (row.get("metadata") or {}).get("fetched_at"),
        "url": row["url"],
        "code": code_of(row["error"]["code"]),
        "error": row["error"]["message"],
    }


def cancel(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """End a batch; one that has ended by itself says so."""
    key = authenticate(request, here)
    job = _owned(request, here, key)
    runtime.run(close(here.calls.backend, job.job_id, "cancelled", here.calls.retention_s))
    ended = runtime.run(here.calls.reading.view(_owned(request, here, key), request.base_url))
    return json_answer({"success": True, "status": _status_of(ended)})


def _owned(request: HttpRequest, here: Runtime, key: ApiKey) -> Job:
    """The job of a batch's id, with its hyphens or without; NotFound for any other."""
    require(key, JOBS)
    given = request.parameters.get("id", "")
    job_id = given.replace("-", "").lower()
    if not re.fullmatch(r"[0-9a-f]{32}", job_id):
        raise NotFound(f"no batch {given[:64]}")
    job = runtime.run(here.calls.reading.job(key.owner, job_id))
    if job.verb != WEB_SCRAPE.name:
        raise NotFound(f"no batch {given[:64]}")
    return job


def _error_of(answered: Answered) -> VerbenaError:
    return answered.error.raised() if answered.error else InternalError("the batch did not become a job")


def _uuid(job_id: str) -> str:
    return str(UUID(job_id))


def _url(request: HttpRequest, job_id: str) -> str:
    return f"{request.base_url}{PATH}/{_uuid(job_id)}"


def _told_key(job_id: str) -> str:
    """Where the warnings of a batch are kept: beside its input."""
    return f"jobs/{job_id}/told.json"


def _warning(told: list[str]) -> dict[str, str]:
    return {"warning": "; ".join(told)} if told else {}
