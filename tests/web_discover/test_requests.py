"""What each driver asks its vendor for: every filter in the vendor's own words (C26)."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from pydantic_core import from_json

from tests.doubles import VENDORS
from tests.web_discover.searching import LASTING, setup, wanted
from verbena.providers import Failure


def sent(name, limit=10, **more):
    """What a driver sends for a query with these filters."""
    return LASTING[name].request(wanted(**more), setup(name, limit))


def asked(name, **more):
    """The parameters of a request, by name."""
    request = sent(name, **more)
    if request.method == "POST":
        return from_json(request.body)
    return dict(parse_qsl(urlsplit(request.url).query))


def added(name, **more):
    """What a filter adds to the request that has none, or changes in it."""
    plain, filtered = asked(name), asked(name, **more)
    assert plain.keys() <= filtered.keys()
    return {key: value for key, value in filtered.items() if plain.get(key) != value}


PLAIN = {
    "brave": {"q": "otter", "count": "10", "text_decorations": "false", "result_filter": "web"},
    "tavily": {"query": "otter", "max_results": 10, "include_usage": True},
    "perplexity": {"query": "otter", "max_results": 10, "max_tokens_per_page": 512},
    "google_cse": {
        "q": "otter",
        "num": "10",
        "key": "value-of-GOOGLE_CUSTOM_SEARCH_API_KEY",
        "cx": "value-of-GOOGLE_CUSTOM_SEARCH_CX",
    },
    "exa": {"query": "otter", "type": "auto", "numResults": 10, "contents": {"highlights": True}},
    "serper": {"q": "otter", "num": 10},
    "searxng": {"q": "otter", "format": "json"},
    "linkup": {"q": "otter", "depth": "standard", "outputType": "searchResults", "maxResults": 10},
    "baidu": {
        "messages": [{"role": "user", "content": "otter"}],
        "search_source": "baidu_search_v2",
        "resource_type_filter": [{"type": "web", "top_k": 10}],
    },
    "duckduckgo": {
        "q": "otter",
        "format": "json",
        "no_html": "1",
        "skip_disambig": "1",
        "no_redirect": "1",
        "t": "verbena",
    },
}
ADDRESSES = {
    "brave": "https://brave.test/res/v1/web/search",
    "tavily": "https://tavily.test/search",
    "perplexity": "https://perplexity.test/search",
    "google_cse": "https://google_cse.test/customsearch/v1",
    "exa": "https://exa.test/search",
    "serper": "https://serper.test/search",
    "searxng": "https://searxng.test/search",
    "linkup": "https://linkup.test/v1/search",
    "baidu": "https://baidu.test/v2/ai_search/web_search",
    "duckduckgo": "https://duckduckgo.test/",
}
HEADERS = {
    "brave": ("X-Subscription-Token", "value-of-BRAVE_SEARCH_API_KEY"),
    "tavily": ("Authorization", "Bearer value-of-TAVILY_API_KEY"),
    "perplexity": ("Authorization", "Bearer value-of-PERPLEXITY_API_KEY"),
    "exa": ("x-api-key", "value-of-EXA_API_KEY"),
    "serper": ("X-API-KEY", "value-of-SERPER_API_KEY"),
    "linkup": ("Authorization", "Bearer value-of-LINKUP_API_KEY"),
    "baidu": ("Authorization", "Bearer value-of-BAIDU_API_KEY"),
}


@pytest.mark.parametrize("name", VENDORS)
def test_a_plain_query_asks_for_nothing_but_hits(name):
    request = sent(name, query="  otter ")

    assert request.url.partition("?")[0] == ADDRESSES[name]
    assert asked(name, query="  otter ") == PLAIN[name]
    told = {key: value for key, value in request.headers.items() if key != "Content-Type"}
    assert told == dict([HEADERS[name]] if name in HEADERS else [])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("brave", {"q": "otter (site:a.example OR site:b.example) -site:c.example -site:d.example"}),
        ("google_cse", {"q": "otter (site:a.example OR site:b.example) -site:c.example -site:d.example"}),
        ("serper", {"q": "otter (site:a.example OR site:b.example) -site:c.example -site:d.example"}),
        ("searxng", {"q": "otter (site:a.example OR site:b.example) -site:c.example -site:d.example"}),
        (
            "tavily",
            {"include_domains": ["a.example", "b.example"], "exclude_domains": ["c.example", "d.example"]},
        ),
        ("exa", {"includeDomains": ["a.example", "b.example"], "excludeDomains": ["c.example", "d.example"]}),
        ("linkup", {"includeDomains": ["a.example", "b.example"], "excludeDomains": ["c.example", "d.example"]}),
        (
            "baidu",
            {
                "search_filter": {"match": {"site": ["a.example", "b.example"]}},
                "block_websites": ["c.example", "d.example"],
            },
        ),
    ],
)
def test_domains_are_asked_for_and_left_out(name, words):
    domains = {"include_domains": ["a.example", "b.example"], "exclude_domains": ["c.example", "d.example"]}

    assert added(name, **domains) == words


@pytest.mark.parametrize("name", ["brave", "google_cse", "serper", "searxng"])
def test_one_domain_needs_no_brackets(name):
    assert asked(name, include_domains=["a.example"])["q"] == "otter site:a.example"


def test_perplexity_takes_domains_to_search_or_domains_to_leave_out():
    assert added("perplexity", include_domains=["a.example"]) == {"search_domain_filter": ["a.example"]}
    assert added("perplexity", exclude_domains=["a.example"]) == {"search_domain_filter": ["-a.example"]}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("brave", [{"freshness": "pd"}, {"freshness": "pw"}, {"freshness": "pm"}, {"freshness": "py"}]),
        ("tavily", [{"time_range": unit} for unit in ("day", "week", "month", "year")]),
        ("perplexity", [{"search_recency_filter": unit} for unit in ("day", "week", "month", "year")]),
        ("google_cse", [{"dateRestrict": unit} for unit in ("d1", "w1", "m1", "y1")]),
        ("serper", [{"tbs": f"qdr:{unit}"} for unit in "dwmy"]),
        ("searxng", [{"time_range": unit} for unit in ("day", "week", "month", "year")]),
        (
            "exa",
            [
                {"startPublishedDate": f"{day}T00:00:00.000Z"}
                for day in ("2026-11-30", "2026-11-24", "2026-10-31", "2025-12-01")
            ],
        ),
        ("linkup", [{"fromDate": day} for day in ("2026-11-30", "2026-11-24", "2026-10-31", "2025-12-01")]),
        (
            "baidu",
            [
                {"search_filter": {"range": {"page_time": {"gte": day, "lte": "2026-12-01"}}}}
                for day in ("2026-11-30", "2026-11-24", "2026-10-31", "2025-12-01")
            ],
        ),
    ],
)
def test_freshness_is_a_word_of_the_vendor_or_days_counted_back(name, words):
    assert [added(name, freshness=unit) for unit in ("day", "week", "month", "year")] == words


@pytest.mark.parametrize(
    ("name", "both", "first", "last"),
    [
        (
            "brave",
            {"freshness": "2026-02-03to2026-03-04"},
            {"freshness": "2026-02-03to2026-12-01"},
            {"freshness": "1970-01-01to2026-03-04"},
        ),
        (
            "tavily",
            {"start_date": "2026-02-03", "end_date": "2026-03-04"},
            {"start_date": "2026-02-03"},
            {"end_date": "2026-03-04"},
        ),
        (
            "perplexity",
            {"search_after_date_filter": "02/03/2026", "search_before_date_filter": "03/04/2026"},
            {"search_after_date_filter": "02/03/2026"},
            {"search_before_date_filter": "03/04/2026"},
        ),
        (
            "exa",
            {"startPublishedDate": "2026-02-03T00:00:00.000Z", "endPublishedDate": "2026-03-04T23:59:59.999Z"},
            {"startPublishedDate": "2026-02-03T00:00:00.000Z"},
            {"endPublishedDate": "2026-03-04T23:59:59.999Z"},
        ),
        (
            "serper",
            {"tbs": "cdr:1,cd_min:02/03/2026,cd_max:03/04/2026"},
            {"tbs": "cdr:1,cd_min:02/03/2026,cd_max:12/01/2026"},
            {"tbs": "cdr:1,cd_min:01/01/1970,cd_max:03/04/2026"},
        ),
        (
            "linkup",
            {"fromDate": "2026-02-03", "toDate": "2026-03-04"},
            {"fromDate": "2026-02-03"},
            {"toDate": "2026-03-04"},
        ),
        (
            "baidu",
            {"search_filter": {"range": {"page_time": {"gte": "2026-02-03", "lte": "2026-03-04"}}}},
            {"search_filter": {"range": {"page_time": {"gte": "2026-02-03", "lte": "2026-12-01"}}}},
            {"search_filter": {"range": {"page_time": {"gte": "1970-01-01", "lte": "2026-03-04"}}}},
        ),
    ],
)
def test_days_are_kept_as_they_are(name, both, first, last):
    after, before = {"published_after": "2026-02-03"}, {"published_before": "2026-03-04"}

    assert added(name, **after, **before) == both
    assert added(name, **after) == first
    assert added(name, **before) == last


@pytest.mark.parametrize("name", [name for name, driver in LASTING.items() if "date_range" in driver.can])
def test_of_days_and_a_freshness_the_later_beginning_is_asked_for(name):
    earlier, later = {"published_after": "2026-11-01"}, {"published_after": "2026-11-29"}

    assert added(name, freshness="week", **later) == added(name, **later)
    assert added(name, freshness="week", **earlier) == added(name, published_after="2026-11-24")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("brave", {"country": "GB"}),
        ("tavily", {"country": "united kingdom"}),
        ("perplexity", {"country": "GB"}),
        ("google_cse", {"gl": "uk"}),
        ("exa", {"userLocation": "GB"}),
        ("serper", {"gl": "gb"}),
    ],
)
def test_a_region_is_the_vendors_name_of_the_country(name, words):
    assert added(name, region="gb") == words


@pytest.mark.parametrize(
    ("name", "spellings"),
    [
        (
            "brave",
            {"en": "en", "en-GB": "en-gb", "en-US": "en", "pt": "pt-pt", "pt-BR": "pt-br", "ja-JP": "jp", "nb": "nb"}
            | {"zh": "zh-hans", "zh-TW": "zh-hant", "zh-Hant-HK": "zh-hant", "no": "nb"},
        ),
        (
            "google_cse",
            {"en-GB": "lang_en", "he": "lang_iw", "nb-NO": "lang_no", "zh": "lang_zh-CN", "zh-Hant": "lang_zh-TW"}
            | {"pt-BR": "lang_pt"},
        ),
        ("serper", {"en-GB": "en-GB", "fi": "fi", "zh-Hant": "zh-TW", "es-419": "es"}),
        ("searxng", {"en-gb": "en-GB", "fi": "fi", "zh-Hans": "zh-CN", "de-1996": "de"}),
        ("perplexity", {"en-GB": ["en"], "fi": ["fi"]}),
    ],
)
def test_a_language_is_the_vendors_spelling_of_it(name, spellings):
    found = {tag: list(added(name, language=tag).values()) for tag in spellings}

    assert found == {tag: [spelling] for tag, spelling in spellings.items()}


def test_searxng_takes_a_region_as_part_of_the_language():
    assert added("searxng", language="en-US", region="gb") == {"language": "en-GB"}
    assert sent("searxng", region="gb").kind == "vendor_param"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("brave", [{"safesearch": "off"}, {"safesearch": "moderate"}, {"safesearch": "strict"}]),
        ("google_cse", [{"safe": "off"}, {"safe": "active"}, {"safe": "active"}]),
        ("searxng", [{"safesearch": "0"}, {"safesearch": "1"}, {"safesearch": "2"}]),
        ("exa", [{"moderation": False}, {"moderation": True}, {"moderation": True}]),
        ("baidu", [{"safe_search": False}, {"safe_search": True}, {"safe_search": True}]),
    ],
)
def test_the_filter_of_adult_content_is_never_weaker_than_asked(name, words):
    assert [added(name, safe_search=level) for level in ("off", "moderate", "strict")] == words


@pytest.mark.parametrize(
    ("name", "words"),
    [("tavily", {"include_answer": True}), ("linkup", {"outputType": "sourcedAnswer"}), ("perplexity", {})],
)
def test_an_answer_is_asked_for_only_when_it_is_wanted(name, words):
    assert added(name, answer=True) == words
    assert {name for name, driver in LASTING.items() if "answer" in driver.can} == {"tavily", "linkup", "perplexity"}


def test_perplexitys_agent_must_search_with_the_same_filters():
    step = LASTING["perplexity"].then
    query = wanted(include_domains=["a.example"], freshness="week", region="gb", language="en")

    request = step.request(query, setup("perplexity"), None)

    assert request.url == "https://perplexity.test/v1/agent"
    assert from_json(request.body) == {
        "model": "perplexity/sonar",
        "input": "otter",
        "tool_choice": "required",
        "tools": [
            {
                "type": "web_search",
                "filters": {
                    "search_domain_filter": ["a.example"],
                    "search_language_filter": ["en"],
                    "search_recency_filter": "week",
                },
                "user_location": {"country": "GB"},
            }
        ],
    }


@pytest.mark.parametrize(
    ("name", "more", "field"),
    [
        ("brave", {"query": "x" * 401}, "query"),
        ("brave", {"query": "word " * 51}, "query"),
        ("brave", {"query": "word " * 40, "exclude_domains": [f"{n}.example" for n in range(11)]}, "query"),
        ("brave", {"region": "vn"}, "region"),
        ("brave", {"language": "cy"}, "language"),
        ("tavily", {"region": "aq"}, "region"),
        ("perplexity", {"include_domains": ["a.example"], "exclude_domains": ["b.example"]}, "exclude_domains"),
        ("perplexity", {"include_domains": [f"{n}.example" for n in range(21)]}, "include_domains"),
        ("perplexity", {"exclude_domains": [f"{n}.example" for n in range(21)]}, "exclude_domains"),
        ("perplexity", {"language": "yue"}, "language"),
        ("google_cse", {"language": "cy"}, "language"),
        ("searxng", {"region": "fi"}, "region"),
        ("baidu", {"include_domains": [f"{n}.example" for n in range(21)]}, "include_domains"),
    ],
)
def test_a_value_that_this_vendor_alone_refuses_is_left_to_the_next(name, more, field):
    refusal = sent(name, **more)

    assert isinstance(refusal, Failure)
    assert refusal.kind == "vendor_param"
    assert field in refusal.message
    assert LASTING[name].title.split()[0] in refusal.message
