"""Linkup's search: nothing found is a 400, credits used up a 429, and an answer takes the place of the hits."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, day, flag, record, text, texts, whole

KEY = "linkup-made-up-key-90fe"

SCHEMA = record(
    "q",
    "depth",
    "outputType",
    q=text(),
    depth=choice("fast", "standard", "deep"),
    outputType=choice("searchResults", "sourcedAnswer", "structured"),
    structuredOutputSchema=text(example="{}"),
    includeSources=flag(),
    includeImages=flag(),
    includeInlineCitations=flag(),
    fromDate=day(),
    toDate=day(),
    includeDomains=texts(most=100),
    excludeDomains=texts(most=50),
    maxResults=whole(1),
)
# An answer by schema needs the schema.
SCHEMA |= {
    "if": {"properties": {"outputType": {"const": "structured"}}, "required": ["outputType"]},
    "then": {"required": ["structuredOutputSchema"]},
}
EXAMPLE = {
    "q": "heat pump noise limits",
    "depth": "standard",
    "outputType": "searchResults",
    "maxResults": 10,
    "includeDomains": ["example.org"],
    "fromDate": "2026-01-01",
}


def wanted(request):
    asked = request.asked
    return corpus.search(
        asked["q"],
        count=asked.get("maxResults", 10),
        include=asked.get("includeDomains", ()),
        exclude=asked.get("excludeDomains", ()),
    )


def hit(page, request):
    icon = f"https://{page.host}/favicon.ico" if page.published else ""
    if request.asked["outputType"] == "sourcedAnswer":
        return {"name": page.title, "url": page.url, "snippet": page.text, "favicon": icon}
    return {"type": "text", "name": page.title, "url": page.url, "content": page.text * 40, "favicon": icon}


def wrap(request, hits):
    if request.asked["outputType"] == "searchResults":
        return {"results": hits}
    answer = f"In short: {request.asked['q']} is measured at the window."
    return {"answer": answer, "sources": hits} if request.asked["outputType"] == "sourcedAnswer" else {"answer": answer}


def error(status, code, message, *details):
    return {"statusCode": status, "error": {"code": code, "message": message, "details": list(details)}}


def validation(name, message):
    return error(400, "VALIDATION_ERROR", "Validation failed", {"field": name, "message": message})


def refuse(problem):
    if problem.rule == "path":
        return Reply(404, error(404, "NOT_FOUND", problem.message))
    return Reply(400, validation(problem.name, problem.message))


def with_picture(body):
    """A picture among the hits, which has no content."""
    return body | {
        "results": [{"type": "image", "name": "A pump", "url": "https://img.example.org/1.png"}, *body["results"]]
    }


NO_RESULT = error(400, "SEARCH_QUERY_NO_RESULT", "Nothing was found.")
BAD_KEY = error(401, "UNAUTHORIZED", "Not authorized.")

VENDOR = Vendor(
    name="linkup",
    origin="https://api.linkup.so",
    key={"LINKUP_API_KEY": KEY},
    headers={"Authorization": f"Bearer {KEY}"},
    endpoints=(Endpoint("POST", "/v1/search", SCHEMA, EXAMPLE),),
    fields=Fields(title="name", snippet="content"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(400, NO_RESULT),
    refuse=refuse,
    authorize=lambda request: None if request.bearer() == KEY else Reply(401, BAD_KEY),
    own={
        "empty_list": saying("no_results", 200, {"results": []}),
        "bad_value": saying("bad_request", 400, validation("depth", "depth must be fast, standard or deep")),
        "bad_value_naming_a_key": saying("bad_request", 400, validation("q", "q: SEARCH_QUERY_NO_RESULT UNAUTHORIZED")),
        "bad_key": saying("auth", 401, BAD_KEY),
        "payment_required": saying("quota", 402),
        "not_supported": saying("auth", 403, error(403, "TASK_TYPE_NOT_SUPPORTED", "Not for you.")),
        "address_refused": saying("auth", 403, error(403, "IP_NOT_WHITELISTED", "Not for you.")),
        "conflict": saying("transient", 409),
        "rate_limited": saying("transient", 429, error(429, "TOO_MANY_REQUESTS", "Slow down.")),
        "queue_full": saying("transient", 429, error(429, "TASKS_QUEUE_LIMIT_EXCEEDED", "The queue is full.")),
        "credits_used": saying("quota", 429, error(429, "INSUFFICIENT_FUNDS_CREDITS", "No credits are left.")),
        "budget_used": saying("quota", 429, error(429, "EXCEED_BUDGET_LIMIT", "The budget is used.")),
        "server_error_json": saying("transient", 500, error(500, "INTERNAL_SERVER_ERROR", "Something broke.")),
        "picture": succeeding(with_picture),
    },
)
