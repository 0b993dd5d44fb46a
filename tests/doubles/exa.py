"""Exa's search: no snippet unless contents are asked for, and the price of each call in its answer."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, either, flag, free, record, text, texts, whole

KEY = "exa-made-up-key-5b1d"

MOMENT = text(example="2026-01-01T00:00:00.000Z", format="moment")
PHRASE = texts(most=1, example="heat pump", pattern=r"^\S+( \S+){0,4}$")
SCHEMA = record(
    "query",
    query=text(),
    type=choice("auto", "neural", "fast", "instant", "deep", "deep-reasoning"),
    numResults=whole(1, 100),
    includeDomains=texts(),
    excludeDomains=texts(),
    startPublishedDate=MOMENT,
    endPublishedDate=MOMENT,
    startCrawlDate=MOMENT,
    endCrawlDate=MOMENT,
    includeText=PHRASE,
    excludeText=PHRASE,
    category=choice(
        "company", "research paper", "news", "pdf", "github", "personal site", "people", "financial report"
    ),
    userLocation=text(example="GB", pattern="^[A-Z]{2}$"),
    moderation=flag(),
    contents=record(
        highlights=either(flag(), free(numSentences=2)),
        text=either(flag(), free(maxCharacters=300)),
        summary=free(query="noise"),
    ),
)
DATES = ("startPublishedDate", "endPublishedDate", "startCrawlDate", "endCrawlDate")
# Companies and people are searched without dates and without excluded domains.
SCHEMA |= {
    "if": {"properties": {"category": {"enum": ["company", "people"]}}, "required": ["category"]},
    "then": {"not": {"anyOf": [{"required": [name]} for name in ("excludeDomains", *DATES)]}},
}
EXAMPLE = {
    "query": "heat pump noise limits",
    "type": "auto",
    "numResults": 10,
    "includeDomains": ["example.org"],
    "startPublishedDate": "2026-01-01T00:00:00.000Z",
    "userLocation": "GB",
    "contents": {"highlights": True},
}


def wanted(request):
    asked = request.asked
    return corpus.search(
        asked["query"],
        count=asked.get("numResults", 10),
        include=asked.get("includeDomains", ()),
        exclude=asked.get("excludeDomains", ()),
    )


def hit(page, request):
    contents = request.asked.get("contents", {})
    published = f"{page.published:%Y-%m-%dT%H:%M:%S}.000Z" if page.published else None
    found = {"id": page.url, "title": page.title, "url": page.url, "publishedDate": published, "author": None}
    if contents.get("highlights"):
        found |= {"highlights": [page.text], "highlightScores": [0.46]}
    if contents.get("text"):
        found["text"] = page.text * 20
    return found


def wrap(request, hits):
    return {"requestId": "made-up-1", "results": hits, "costDollars": {"total": 0.007}}


def error(tag, message):
    return {"requestId": "made-up-2", "error": message, "tag": tag}


def refuse(problem):
    if problem.rule == "path":
        return Reply(404, error("NOT_FOUND", problem.message))
    if problem.name == "numResults" and problem.rule == "maximum":
        return Reply(400, error("NUM_RESULTS_EXCEEDED", problem.message))
    return Reply(400, error("INVALID_REQUEST_BODY", f"{problem.where} {problem.name}: {problem.message}"))


def authorize(request):
    return None if KEY in {request.headers.get("x-api-key"), request.bearer()} else Reply(401, BAD_KEY)


def of_each_hit(change):
    return succeeding(lambda body: body | {"results": [change(hit) for hit in body["results"]]})


BAD_KEY = error("INVALID_API_KEY", "This API key is not valid.")

VENDOR = Vendor(
    name="exa",
    origin="https://api.exa.ai",
    key={"EXA_API_KEY": KEY},
    headers={"x-api-key": KEY},
    endpoints=(Endpoint("POST", "/search", SCHEMA, EXAMPLE),),
    fields=Fields(snippet="highlights", date="publishedDate", snippet_of=lambda text: [text]),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=wrap(request, [])),
    refuse=refuse,
    authorize=authorize,
    own={
        "bad_value": saying("bad_request", 400, error("INVALID_REQUEST_BODY", "The body is not valid.")),
        "bad_value_naming_a_key": saying("bad_request", 400, error("INVALID_REQUEST_BODY", "query: INVALID_API_KEY")),
        "too_many_asked": saying("vendor_param", 400, error("NUM_RESULTS_EXCEEDED", "Too many results.")),
        "number_refused": saying("vendor_param", 400, error("INVALID_NUM_RESULTS", "Not a number of results.")),
        "bad_key": saying("auth", 401, BAD_KEY),
        "credits_used": saying("quota", 402, error("NO_MORE_CREDITS", "No credits are left.")),
        "budget_used": saying("quota", 402, error("API_KEY_BUDGET_EXCEEDED", "The key's budget is used.")),
        "forbidden": saying("auth", 403, error("ACCESS_DENIED", "Not for you.")),
        "feature_disabled": saying("auth", 403, error("FEATURE_DISABLED", "Not for you.")),
        "unprocessable": saying("bad_request", 422, error("UNPROCESSABLE", "Not possible.")),
        "rate_limited": saying("transient", 429, {"error": "Ten requests per second is the limit."}),
        "server_error_json": saying("transient", 500, error("DEFAULT_ERROR", "Something broke.")),
        "unavailable_json": saying("transient", 503, error("SERVICE_UNAVAILABLE", "Something broke.")),
        "scored": of_each_hit(lambda hit: hit | {"score": 0.31}),
        "empty_highlights": of_each_hit(lambda hit: hit | {"highlights": [], "highlightScores": []}),
        "no_cost": succeeding(lambda body: {name: body[name] for name in body if name != "costDollars"}),
        "as_before_may": succeeding(lambda body: body | {"resolvedSearchType": "neural", "autopromptString": ""}),
    },
)
