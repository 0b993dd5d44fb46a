"""Serper's copy of Google's results: ten at most, dates for people, a bad key is 403."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import flag, record, text, whole

KEY = "serper-made-up-key-e7b4"
DAY = r"\d{1,2}/\d{1,2}/\d{4}"

SCHEMA = record(
    "q",
    q=text(),
    num=whole(1, 100),
    page=whole(1),
    gl=text(example="gb", pattern="^[a-z]{2}$"),
    hl=text(example="en", pattern="^[a-z]{2,3}(-[A-Za-z]{2,4})?$"),
    tbs=text(example="qdr:y", pattern=f"^(qdr:[hdwmy]|cdr:1,cd_min:{DAY},cd_max:{DAY})$"),
    location=text(example="Oslo"),
    autocorrect=flag(),
)
EXAMPLE = {"q": "heat pump noise limits site:example.org", "gl": "gb", "hl": "en", "num": 10, "tbs": "qdr:y"}


def wanted(request):
    count = min(request.asked.get("num", 10), 10)
    return corpus.search_with_operators(
        request.asked["q"], count=count, start=(request.asked.get("page", 1) - 1) * count
    )


def hit(page, request):
    found = {"title": page.title, "link": page.url, "snippet": page.text, "position": page.number + 1}
    if page.published:
        found["date"] = f"{page.published:%b %-d, %Y}" if page.number % 2 else "2 days ago"
    return found


def wrap(request, hits):
    return {
        "searchParameters": {**request.asked, "type": "search", "engine": "google"},
        "organic": hits,
        "relatedSearches": [{"query": f"{request.asked['q']} nearby"}],
        "credits": 2 if request.asked.get("num", 10) > 10 else 1,
    }


def error(status, message):
    return {"message": message, "statusCode": status}


def refuse(problem):
    status = 404 if problem.rule == "path" else 400
    return Reply(status, error(status, f"{problem.where} {problem.name}: {problem.message}"))


def without(body, *names):
    return {name: value for name, value in body.items() if name not in names}


def answer_box(**box):
    return succeeding(
        lambda body: body | {"answerBox": {"title": "Noise", "link": "https://housing.example.org/", **box}}
    )


BAD_KEY = error(403, "Unauthorized.")

VENDOR = Vendor(
    name="serper",
    origin="https://google.serper.dev",
    key={"SERPER_API_KEY": KEY},
    headers={"X-API-KEY": KEY},
    endpoints=(Endpoint("POST", "/search", SCHEMA, EXAMPLE),),
    fields=Fields(url="link", date="date"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=wrap(request, [])),
    refuse=refuse,
    authorize=lambda request: None if request.headers.get("X-API-KEY") == KEY else Reply(403, BAD_KEY),
    own={
        "empty_without_organic": saying("no_results", 200, {"searchParameters": {"q": "otter"}, "credits": 1}),
        "bad_key": saying("auth", 403, BAD_KEY),
        "bad_key_as_documented": saying("auth", 401, error(401, "Unauthorized.")),
        "credits_used": saying("quota", 400, error(400, "Not enough credits")),
        "query_missing": saying("bad_request", 400, error(400, "Missing query parameter")),
        "rate_limited": saying("transient", 429, error(429, "Too many requests")),
        "server_error_json": saying("transient", 500, error(500, "Something broke.")),
        "answer_box": answer_box(answer="42 dB"),
        "answer_box_snippet": answer_box(snippet="Up to 42 dB.", snippetHighlighted=["42 dB"]),
        "answer_box_highlighted_text": answer_box(snippet="Up to 42 dB.", snippetHighlighted="42 dB"),
        "no_credits_field": succeeding(lambda body: without(body, "credits")),
    },
)
