"""Tavily's search: lists of domains, a country by its English name, statuses 432 and 433 of its own."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Problem, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, day, either, flag, is_host, record, text, texts, whole

KEY = "tvly-made-up-key-8c21"

SCHEMA = record(
    "query",
    query=text(),
    search_depth=choice("basic", "advanced", "fast", "ultra-fast"),
    topic=choice("general", "news", "finance"),
    max_results=whole(0, 20, example=3),
    time_range=choice("day", "week", "month", "year", "d", "w", "m", "y"),
    start_date=day(),
    end_date=day(),
    days=whole(1),
    include_domains=texts(most=300),
    exclude_domains=texts(most=150),
    include_answer=either(flag(), choice("basic", "advanced")),
    include_raw_content=either(flag(), choice("markdown", "text")),
    include_images=flag(),
    include_favicon=flag(),
    country=text(example="united states", pattern="^[a-z][a-z ]{3,}$"),
    chunks_per_source=whole(1, 3),
    auto_parameters=flag(),
    include_usage=flag(),
    exact_match=flag(),
)
EXAMPLE = {
    "query": "heat pump noise limits",
    "max_results": 10,
    "search_depth": "basic",
    "topic": "general",
    "include_domains": ["example.org"],
    "time_range": "year",
    "include_answer": "basic",
    "include_usage": True,
}


def rule(asked):
    """A country needs the topic general; of a list of domains at least one must be a host."""
    if "country" in asked and asked.get("topic", "general") != "general":
        return Problem("body", ("country",), "topic", "country is for the topic general only", asked["country"])
    domains = asked.get("include_domains")
    if domains and not any(map(is_host, domains)):
        return Problem("body", ("include_domains",), "host", f"All domains are invalid: {domains}", domains)
    return None


def wanted(request):
    asked = request.asked
    return corpus.search(
        asked["query"],
        count=asked.get("max_results", 5),
        include=[host for host in asked.get("include_domains", ()) if is_host(host)],
        exclude=asked.get("exclude_domains", ()),
    )


def hit(page, request):
    asked = request.asked
    found = {"title": page.title, "url": page.url, "content": page.text, "score": round(0.95 - page.number / 200, 3)}
    found["raw_content"] = page.text * 3 if asked.get("include_raw_content") else None
    if asked.get("topic") == "news" and page.published:
        found["published_date"] = f"{page.published:%a, %d %b %Y %H:%M:%S} GMT"
    return found


def wrap(request, hits):
    asked = request.asked
    body = {"query": asked["query"], "images": [], "results": hits, "response_time": 1.27, "request_id": "made-up-1"}
    if asked.get("include_answer"):
        body["answer"] = f"In short: {asked['query']} is measured at the window."
    if asked.get("include_usage"):
        body["usage"] = {"credits": 2 if asked.get("search_depth") == "advanced" else 1}
    return body


def error(message):
    return {"detail": {"error": message}}


UNAUTHORIZED = error("This API key is missing or not valid.")


def refuse(problem):
    status = 404 if problem.rule == "path" else 400
    return Reply(status, error(f"{problem.where} {problem.name}: {problem.message}"))


VENDOR = Vendor(
    name="tavily",
    origin="https://api.tavily.com",
    key={"TAVILY_API_KEY": KEY},
    headers={"Authorization": f"Bearer {KEY}"},
    endpoints=(Endpoint("POST", "/search", SCHEMA, EXAMPLE, rule=rule),),
    fields=Fields(snippet="content", date="published_date"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=wrap(request, [])),
    refuse=refuse,
    authorize=lambda request: None if request.bearer() == KEY else Reply(401, UNAUTHORIZED),
    own={
        "bad_key": saying("auth", 401, UNAUTHORIZED),
        "forbidden": saying("auth", 403, error("This is not supported for the key.")),
        "bad_value": saying("vendor_param", 400, error("Invalid topic. Must be 'general' or 'news'.")),
        "country_refused": saying("vendor_param", 400, error("Invalid country: atlantis")),
        "domains_refused": saying(
            "bad_request", 400, error("All domains in include_domains are invalid: ['localhost']")
        ),
        "rate_limited": saying("transient", 429, error("Too many requests, please slow down."), retry_after="7"),
        "plan_used": saying("quota", 432, error("The plan's usage limit is exceeded.")),
        "pay_as_you_go_used": saying("quota", 433, error("The pay-as-you-go limit is exceeded.")),
        "server_error_json": saying("transient", 500, error("Something broke.")),
        "response_time_as_text": succeeding(lambda body: body | {"response_time": "1.27"}),
        "no_usage": succeeding(lambda body: {name: body[name] for name in body if name != "usage"}),
        "null_answer": succeeding(lambda body: body | {"answer": None}),
    },
)
