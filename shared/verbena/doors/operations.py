"""What REST serves beside verbs: jobs, usage, wallet, the catalog itself, and health. One table, read by every door."""

import re
from urllib.parse import urlencode

from pydantic_core import to_json

from verbena import runtime, settings
from verbena.aws.keys import ApiKey
from verbena.billing import UNITS, price_book
from verbena.closing import close
from verbena.doors import health, providers
from verbena.doors.access import caller_of, require
from verbena.doors.docs.page import page, policy
from verbena.doors.docs.sections import Terms
from verbena.doors.http import HttpAnswer, HttpRequest, envelope_answer, json_answer
from verbena.doors.openapi import document
from verbena.doors.operation import Operation
from verbena.doors.usage import report
from verbena.envelope import Answered, AnyAnswer, ErrorInfo, Usage
from verbena.errors import NotFound
from verbena.jobs import Job
from verbena.runtime import Runtime
from verbena.tools.schema import FORMATS
from verbena.tools.tool import tools_of
from verbena.views import (
    Health,
    JobList,
    JobSummary,
    ListQuery,
    NoQuery,
    PageQuery,
    ToolList,
    ToolsQuery,
    UnitView,
    UsageQuery,
    UsageReport,
    VerbList,
    VerbView,
    WalletView,
)

JOBS = "jobs"
HTML = "text/html"


def _owned(request: HttpRequest, here: Runtime, key: ApiKey) -> Job:
    job_id = request.parameters.get("job_id", "")
    if not re.fullmatch(r"[0-9a-f]{32}", job_id):
        raise NotFound(f"no job {job_id[:64]}")
    return runtime.run(here.calls.reading.job(key.owner, job_id))


def _read_job(request: HttpRequest, here: Runtime, key: ApiKey, query: PageQuery) -> HttpAnswer:
    job = _owned(request, here, key)
    reading = here.calls.reading
    if query.limit is None:
        return _seen(runtime.run(reading.view(job, request.base_url)))
    return _seen(runtime.run(reading.page(job, query.cursor, query.limit, request.base_url)))


def _seen(answered: Answered) -> HttpAnswer:
    """Reading a job succeeds whatever became of the job."""
    return json_answer(answered.wire())


def _list_jobs(request: HttpRequest, here: Runtime, key: ApiKey, query: ListQuery) -> HttpAnswer:
    moment, _, job_id = (query.before or "9999").partition("/")
    found = here.jobs.of_owner(key.owner, moment, query.limit + 1, after=job_id or None)
    jobs = found[: query.limit]
    more = None
    if len(found) > len(jobs):
        before = f"{jobs[-1].created_at}/{jobs[-1].job_id}"
        more = f"{request.base_url}/v1/jobs?{urlencode({'limit': query.limit, 'before': before})}"
    listed = JobList(jobs=[_summary(job) for job in jobs], next=more)
    return json_answer(listed.model_dump(mode="json"))


def _summary(job: Job) -> JobSummary:
    return JobSummary(
        job_id=job.job_id,
        verb=job.verb,
        status="completed" if job.status == "completed" else "pending",
        created_at=job.created_at,
        completed_at=job.completed_at,
        items=job.positions,
        usage=Usage(**job.usage) if job.usage else None,
        error=ErrorInfo(**job.error) if job.error else None,
        resumed_from=job.resumed_from,
    )


def _cancel_job(request: HttpRequest, here: Runtime, key: ApiKey, _query: NoQuery) -> HttpAnswer:
    job = _owned(request, here, key)
    runtime.run(close(here.calls.backend, job.job_id, "cancelled", here.calls.retention_s))
    return _seen(runtime.run(here.calls.reading.view(_owned(request, here, key), request.base_url)))


def _resume_job(request: HttpRequest, here: Runtime, key: ApiKey, _query: NoQuery) -> HttpAnswer:
    job = _owned(request, here, key)
    capability = here.verbs[job.verb]
    require(key, capability.namespace)
    body = runtime.run(here.calls.reading.unfinished(job))
    body["idempotency_key"] = request.headers.get("idempotency-key", f"resume:{job.job_id}")
    answered = runtime.run(here.calls.run(capability, body, caller_of(key, request), resumed_from=job.job_id))
    return envelope_answer(answered, request.base_url)


def _read_row(request: HttpRequest, here: Runtime, key: ApiKey, _query: NoQuery) -> HttpAnswer:
    """One row whole, by byte ranges where it is larger than an answer may be."""
    job = _owned(request, here, key)
    position = request.parameters.get("index", "")
    if not position.isascii() or not position.isdigit() or len(position) > 6:  # noqa: PLR2004 - 10,000 items
        raise NotFound(f"no row {position[:64]}")
    row = runtime.run(here.calls.reading.row(job, int(position)))
    first, last = _range(request.headers.get("range", ""), len(row))
    if first == 0 and last == len(row) - 1:
        return HttpAnswer(200, row)
    headers = {"Content-Range": f"bytes {first}-{last}/{len(row)}", "Accept-Ranges": "bytes"}
    return HttpAnswer(206, row[first : last + 1], headers)


def _range(header: str, size: int) -> tuple[int, int]:
    """The bytes to send: those asked for, at most as many as an answer holds. The row is ASCII, so any cut is sound."""
    match = re.fullmatch(r"bytes=(\d{1,15})-(\d{0,15})", header.strip())
    first = min(int(match[1]), size - 1) if match else 0
    last = int(match[2]) if match and match[2] else size - 1
    return first, max(first, min(last, size - 1, first + settings.ANSWER_CAP_BYTES - 1))


def _usage(_request: HttpRequest, here: Runtime, key: ApiKey, query: UsageQuery) -> HttpAnswer:
    return json_answer(report(here.ledger, key.owner, query).model_dump(mode="json"))


def _wallet(_request: HttpRequest, here: Runtime, key: ApiKey, _query: NoQuery) -> HttpAnswer:
    wallet = here.ledger.wallet(key.owner)
    view = WalletView(available_micros=wallet.available if wallet else 0, held_micros=wallet.held if wallet else 0)
    return json_answer(view.model_dump())


def _verbs(_request: HttpRequest, here: Runtime, _key: ApiKey | None, _query: NoQuery) -> HttpAnswer:
    prices = price_book(here.settings.prices)
    verbs = [
        VerbView(
            name=capability.name,
            summary=capability.summary,
            path=capability.path,
            scope=capability.namespace,
            unit=capability.unit,
            price_micros=prices[capability.unit],
            inline_limit=here.settings.inline_limits.get(capability.id, capability.mode.inline_limit),
            input_schema=capability.request_schema(),
            row_schema=capability.row.model_json_schema(),
        )
        for capability in here.verbs.values()
    ]
    units = [
        UnitView(unit=unit.name, price_micros=prices[unit.name], default_micros=unit.micros, counts=unit.counts)
        for unit in UNITS
    ]
    return json_answer(VerbList(verbs=verbs, prices=units).model_dump(mode="json"))


def _tools(_request: HttpRequest, here: Runtime, _key: ApiKey | None, query: ToolsQuery) -> HttpAnswer:
    return json_answer(ToolList(tools=FORMATS[query.format](tools_of(here.verbs.values()))).model_dump())


def _openapi(_request: HttpRequest, here: Runtime, _key: ApiKey | None, _query: NoQuery) -> HttpAnswer:
    return json_answer(document(list(here.verbs.values()), OPERATIONS))


def _docs(request: HttpRequest, here: Runtime, _key: ApiKey | None, _query: NoQuery) -> HttpAnswer:
    terms = Terms(request.base_url, price_book(here.settings.prices), here.settings.inline_limits)
    text = page(list(here.verbs.values()), OPERATIONS, terms)
    headers = {
        "Cache-Control": "max-age=300",
        "Content-Security-Policy": policy(),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpAnswer(200, text.encode(), headers, f"{HTML}; charset=utf-8")


def _health(_request: HttpRequest, _here: Runtime, _key: ApiKey | None, _query: NoQuery) -> HttpAnswer:
    return HttpAnswer(200, to_json({"status": "ok"}), {"Cache-Control": "max-age=5"})


OPERATIONS = (
    Operation("GET /v1/jobs", "List jobs, newest first.", JobList, _list_jobs, JOBS, ListQuery),
    Operation(
        "GET /v1/jobs/{job_id}",
        "Read a job's progress and, with limit, its rows.",
        AnyAnswer,
        _read_job,
        JOBS,
        PageQuery,
    ),
    Operation(
        "DELETE /v1/jobs/{job_id}",
        "Cancel a job; its rows so far stay, and are billed.",
        AnyAnswer,
        _cancel_job,
        JOBS,
    ),
    Operation(
        "POST /v1/jobs/{job_id}/resume",
        "Run what failed or was not attempted, as a new job.",
        AnyAnswer,
        _resume_job,
        JOBS,
    ),
    Operation("GET /v1/jobs/{job_id}/rows/{index}", "Read one row whole, however big.", None, _read_row, JOBS),
    Operation("GET /v1/usage", "Sum the ledger's facts by day and verb.", UsageReport, _usage, "", UsageQuery),
    Operation("GET /v1/wallet", "Say what can be spent and what is held.", WalletView, _wallet),
    Operation("GET /v1/verbs", "Show the catalog: schemas, units, prices, limits.", VerbList, _verbs, None),
    Operation("GET /v1/tools", "Show the verbs as tools of a vendor's models.", ToolList, _tools, None, ToolsQuery),
    Operation("GET /openapi.json", "Describe this API as OpenAPI 3.1.", None, _openapi, None),
    Operation("GET /docs", "Read this API as a page.", None, _docs, None, media=HTML),
    Operation("GET /health", "Say that the service answers.", Health, _health, None),
    health.DEEP,
    *providers.OPERATIONS,
)
