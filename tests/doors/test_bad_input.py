"""Bad input: each its typed answer, and nothing held or billed beyond what ran."""

import base64
import json

import pytest

from tests.doors.conftest import FUNDS
from verbena.catalog import CATALOG

SCRAPE = "/v1/web/scrape"
UNTOUCHED = (FUNDS, 0)
URL = "https://e.invalid/"

WRONG = {
    "no list": ({}, "urls", "add this field"),
    "an empty list": ({"urls": []}, "urls", "send at least one"),
    "an empty list as text": ({"urls": "[]"}, "urls", "send at least one"),
    "10,001 URLs": ({"urls": [URL] * 10_001}, "urls", "send fewer; split the list into several calls"),
    "one URL as text": ({"urls": URL}, "urls", "send a JSON list"),
    "text that is almost a list": ({"urls": "[oops"}, "urls", "send a JSON list"),
    "null": ({"urls": None}, "urls", "send a JSON list"),
    "an object": ({"urls": {"0": URL}}, "urls", "send a JSON list"),
    "a number in the list": ({"urls": [URL, 7]}, "urls.1", "send a string"),
    "null in the list": ({"urls": [None]}, "urls.0", "send a string"),
    "a list in the list": ({"urls": [[URL]]}, "urls.0", "send a string"),
    "numbers in a list as text": ({"urls": "[1]"}, "urls.0", "send a string"),
    "a negative limit": ({"urls": [URL], "max_chars": -1}, "max_chars", "greater than or equal to 1"),
    "a limit of none": ({"urls": [URL], "max_chars": 0}, "max_chars", "greater than or equal to 1"),
    "a limit that is a fraction": ({"urls": [URL], "max_chars": 1.5}, "max_chars", "send a whole number"),
    "a limit that is a word": ({"urls": [URL], "max_chars": "many"}, "max_chars", "send a whole number"),
    "no time": ({"urls": [URL], "timeout_s": 0}, "timeout_s", "greater than or equal to 1"),
    "negative time": ({"urls": [URL], "timeout_s": -5}, "timeout_s", "greater than or equal to 1"),
    "too much time": ({"urls": [URL], "timeout_s": 31}, "timeout_s", "less than or equal to 30"),
    "an unknown format": ({"urls": [URL], "format": "pdf"}, "format", "markdown"),
    "more parts than there are": ({"urls": [URL], "include": ["links"] * 120_000}, "include", "send fewer"),
    "text nested beyond reason": ({"urls": "[" * 100_000}, "urls", "send a JSON list"),
    "an unknown part": ({"urls": [URL], "include": ["cookies"]}, "include.0", "links"),
    "a flag that is a word": ({"urls": [URL], "only_main_content": "maybe"}, "only_main_content", "send true or false"),
    "async that is a list": ({"urls": [URL], "async": []}, "async", "send true or false"),
    "a negative bound": ({"urls": [URL], "max_charge_micros": -1}, "max_charge_micros", "greater than or equal to 0"),
    "a bound beyond all money": ({"urls": [URL], "max_charge_micros": 10**50}, "max_charge_micros", "less than"),
    "an empty key": ({"urls": [URL], "idempotency_key": ""}, "idempotency_key", "at least 1"),
    "a key that is too long": ({"urls": [URL], "idempotency_key": "k" * 257}, "idempotency_key", "at most 256"),
    "a key that is a number": ({"urls": [URL], "idempotency_key": 7}, "idempotency_key", "send a string"),
    "an unknown field": ({"urls": [URL], "onlyMainContent": True}, "onlyMainContent", "'only_main_content'"),
    "a field in the singular": ({"url": URL, "urls": [URL]}, "url", "did you mean 'urls'?"),
    "an option misspelt": ({"urls": [URL], "asynch": True}, "asynch", "did you mean 'async'?"),
    "a field of another verb": ({"urls": [URL], "query": "x"}, "query", "remove it; the fields are urls, format"),
    "an inner name": ({"urls": [URL], "async_": True}, "async_", "did you mean 'async'?"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_shape_is_refused_by_field_with_its_fix(caller, name):
    body, field, fix = WRONG[name]

    answer = caller.post(SCRAPE, body)

    assert (answer.status, answer.code) == (422, "invalid_input")
    problems = {problem["field"]: problem for problem in answer.json["error"]["details"]["fields"]}
    assert list(problems) == [field]
    assert fix in problems[field]["fix"]
    assert caller.wallet == UNTOUCHED


def test_every_wrong_field_is_named_at_once(caller):
    answer = caller.post(SCRAPE, {"urls": [], "max_chars": -1, "oops": 1, "partial": "maybe"})

    fields = {problem["field"] for problem in answer.json["error"]["details"]["fields"]}
    assert fields == {"urls", "max_chars", "oops", "partial"}
    for field in fields:
        assert field in answer.json["error"]["message"]
    assert caller.wallet == UNTOUCHED


MANY_FAULTS = {
    "10,000 wrong items": ({"urls": [7] * 10_000}, "(9,980 more)"),
    "30,000 unknown fields": ({"urls": [URL], **{f"f{n}": 1 for n in range(30_000)}}, "(29,980 more)"),
    "a name of a million letters": ({"urls": [URL], "x" * 1_000_000: 1}, "x" * 100),
}


@pytest.mark.parametrize("name", MANY_FAULTS)
def test_an_answer_is_short_however_much_is_wrong(caller, name):
    body, last = MANY_FAULTS[name]

    answer = caller.post(SCRAPE, body)

    assert (answer.status, answer.code) == (422, "invalid_input")
    assert answer.json["error"]["details"]["fields"][-1]["field"] == last
    assert len(answer.body) < 10_000


def unbounded(schema):
    """Every text and list below a schema that may be of any length."""
    match schema:
        case {"type": "string"} if not schema.keys() & {"maxLength", "enum", "const", "pattern"}:
            return [schema]
        case {"type": "array"} if "maxItems" not in schema:
            return [schema]
        case dict():
            return [found for part in schema.values() for found in unbounded(part)]
        case list():
            return [found for part in schema for found in unbounded(part)]
    return []


@pytest.mark.parametrize("verb", CATALOG, ids=lambda verb: verb.name)
def test_every_text_and_list_beside_the_items_has_a_bound_so_that_a_part_fits_its_message(verb):
    schema = verb.input.model_json_schema()
    schema["properties"].pop(verb.mode.items, None)

    assert unbounded(schema) == []


def test_a_refusal_does_not_repeat_what_was_sent(caller):
    answer = caller.post(SCRAPE, {"urls": "pw-91" * 99, "format": "pw-91", "max_chars": "pw-91"})

    assert answer.status == 422
    assert b"pw-91" not in answer.body


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "urls=https://e.invalid",
        "[]",
        "null",
        '"urls"',
        "NaN",
        '{"urls": [NaN]}',
        '{"urls": ["https://e.invalid"],}',
        '{"urls": ["\\ud800"]}',
        "{'urls': []}",
        "[" * 100_000,
        '{"a":' * 100_000,
        "\ufeff{}",
    ],
    ids=lambda body: body[:16] or "nothing",
)
def test_what_is_no_json_object_is_refused(caller, body):
    answer = caller.send("POST", SCRAPE, body)

    assert (answer.status, answer.code) == (400, "invalid_json")
    assert len(answer.body) < 1000
    assert caller.wallet == UNTOUCHED


@pytest.mark.parametrize("body", [b"\xff\xfe{}", b"\x80", b'{"urls": ["\xc3\x28"]}', b"\x1f\x8b\x08\x00"])
def test_bytes_that_are_no_text_are_refused(gateway, caller, body):
    headers = {"X-API-Key": caller.key}

    answer = gateway.send("POST", SCRAPE, base64.b64encode(body).decode(), headers, is_base64=True)

    assert (answer.status, answer.code) == (400, "invalid_json")


@pytest.mark.parametrize("body", ["not base64!", "e30", "\u00e9"])
def test_a_body_that_the_gateway_encoded_wrong_is_refused(gateway, caller, body):
    answer = gateway.send("POST", SCRAPE, body, {"X-API-Key": caller.key}, is_base64=True)

    assert (answer.status, answer.code) == (400, "invalid_json")


@pytest.mark.parametrize("is_base64", [False, True])
def test_a_body_of_two_mebibytes_is_read_and_one_byte_more_is_not(gateway, caller, is_base64):
    headers = {"X-API-Key": caller.key}
    padding = 2 * 1024 * 1024 - len(json.dumps({"urls": [], "x": ""}))

    def send(size):
        body = json.dumps({"urls": [], "x": "y" * size})
        sent = base64.b64encode(body.encode()).decode() if is_base64 else body
        return gateway.send("POST", SCRAPE, sent, headers, is_base64=is_base64)

    assert send(padding).code == "invalid_input"
    over = send(padding + 1)
    assert (over.status, over.code) == (413, "request_too_large")
    assert over.json["error"]["details"] == {"size_bytes": 2_097_153, "limit_bytes": 2_097_152}


def test_size_is_counted_in_bytes_not_in_characters(caller):
    answer = caller.send("POST", SCRAPE, json.dumps({"urls": ["\U0001f600" * 600_000]}, ensure_ascii=False))

    assert answer.status == 413


NO_URLS = [
    "",
    " ",
    "\x00",
    "e.invalid",
    "//e.invalid/path",
    "/path",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "ftp://e.invalid/",
    "data:text/html,x",
    "http://",
    "http://[::1",
    "http://exa mple.invalid/",
    "http://256.256.256.256/",
    "http://e.invalid:99999/",
    "http://user@e.invalid/",
    "https://e.invalid/" + "x" * 2048,
    "https://e.invalid/" + "x" * 8192,
]


def test_strings_that_are_no_urls_get_their_rows_unbilled_and_run_nothing(caller):
    answers = [caller.scrape(NO_URLS[start : start + 5]) for start in range(0, len(NO_URLS), 5)]

    rows = [row for answer in answers for row in answer.json["results"]]
    assert [row["status"] for row in rows] == ["failed"] * len(NO_URLS)
    assert {row["error"]["code"] for row in rows} == {"invalid_url"}
    assert {row["error"]["retryable"] for row in rows} == {False}
    assert [answer.json["usage"]["charge_micros"] for answer in answers] == [0] * 4
    assert caller.wallet == UNTOUCHED


def test_strings_that_are_no_urls_are_not_even_quoted(caller, site):
    answer = caller.scrape([*NO_URLS, site], dry_run=True)

    assert answer.json["meta"]["quote"] == {"units": {"web_crawl": 1}, "max_charge_micros": 1000}
    assert answer.json["results"] == []
    assert caller.wallet == UNTOUCHED


def test_one_bad_url_among_good_ones_fails_alone(caller, site):
    answer = caller.scrape([f"{site}/1", "javascript:alert(1)", f"{site}/2"])

    rows = answer.json["results"]
    assert [(row["index"], row["status"]) for row in rows] == [(0, "success"), (1, "failed"), (2, "success")]
    assert [row["url"] for row in rows] == [f"{site}/1", "javascript:alert(1)", f"{site}/2"]
    assert caller.wallet == (FUNDS - 2000, 0)


@pytest.mark.parametrize("url", ["https://u:pw-91@e.invalid/", "https://u:pw-91@e.invalid:99999/", "http://u:pw-91@/"])
def test_a_password_in_a_url_is_refused_and_shown_nowhere(caller, logged, url):
    answers = [caller.scrape([url]), caller.scrape([url], **{"async": True})]
    job = answers[1].json["job_id"]
    caller.delete(f"/v1/jobs/{job}")
    answers.append(caller.get(f"/v1/jobs/{job}?limit=10"))

    assert answers[0].json["results"][0]["error"]["code"] == "invalid_url"
    assert answers[2].json["results"][0]["error"]["code"] == "invalid_url"
    assert not any(b"pw-91" in answer.body for answer in answers)
    assert "pw-91" not in logged()


def test_a_unicode_host_is_read_under_its_ascii_name_and_echoed_as_it_was_sent(caller, site):
    port = site.rpartition(":")[2]
    # Full-width digits and ideographic full stops: IDNA maps them to 127.0.0.1.
    spelt = f"http://\uff11\uff12\uff17\u30020\u30020\u30021:{port}/wide"

    (row,) = caller.scrape([spelt]).json["results"]

    assert (row["status"], row["url"]) == ("success", spelt)
    assert row["metadata"]["final_url"] == f"{site}/wide"


@pytest.mark.parametrize("host", ["b\u00fccher.invalid", "\u4f8b\u3048.\u30c6\u30b9\u30c8.invalid", "xn--.invalid"])
def test_a_unicode_host_that_is_nobodys_is_a_typed_failure(caller, host):
    (row,) = caller.scrape([f"http://{host}/"], timeout_s=2).json["results"]

    assert row["status"] == "failed"
    assert row["error"]["code"] in {"dns_failure", "invalid_url"}
    assert caller.wallet == UNTOUCHED


@pytest.mark.parametrize(
    ("target", "field"),
    [
        ("/v1/jobs?limit=-1", "limit"),
        ("/v1/jobs?limit=101", "limit"),
        ("/v1/jobs?limit=many", "limit"),
        ("/v1/jobs?before=yesterday", "before"),
        ("/v1/jobs?lmit=3", "lmit"),
        ("/v1/usage?from=2026-02-30", "from"),
        ("/v1/usage?from=0001-01-01", "from"),
        ("/v1/usage?to=1999-12-31", "to"),
        ("/v1/usage?from=2026-03-01&to=2026-02-01", "from"),
        ("/v1/usage?since=2026-03-01", "since"),
        ("/v1/wallet?owner=somebody", "owner"),
    ],
)
def test_a_wrong_query_is_refused_by_name(caller, target, field):
    answer = caller.get(target)

    assert (answer.status, answer.code) == (422, "invalid_input")
    assert [problem["field"] for problem in answer.json["error"]["details"]["fields"]] == [field]


def test_a_path_without_parameters_says_that_it_takes_none(caller):
    (problem,) = caller.get("/v1/wallet?owner=somebody").json["error"]["details"]["fields"]

    assert problem["fix"] == "remove it; there are no fields"


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "limit=-5", "cursor=-1", "limit=1&cursor=x", "page=2"])
def test_a_wrong_page_of_a_job_is_refused(caller, query):
    job = caller.scrape([URL], **{"async": True}).json["job_id"]

    assert caller.get(f"/v1/jobs/{job}?{query}").code == "invalid_input"


@pytest.mark.parametrize("job", ["x", "0" * 31, "0" * 33, "0" * 32, "G" * 32, "..", "%2e%2e", "\u0660" * 32])
def test_an_id_of_no_job_is_not_found(caller, job):
    for method, target in [("GET", ""), ("DELETE", ""), ("POST", "/resume"), ("GET", "/rows/0")]:
        answer = caller.send(method, f"/v1/jobs/{job}{target}")
        assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/web", "/v1/web/scrape/", "/v1/jobs/", "/v3/web/scrape", "/favicon.ico"]
)
def test_a_path_that_is_nothing_is_not_found(caller, path):
    for method in ("GET", "POST") if path != "/v1/web/scrape/" else ("POST",):
        answer = caller.send(method, path) if path != "/v1/jobs/" else caller.get(path)
        assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", SCRAPE, "POST"),
        ("PUT", SCRAPE, "POST"),
        ("POST", "/v1/wallet", "GET"),
        ("PATCH", f"/v1/jobs/{'0' * 32}", "DELETE, GET"),
        ("GET", f"/v1/jobs/{'0' * 32}/resume", "POST"),
        ("POST", "/openapi.json", "GET"),
    ],
)
def test_a_method_that_a_path_does_not_take_is_refused_with_those_it_takes(caller, method, path, allowed):
    answer = caller.send(method, path)

    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == allowed
