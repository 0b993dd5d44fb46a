"""A SearXNG instance: no key, HTML where JSON is switched off, an empty 200 when every engine failed."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, number, record, text, whole

PAGE_SIZE = 10

SCHEMA = record(
    "q",
    "format",
    q=text(),
    format=choice("json"),
    categories=text(example="general", pattern="^[a-z ]+(,[a-z ]+)*$"),
    engines=text(example="brave,mojeek"),
    language=text(example="en-GB", pattern="^(all|auto|[a-z]{2,3}(-[A-Za-z]{2,4})?)$"),
    pageno=whole(1),
    time_range=choice("day", "week", "month", "year"),
    safesearch=choice(0, 1, 2),
    timeout_limit=number(example=1.5),
)
EXAMPLE = {
    "q": "heat pump noise limits",
    "format": "json",
    "language": "en",
    "time_range": "year",
    "pageno": "1",
    "safesearch": "0",
}
HTML = "<!DOCTYPE html><html lang=en><title>loopback search</title></html>"
FORBIDDEN = "<!doctype html><html lang=en><title>403 Forbidden</title><h1>Forbidden</h1>"


def wanted(request):
    start = (request.asked.get("pageno", 1) - 1) * PAGE_SIZE
    return corpus.search_with_operators(request.asked["q"], count=PAGE_SIZE, start=start)


def hit(page, request):
    """Every second page is known to both engines, whose order varies."""
    engines = [["mojeek"], ["brave", "mojeek"], ["mojeek"], ["mojeek", "brave"]][page.number % 4]
    return {
        "url": page.url,
        "title": page.title,
        "content": page.text.replace("metre", "<b>metre</b>"),
        "engine": engines[0],
        "engines": engines,
        "positions": [page.number + 1] * len(engines),
        "score": 2.5 / (page.number + 1),
        "category": "general",
        "publishedDate": f"{page.published:%Y-%m-%dT%H:%M:%S}" if page.published else None,
        "parsed_url": ["https", page.host, f"/guides/{page.number}", "", "", ""],
        "template": "default.html",
        "thumbnail": "",
        "img_src": "",
        "priority": "",
    }


def wrap(request, hits, failed=()):
    return {
        "query": request.asked["q"],
        "results": hits,
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": list(failed),
    }


def refuse(problem):
    if problem.rule == "path":
        return Reply(404, HTML, "text/html; charset=utf-8")
    if problem.name == "q" and problem.rule in {"required", "minLength"}:
        return Reply(400, {"error": "No query"})
    if problem.name == "format" and problem.where == "query":
        return Reply(200, HTML, "text/html; charset=utf-8")
    return Reply(400, {"error": f"Invalid value {problem.value} for parameter {problem.name}"})


FAILED = (["google", "too many requests"], ["brave", "timeout"], ["mojeek", "CAPTCHA"])
KEY_VALUE = {
    "url": None,
    "title": "",
    "content": "",
    "engine": "facts",
    "engines": ["facts"],
    "template": "keyvalue.html",
    "kvmap": {"weight": "30 kg"},
    "parsed_url": None,
    "positions": [1],
    "score": 1.0,
    "category": "general",
    "publishedDate": None,
}
OF_SEARX = {"publishedDate", "thumbnail", "img_src", "priority"}
ANSWER = "(1 + 2 + 3) / 3 = 2"


def as_searx(body):
    """What the predecessor sends: fewer fields of a hit, a count that is always 0."""
    hits = [{name: value for name, value in hit.items() if name not in OF_SEARX} for hit in body["results"]]
    return body | {"results": hits, "number_of_results": 0}


def failing(change):
    """Nothing found, and the rest of the body as given."""
    return {"query": "otter", "results": [], "answers": [], "suggestions": [], "infoboxes": [], **change}


VENDOR = Vendor(
    name="searxng",
    origin="http://searxng.internal.example",
    key={"SEARXNG_URL": "{base_url}"},
    endpoints=(Endpoint("GET", "/search", SCHEMA, EXAMPLE),),
    fields=Fields(snippet="content", date="publishedDate"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=wrap(request, [])),
    refuse=refuse,
    authorize=lambda request: None,
    html_class="config",
    own={
        "every_engine_failed": saying("transient", 200, failing({"unresponsive_engines": FAILED})),
        "some_engines_failed": succeeding(lambda body: body | {"unresponsive_engines": FAILED}),
        "json_switched_off": saying("config", 403, FORBIDDEN, "text/html; charset=utf-8"),
        "bad_value": saying("bad_request", 400, {"error": "Invalid value fortnight for parameter time_range"}),
        "bad_value_of_searx": saying(
            "bad_request", 400, {"error": 'Invalid value "fortnight" for parameter time_range'}
        ),
        "no_query": saying("bad_request", 400, {"error": "No query"}),
        "rate_limited": saying("transient", 429, "Too Many Requests", "text/plain"),
        "server_error_json": saying("transient", 500, {"error": "search error"}),
        "key_value_hits": succeeding(lambda body: body | {"results": [KEY_VALUE, *body["results"]]}),
        "as_searx": succeeding(as_searx),
        "answer_as_object": succeeding(
            lambda body: body | {"answers": [{"answer": ANSWER, "url": None, "engine": "avg"}]}
        ),
        "answer_as_text": succeeding(lambda body: body | {"answers": [ANSWER]}),
        "answer_without_hits": saying("no_results", 200, failing({"unresponsive_engines": [], "answers": [ANSWER]})),
    },
)
