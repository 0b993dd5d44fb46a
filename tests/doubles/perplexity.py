"""Perplexity's search, its agent that writes answers, and the retired chat endpoint; a bad key is an HTML page."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Reply, Script, Vendor, saying, succeeding
from tests.doubles.faults import FAULTS
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, either, flag, free, record, text, texts, whole

KEY = "pplx-made-up-key-3d90"

DOMAINS = {
    # All allowed or all denied, never mixed.
    "anyOf": [texts(most=20, pattern="^[^-]"), texts(most=20, pattern="^-", example="-example.org")],
    "examples": [["example.org"]],
}
US_DAY = text(example="03/04/2026", format="us-day")
FILTERS = {
    "search_domain_filter": DOMAINS,
    "search_language_filter": texts(most=10, example="en", pattern="^[a-z]{2}$"),
    "search_recency_filter": choice("hour", "day", "week", "month", "year"),
    "search_after_date_filter": US_DAY,
    "search_before_date_filter": US_DAY,
    "last_updated_after_filter": US_DAY,
    "last_updated_before_filter": US_DAY,
}
COUNTRY = text(example="GB", pattern="^[A-Z]{2}$")
# Recency is not to be combined with dates.
ONE_TIME = {
    "not": {
        "required": ["search_recency_filter"],
        "anyOf": [
            {"required": [name]} for name in FILTERS if name.endswith(("after_date_filter", "before_date_filter"))
        ],
    }
}

SEARCH = ONE_TIME | record(
    "query",
    query=either(text(), texts(most=5)),
    max_results=whole(1, 20),
    max_tokens=whole(1, 1_000_000),
    max_tokens_per_page=whole(1),
    country=COUNTRY,
    **FILTERS,
    search_mode=choice("web", "academic", "sec"),
    search_type=choice("web", "people", "fast"),
    search_context_size=choice("low", "medium", "high"),
    display_server_time=flag(),
)
TOOL = record(
    "type",
    type=choice("web_search"),
    filters=ONE_TIME | record(**FILTERS),
    user_location=record(country=COUNTRY),
)
AGENT = record(
    "input",
    input=either(text(), {"type": "array", "items": free(role="user")}),
    model=text(example="perplexity/sonar", pattern="^[a-z0-9-]+/[A-Za-z0-9.-]+$"),
    preset=choice("fast", "low", "medium", "high", "xhigh"),
    instructions=text(),
    max_steps=whole(1, 10),
    max_output_tokens=whole(1),
    tools={"type": "array", "items": TOOL, "examples": [[{"type": "web_search"}]]},
    tool_choice=either(choice("auto", "none", "required"), free(type="web_search")),
    stream=flag(),
    background=flag(),
)
# A preset alone may choose a model of someone else.
AGENT |= {
    "anyOf": [{"required": ["model"]}, {"required": ["preset"]}],
    "examples": [{"input": "otter", "model": "perplexity/sonar"}],
}
CHAT = {"type": "object", "properties": {}}
SEARCH_EXAMPLE = {
    "query": "heat pump noise limits",
    "max_results": 10,
    "max_tokens_per_page": 512,
    "country": "GB",
    "search_domain_filter": ["example.org"],
    "search_recency_filter": "year",
}
AGENT_EXAMPLE = {
    "model": "perplexity/sonar",
    "input": "heat pump noise limits",
    "tools": [{"type": "web_search"}],
    "max_steps": 1,
}


def domains(filters):
    given = filters.get("search_domain_filter", [])
    allowed = [domain for domain in given if not domain.startswith("-")]
    return {"include": allowed, "exclude": [domain[1:] for domain in given if domain.startswith("-")]}


def wanted(request):
    asked = request.asked
    query = asked["query"] if isinstance(asked["query"], str) else asked["query"][0]
    return corpus.search(query, count=asked.get("max_results", 10), **domains(asked))


def hit(page, request):
    day = f"{page.published:%Y-%m-%d}" if page.published else None
    return {"title": page.title, "url": page.url, "snippet": page.text * 5, "date": day, "last_updated": day}


def wrap(request, hits):
    clock = {"server_time": "2026-03-04T05:06:07Z"} if request.asked.get("display_server_time") else {}
    return {"id": "made-up-search", "results": hits, **clock}


def answered(request):
    """The agent's answer: what it found, if it had the tool, then what it says."""
    asked = request.asked
    query = asked["input"] if isinstance(asked["input"], str) else "the conversation"
    says = {"type": "output_text", "text": f"In short: {query} is measured at the window [1].", "annotations": []}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [says]}
    found = [searched(query, tool) for tool in asked.get("tools", ())]
    return Reply(body=agent_body(asked.get("model", "another/model"), "completed", [*found, message]))


def searched(query, tool):
    pages = corpus.search(query, count=3, **domains(tool.get("filters", {})))
    results = [{"id": page.number + 1, "title": page.title, "url": page.url, "snippet": page.text} for page in pages]
    return {"type": "search_results", "queries": [query], "results": results}


def agent_body(model, status, output, **more):
    cost = {
        "currency": "USD",
        "input_cost": 0.0002,
        "output_cost": 0.0001,
        "tool_calls_cost": 0.0025,
        "total_cost": 0.0028,
    }
    return {
        "id": "resp_made_up",
        "object": "response",
        "created_at": 1796072400,
        "model": model,
        "status": status,
        "output": output,
        "usage": {"input_tokens": 812, "output_tokens": 40, "total_tokens": 852, "cost": cost},
        **more,
    }


def error(status, kind, message):
    return {"error": {"message": message, "type": kind, "code": status}}


def invalid(loc, message, kind):
    return {"detail": [{"loc": loc, "msg": message, "type": kind}]}


UNAUTHORIZED = "<html><head><title>401 Authorization Required</title></head><body>openresty</body></html>"
RETIRED = error(403, "chat_completions_not_available", "This endpoint is now the Agent API.")
TOO_MANY = error(429, "rate_limit", "Please slow down.")
FAILED = agent_body("perplexity/sonar", "failed", [], error={"message": "The model failed.", "type": "server_error"})


def refuse(problem):
    """A value of an enum is a 400, whatever else the body has wrong a 422."""
    if problem.rule == "path":
        return Reply(404, error(404, "not_found", problem.message))
    if problem.rule == "enum":
        return Reply(400, error(400, "bad_request", f"['body', '{problem.name}']: {problem.message}"))
    return Reply(422, invalid([problem.where, *problem.path], problem.message, problem.rule))


def without(body, *names):
    return {name: value for name, value in body.items() if name not in names}


def agent_message_only(body):
    return body | {"output": [item for item in body["output"] if item["type"] == "message"]}


VENDOR = Vendor(
    name="perplexity",
    origin="https://api.perplexity.ai",
    key={"PERPLEXITY_API_KEY": KEY},
    headers={"Authorization": f"Bearer {KEY}"},
    endpoints=(
        Endpoint("POST", "/search", SEARCH, SEARCH_EXAMPLE),
        Endpoint("POST", "/v1/agent", AGENT, AGENT_EXAMPLE, answer=answered),
        Endpoint("POST", "/chat/completions", CHAT, {}, answer=lambda request: Reply(403, RETIRED)),
    ),
    fields=Fields(date="date"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=wrap(request, [])),
    refuse=refuse,
    authorize=lambda request: None if request.bearer() == KEY else Reply(401, UNAUTHORIZED, "text/html"),
    own={
        "bad_key": saying("auth", 401, UNAUTHORIZED, "text/html"),
        "forbidden": saying("auth", 403),
        "retired": saying("config", 403, RETIRED),
        "retired_by_code": saying(
            "config", 403, {"error": {"message": "Moved.", "code": "agent_api_migration_required"}}
        ),
        "bad_value": saying(
            "bad_request", 400, error(400, "bad_request", "['body','search_recency_filter']: not one of")
        ),
        "bad_value_naming_a_key": saying("bad_request", 400, error(400, "bad_request", "query: invalid api key")),
        "invalid_body": saying("bad_request", 422, invalid(["body", "max_results"], "at most 20", "less_than_equal")),
        "rate_limited": saying("transient", 429, TOO_MANY),
        "rate_limited_with_hint": saying("transient", 429, TOO_MANY, retry_after="3", x_should_retry="true"),
        "rate_limited_with_hint_ms": saying("transient", 429, TOO_MANY, retry_after_ms="1500"),
        "mixed_dates": succeeding(
            lambda body: body | {"results": [without(body["results"][0], "date", "last_updated")]}
        ),
    },
    answer_scripts={
        "agent_failed": saying("transient", 200, FAILED),
        "agent_without_search": succeeding(agent_message_only),
        "agent_without_cost": succeeding(lambda body: without(body, "usage")),
        "agent_silent": succeeding(lambda body: body | {"output": []}),
        "agent_hang": Script("transient", FAULTS["hang"].act),
        "agent_html": Script("transient", FAULTS["html_200"].act),
        "agent_rate_limited": saying("transient", 429, TOO_MANY),
        "agent_bad_key": saying("auth", 401, UNAUTHORIZED, "text/html"),
        "agent_bad_value": saying("bad_request", 400, error(400, "bad_request", "['body','model']: unknown model")),
    },
)
