"""Baidu's search for models: the query is a message, errors come with any status and two spellings of their id."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Problem, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, flag, record, text, texts, whole

KEY = "bce-v3/made-up/key-77d2"
WEB_MOST = 50

MOMENT = text(example="2026-01-01", pattern=r"^(now(-\d+[wMy])?/d|\d{4}-\d{2}-\d{2})$")
PAGE_TIME = record(gte=MOMENT, gt=MOMENT, lte=MOMENT, lt=MOMENT) | {
    "allOf": [
        {"anyOf": [{"required": ["gte"]}, {"required": ["gt"]}]},
        {"anyOf": [{"required": ["lte"]}, {"required": ["lt"]}]},
    ],
    "examples": [{"gte": "now-1w/d", "lte": "now/d"}],
}
MESSAGE = record("role", "content", role=choice("user", "assistant"), content=text())
KIND = record("type", "top_k", type=choice("web", "video", "image", "aladdin"), top_k=whole(1, WEB_MOST))
SCHEMA = record(
    "messages",
    messages={"type": "array", "items": MESSAGE, "minItems": 1},
    search_source=choice("baidu_search_v1", "baidu_search_v2"),
    edition=choice("standard", "lite"),
    resource_type_filter={"type": "array", "items": KIND},
    search_filter=record(match=record(site=texts(most=20)), range=record(page_time=PAGE_TIME)),
    search_recency_filter=choice("week", "month", "semiyear", "year"),
    block_websites=texts(),
    safe_search=flag(),
)
MOST = {"web": WEB_MOST, "video": 10, "image": 30, "aladdin": 5}
EXAMPLE = {
    "messages": [{"role": "user", "content": "热泵噪音限值"}],
    "search_source": "baidu_search_v2",
    "resource_type_filter": [{"type": "web", "top_k": 10}],
    "search_filter": {"match": {"site": ["example.cn"]}},
    "search_recency_filter": "year",
}


def rule(asked):
    """User and assistant take turns, the user first and last; each kind of hit has its own most."""
    roles = [message["role"] for message in asked["messages"]]
    if roles != [("user", "assistant")[at % 2] for at in range(len(roles))] or roles[-1] != "user":
        return Problem("body", ("messages",), "turns", "the user speaks first and last", roles)
    for kind in asked.get("resource_type_filter", ()):
        if kind["top_k"] > MOST[kind["type"]]:
            return Problem("body", ("resource_type_filter",), "maximum", "too many of this type", kind)
    return None


def wanted(request):
    asked = request.asked
    kinds = {kind["type"]: kind["top_k"] for kind in asked.get("resource_type_filter", ())} or {"web": 20}
    return corpus.search(
        asked["messages"][-1]["content"],
        count=kinds.get("web", 0),
        include=asked.get("search_filter", {}).get("match", {}).get("site", ()),
        exclude=asked.get("block_websites", ()),
    )


def hit(page, request):
    return {
        "id": page.number + 1,
        "title": page.title,
        "url": page.url,
        "content": f"\x04{page.text}\x05",
        "date": f"{page.published:%Y-%m-%d %H:%M:%S}" if page.published else "",
        "web_anchor": page.title,
        "website": page.host,
        "type": "web",
        "icon": None,
        "image": None,
        "video": None,
        "rerank_score": 0.9,
        "is_aladdin": False,
    }


def wrap(request, hits):
    return {"request_id": "made-up-1", "references": hits}


def error(code, message, name="requestId"):
    return {name: "made-up-2", "code": code, "message": message}


def coded(code):
    return error(code, "see the code", "request_id")


def refuse(problem):
    if problem.rule == "path":
        return Reply(404, error(404, problem.message))
    return Reply(400, error(400, f"param error: {problem.where} {problem.name}: {problem.message}"))


def authorize(request):
    older = request.headers.get("X-Appbuilder-Authorization", "").removeprefix("Bearer ")
    return None if KEY in {request.bearer(), older} else Reply(401, BAD_KEY)


BAD_KEY = error(216003, "Authentication error: InvalidHTTPAuthHeader")

VENDOR = Vendor(
    name="baidu",
    origin="https://qianfan.baidubce.com",
    key={"BAIDU_API_KEY": KEY},
    headers={"Authorization": f"Bearer {KEY}"},
    endpoints=(Endpoint("POST", "/v2/ai_search/web_search", SCHEMA, EXAMPLE, rule=rule),),
    fields=Fields(snippet="content", date="date"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=wrap(request, [])),
    refuse=refuse,
    authorize=authorize,
    own={
        "empty_without_references": saying("no_results", 200, {"request_id": "made-up-3"}),
        "bad_key": saying("auth", 401, BAD_KEY),
        "bad_key_in_200": saying("auth", 200, BAD_KEY),
        "bad_token_in_200": saying("auth", 200, {"error_code": 110, "error_msg": "Access token invalid"}),
        "bad_value": saying("bad_request", 400, error(400, "param error")),
        "rate_limited": saying("transient", 429, coded("RATE_LIMIT_SEARCH_QPS")),
        "rate_limited_of_all_searches": saying("transient", 429, coded("RATE_LIMIT_SEARCH_TOTAL_QPS")),
        "rate_limited_in_all": saying("transient", 429, coded("RATE_LIMIT_TOTAL_QPS")),
        "daily_requests_used": saying("quota", 429, coded("QUOTA_USER_DAILY_REQUEST")),
        "daily_free_used": saying("quota", 429, coded("QUOTA_USER_DAILY_FREE")),
        "balance_used": saying("quota", 429, coded("BILLING_INSUFFICIENT_BALANCE")),
        "server_error_json": saying("transient", 500, error(500, "something broke")),
        "server_timeout": saying("transient", 500, error(501, "something broke")),
        "server_model": saying("transient", 500, error(502, "something broke")),
        "server_error_in_200": saying("transient", 200, error(500, "something broke")),
        "no_scores": succeeding(
            lambda body: body | {"references": [{**hit, "rerank_score": None} for hit in body["references"]]}
        ),
    },
)
