"""Brave's web search: a bad key is 422, nothing found has no `web` at all."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, flag, record, text, texts, whole

KEY = "brave-made-up-key-51f0"
COUNTRIES = (
    "ALL AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US"
)
LANGUAGES = (
    "ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb"
    " pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi"
)
SECTIONS = "(discussions|faq|infobox|news|query|videos|web|locations)"
WORDS = r"^\s*\S+(\s+\S+){0,49}\s*$"

SCHEMA = record(
    "q",
    q=text(maxLength=400, pattern=WORDS),
    count=whole(1, 20),
    offset=whole(0, 9),
    country=choice(*COUNTRIES.split()),
    search_lang=choice(*LANGUAGES.split()),
    ui_lang=text(example="en-US", pattern="^[a-z]{2}-[A-Z]{2}$"),
    freshness={"anyOf": [choice("pd", "pw", "pm", "py"), text(format="days")], "examples": ["2026-01-01to2026-02-01"]},
    safesearch=choice("off", "moderate", "strict"),
    extra_snippets=flag(),
    text_decorations=flag(),
    spellcheck=flag(),
    result_filter=text(example="web,news", pattern=f"^{SECTIONS}(,{SECTIONS})*$"),
    operators=flag(),
    goggles=texts(example="$discard"),
)
EXAMPLE = {
    "q": "heat pump noise limits site:example.org",
    "count": "10",
    "country": "GB",
    "search_lang": "en",
    "freshness": "py",
    "text_decorations": "false",
    "result_filter": "web",
}


def wanted(request):
    asked = request.asked
    count = asked.get("count", 20)
    search = corpus.search_with_operators if asked.get("operators", True) else corpus.search
    if "web" not in asked.get("result_filter", "web").split(","):
        return []
    return search(asked["q"], count=count, start=asked.get("offset", 0) * count)


def hit(page, request):
    decorated = request.asked.get("text_decorations", True)
    found = {
        "title": f"<strong>{page.title}</strong> &amp; more" if decorated else page.title,
        "url": page.url,
        "description": page.text.replace("metre", "<strong>metre</strong>") if decorated else page.text,
        "language": request.asked.get("search_lang", "en"),
        "meta_url": {"scheme": "https", "netloc": page.host, "hostname": page.host, "path": "› guides"},
        "family_friendly": True,
    }
    if page.published:
        found |= {"age": f"{page.published:%B %-d, %Y}", "page_age": f"{page.published:%Y-%m-%dT%H:%M:%S}"}
    if request.asked.get("extra_snippets"):
        found["extra_snippets"] = ["One more passage."]
    return found


def head(request, *, more):
    return {"type": "search", "query": {"original": request.asked["q"], "more_results_available": more}}


def wrap(request, hits):
    web = {"type": "search", "results": hits, "family_friendly": True}
    return {**head(request, more=request.asked.get("offset", 0) < 9), "web": web}


def authorize(request):
    given = request.headers.get("X-Subscription-Token")
    if given is None:
        return Reply(422, validation("missing", ["header", "x-subscription-token"], "Field required"))
    return None if given == KEY else Reply(422, BAD_KEY)


def refuse(problem):
    if problem.rule == "path":
        return Reply(404, error(404, "NOT_FOUND", problem.message))
    return Reply(422, validation(problem.rule, [problem.where, *problem.path], problem.message, problem.value))


def error(status, code, detail, **meta):
    told = {"id": "5e0c77aa-made-up", "status": status, "detail": detail, "code": code, "meta": meta}
    return {"type": "ErrorResponse", "error": told, "time": 1796072400}


def validation(kind, loc, message, value=None):
    one = {"type": kind, "loc": loc, "msg": message, "input": value}
    return error(422, "VALIDATION", "Unable to validate request parameter(s)", errors=[one])


def as_documented(body):
    """The shape of the vendor's documentation, a list where real bodies have an object."""
    return {"type": "ErrorResponse", "errors": [body["error"]], "time": body["time"]}


BAD_KEY = error(422, "SUBSCRIPTION_TOKEN_INVALID", "This token is not valid.", component="authentication")
RATE = error(429, "RATE_LIMITED", "Too many requests for the plan.", plan="Search", rate_limit=1, rate_current=1)
QUOTA = error(429, "QUOTA_LIMITED", "The plan's requests are used up.", component="rate_limiter")
WINDOWS = {
    "X_RateLimit_Limit": "1, 15000",
    "X_RateLimit_Policy": "1;w=1, 15000;w=2592000",
    "X_RateLimit_Remaining": "0, 1000",
    "X_RateLimit_Reset": "1, 1419704",
}
UNCAPPED = WINDOWS | {"X_RateLimit_Limit": "1, 0", "X_RateLimit_Remaining": "0, 0"}
MENTION = "SUBSCRIPTION_TOKEN_INVALID invalid api key"

VENDOR = Vendor(
    name="brave",
    origin="https://api.search.brave.com",
    key={"BRAVE_SEARCH_API_KEY": KEY},
    headers={"X-Subscription-Token": KEY},
    endpoints=(Endpoint("GET", "/res/v1/web/search", SCHEMA, EXAMPLE, repeatable=("goggles",)),),
    fields=Fields(snippet="description", date="page_age"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=head(request, more=False)),
    refuse=refuse,
    authorize=authorize,
    own={
        "empty_list": saying("no_results", 200, {"type": "search", "web": {"type": "search", "results": []}}),
        "bad_key": saying("auth", 422, BAD_KEY),
        "missing_key": saying("auth", 422, validation("missing", ["header", "x-subscription-token"], "Field required")),
        "country_refused": saying("vendor_param", 422, validation("enum", ["query", "country"], "not one of", "VN")),
        "language_refused": saying(
            "vendor_param", 422, validation("enum", ["query", "search_lang"], "not one of", "zh")
        ),
        "ui_language_refused": saying(
            "vendor_param", 422, validation("enum", ["query", "ui_lang"], "not one of", "en")
        ),
        "query_too_long": saying(
            "vendor_param", 422, validation("string_too_long", ["query", "q"], "at most 400 characters", "...")
        ),
        "bad_value_naming_a_key": saying(
            "bad_request", 422, validation("int_parsing", ["query", "count"], "not a number", MENTION)
        ),
        "rate_limited": saying("transient", 429, RATE, **WINDOWS),
        "rate_limited_uncapped": saying("transient", 429, RATE, **UNCAPPED),
        "rate_limited_as_documented": saying("transient", 429, as_documented(RATE)),
        "quota_used": saying("quota", 429, QUOTA, **WINDOWS),
        "quota_used_as_documented": saying("quota", 429, as_documented(QUOTA)),
        "bad_key_as_documented": saying("auth", 422, as_documented(BAD_KEY)),
        "no_subscription": saying("auth", 404, error(404, "SUBSCRIPTION_NOT_FOUND", "No subscription.")),
        "unknown_version": saying("config", 404, error(404, "NOT_FOUND", "No such version of the API.")),
        "option_not_in_plan": saying("vendor_param", 400, error(400, "OPTION_NOT_IN_PLAN", "Not in this plan.")),
        "forbidden": saying("auth", 403),
        "query_altered": succeeding(lambda body: body | {"query": body["query"] | {"altered": "otters"}}),
    },
)
