"""DuckDuckGo's Instant Answers: JSON that calls itself JavaScript, and mostly empty."""

from tests.doubles import corpus
from tests.doubles.contract import Endpoint, Reply, Vendor, saying, succeeding
from tests.doubles.surprises import Fields
from tests.doubles.words import choice, record, text

JAVASCRIPT = "application/x-javascript"
SWITCH = choice(0, 1)

SCHEMA = record(
    "q",
    "format",
    q=text(),
    format=choice("json"),
    no_html=SWITCH,
    skip_disambig=SWITCH,
    no_redirect=SWITCH,
    pretty=SWITCH,
    t=text(),
)
EXAMPLE = {"q": "heat pump", "format": "json", "no_html": "1", "skip_disambig": "1", "no_redirect": "1", "t": "our-app"}
NAMES = (
    "Abstract AbstractSource AbstractText AbstractURL Answer AnswerType Definition DefinitionSource DefinitionURL"
    " Entity Heading Image ImageHeight ImageIsLogo ImageWidth Infobox Redirect Type"
)
NOTHING = dict.fromkeys(NAMES.split(), "") | {"RelatedTopics": [], "Results": [], "meta": None}
GROUPED = 3


def hit(page, request):
    url = f"https://duckduckgo.com/{page.title.replace(' ', '_').replace(',', '')}"
    return {
        "FirstURL": url,
        "Icon": {"Height": "", "URL": "", "Width": ""},
        "Result": f'<a href="{url}">{page.title}</a>',
        "Text": f"{page.title} - {page.text}",
    }


def wrap(request, hits):
    """Topics, and from the fourth on in a group."""
    topics = hits[:GROUPED]
    if hits[GROUPED:]:
        topics = [*topics, {"Name": "See also", "Topics": hits[GROUPED:]}]
    return NOTHING | {"Heading": request.asked["q"], "RelatedTopics": topics, "Type": "A"}


def answered(request):
    """An article with its abstract, the official site, five topics."""
    query = request.asked["q"]
    if query.startswith("!"):
        return banged(request)
    article, site, *topics = corpus.search(query, count=7)
    about = {
        "Abstract": article.text,
        "AbstractText": article.text,
        "AbstractURL": article.url,
        "AbstractSource": "Wiki",
    }
    image = {"Image": "/i/0a1b2c3d.png", "ImageHeight": 300, "ImageIsLogo": 0, "ImageWidth": 400}
    official = hit(site, request) | {"FirstURL": site.url, "Text": "Official site"}
    body = wrap(request, [hit(page, request) for page in topics]) | about | image | {"Results": [official]}
    return Reply(body=body, content_type=JAVASCRIPT)


def banged(request):
    """A query that begins with ! is sent away, unless `no_redirect` asks for the address in the body."""
    target = "https://bang.example.org/"
    if request.asked.get("no_redirect"):
        return Reply(body=NOTHING | {"Redirect": target}, content_type=JAVASCRIPT)
    return Reply(303, "", headers={"Location": target})


def refuse(problem):
    """The vendor ignores what it does not know; a double says so."""
    status = 404 if problem.rule == "path" else 400
    return Reply(status, f"{problem.where} {problem.name}: {problem.message}", "text/plain")


def javascript(expected_class, status, body):
    return saying(expected_class, status, body, JAVASCRIPT)


VENDOR = Vendor(
    name="duckduckgo",
    origin="https://api.duckduckgo.com",
    key={},
    endpoints=(Endpoint("GET", "/", SCHEMA, EXAMPLE, answer=answered),),
    fields=Fields(url="FirstURL", title=None, snippet="Text"),
    wanted=lambda request: corpus.search(request.asked["q"], count=5),
    hit=hit,
    wrap=wrap,
    empty=lambda request: Reply(body=NOTHING, content_type=JAVASCRIPT),
    refuse=refuse,
    authorize=lambda request: None,
    content_type=JAVASCRIPT,
    own={
        "blocked": saying("transient", 202, "<html><p>Are you a person?</html>", "text/html"),
        "blocked_with_empty_json": javascript("transient", 202, NOTHING),
        "rate_limited": saying("transient", 429),
        "answer_as_object": succeeding(
            lambda body: body | {"Answer": {"from": "calculator", "id": "calc", "result": ""}}
        ),
        "abstract_only": succeeding(lambda body: body | {"RelatedTopics": [], "Results": []}),
        "disambiguation": succeeding(
            lambda body: body | NOTHING | {"RelatedTopics": body["RelatedTopics"], "Type": "D"}
        ),
    },
)
