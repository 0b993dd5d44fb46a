"""Google's Custom Search JSON API: the key is in the address, one site filter, ten hits, no `items` for none."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Problem, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, record, text, whole

KEY = "google-made-up-key-a41c"
CX = "0made0up0engine0"
LAST = 100

COUNTRY = r"\(*-?\(*country[A-Z]{2}\)*"
LANGUAGE = "lang_[a-z]{2}(-[A-Z]{2})?"
SCHEMA = record(
    "key",
    "cx",
    "q",
    key=text(example=KEY),
    cx=choice(CX),
    q=text(),
    num=whole(1, 10),
    start=whole(1, LAST),
    gl=text(example="uk", pattern="^[A-Za-z]{2}$"),
    cr=text(example="countryGB", pattern=f"^{COUNTRY}([.|]{COUNTRY})*$"),
    lr=text(example="lang_en", pattern=rf"^{LANGUAGE}(\|{LANGUAGE})*$"),
    hl=text(example="en", pattern="^[a-z]{2}(-[A-Za-z]{2,4})?$"),
    dateRestrict=text(example="y1", pattern="^[dwmy][1-9][0-9]*$"),
    sort=text(example="date:r:20260101:20260304", pattern=r"^date(:r:\d{8}:\d{8})?$"),
    siteSearch=text(example="example.org", pattern=r"^[^\s,|]+$"),
    siteSearchFilter=choice("i", "e"),
    safe=choice("active", "off"),
    exactTerms=text(),
    excludeTerms=text(),
    orTerms=text(),
    fileType=text(example="pdf"),
    searchType=choice("image"),
    fields=text(example="items"),
)
EXAMPLE = {
    "key": KEY,
    "cx": CX,
    "q": "heat pump noise limits",
    "num": "10",
    "gl": "uk",
    "dateRestrict": "y1",
    "siteSearch": "example.org",
    "siteSearchFilter": "i",
}


def rule(asked):
    """Nothing beyond the hundredth hit."""
    if asked.get("start", 1) + asked.get("num", 10) - 1 > LAST:
        return Problem("query", ("start",), "maximum", f"start + num is beyond {LAST}", asked["start"])
    return None


def wanted(request):
    asked = request.asked
    words, include, exclude = corpus.operators(asked["q"])
    if "siteSearch" in asked:
        (exclude if asked.get("siteSearchFilter") == "e" else include).append(asked["siteSearch"])
    count, start = asked.get("num", 10), asked.get("start", 1) - 1
    return corpus.search(words, count=count, start=start, include=include, exclude=exclude)


def hit(page, request):
    found = {
        "kind": "customsearch#result",
        "title": page.title,
        "htmlTitle": f"<b>{page.title}</b>",
        "link": page.url,
        "displayLink": page.host,
        "snippet": page.text.replace(": ", " ...\n"),
        "htmlSnippet": page.text.replace(": ", " <b>...</b>&nbsp;"),
        "formattedUrl": page.url,
        "htmlFormattedUrl": page.url,
    }
    if page.published:
        found["pagemap"] = {"metatags": [{"article:published_time": f"{page.published:%Y-%m-%dT%H:%M:%SZ}"}]}
    return found


def wrap(request, hits):
    body = envelope(request, total="21400")
    asked = request.asked
    after = asked.get("start", 1) + len(hits)
    if after <= LAST:
        body["queries"]["nextPage"] = [{"totalResults": "21400", "count": len(hits), "startIndex": after}]
    return body | {"items": hits}


def envelope(request, *, total):
    asked = request.asked
    this = {"title": f"Google Custom Search - {asked['q']}", "searchTerms": asked["q"], "cx": asked["cx"]}
    return {
        "kind": "customsearch#search",
        "url": {"type": "application/json", "template": "https://www.googleapis.com/customsearch/v1?q={searchTerms}"},
        "queries": {"request": [this | {"startIndex": asked.get("start", 1), "totalResults": total}]},
        "searchInformation": {"searchTime": 0.31, "totalResults": total, "formattedTotalResults": total},
    }


def error(code, reason, message, status=None, **more):
    one = {"message": message, "domain": "global", "reason": reason}
    told = {"code": code, "message": message, "errors": [one], **more}
    return {"error": told | ({"status": status} if status else {})}


INFO = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}
BAD_KEY_TEXT = "API key not valid. Please pass a valid API key."
BAD_KEY = error(400, "badRequest", BAD_KEY_TEXT, "INVALID_ARGUMENT", details=[INFO])
BAD_KEY_WITHOUT_DETAILS = error(400, "badRequest", BAD_KEY_TEXT, "INVALID_ARGUMENT")
INVALID = error(400, "badRequest", "Request contains an invalid argument.", "INVALID_ARGUMENT")


def quota(period):
    return error(429, "rateLimitExceeded", f"Quota exceeded for limit 'Queries {period}'", "RESOURCE_EXHAUSTED")


def refuse(problem):
    """The vendor names no parameter: a wrong engine looks the same as a wrong number."""
    return Reply(404, error(404, "notFound", "Not found.")) if problem.rule == "path" else Reply(400, INVALID)


def odd_pagemap(body):
    """Page maps hold what a site put there: text that is no date, an empty list."""
    first, second, *rest = body["items"]
    first = first | {"pagemap": {"metatags": [{"article:published_time": "last spring"}]}}
    return body | {"items": [first, second | {"pagemap": {"metatags": []}}, *rest]}


VENDOR = Vendor(
    name="google_cse",
    origin="https://customsearch.googleapis.com",
    key={"GOOGLE_CUSTOM_SEARCH_API_KEY": KEY, "GOOGLE_CUSTOM_SEARCH_CX": CX},
    endpoints=(Endpoint("GET", "/customsearch/v1", SCHEMA, EXAMPLE, rule=rule),),
    fields=Fields(url="link"),
    wanted=wanted,
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=envelope(request, total="0")),
    refuse=refuse,
    authorize=lambda request: None if request.query.get("key") == [KEY] else Reply(400, BAD_KEY),
    own={
        "bad_key": saying("auth", 400, BAD_KEY),
        "bad_key_without_details": saying("auth", 400, BAD_KEY_WITHOUT_DETAILS),
        "bad_value": saying("vendor_param", 400, INVALID),
        "not_enabled": saying("auth", 403, error(403, "accessNotConfigured", "Not enabled.", "PERMISSION_DENIED")),
        "daily_limit": saying("quota", 403, error(403, "dailyLimitExceeded", "Billing must be enabled.")),
        "quota_per_day": saying("quota", 429, quota("per day")),
        "rate_limited": saying("transient", 429, quota("per minute")),
        "unavailable_json": saying("transient", 503, error(503, "backendError", "Backend Error", "UNAVAILABLE")),
        "odd_pagemap": succeeding(odd_pagemap),
    },
)
