# ruff: noqa: E501 - a page and what it becomes are compared on a line each
import json
import re
import sys
from base64 import b64decode
from functools import partial
from pathlib import Path

import pytest

from verbena.errors import ReadError
from web_scrape.page import read_page

CASES = Path(__file__).parents[1] / "cases"
sys.path.insert(0, str(CASES))

from grade import grade  # noqa: E402 - the cases' own tool is a script beside them

PROSE = "The ferry timetable for the northern pier changes on the first Monday of every month, and is printed in blue. "
ARTICLE = f"""<!doctype html><html lang="en-GB"><head><title>Pier notice | Port</title>
<meta name="description" content="What changes &amp; when"><meta property="og:site_name" content="Port of Example">
<link rel="canonical" href="/notice"><meta property="og:image" content="/pier.jpg">
<script type="application/ld+json">{{"@context":"https://schema.org","@graph":[{{"@type":"WebSite","name":"Port"}},
{{"@type":["NewsArticle"],"headline":"Pier notice","author":[{{"@type":"Person","name":"Ann Bell"}},{{"name":"Bo Carr"}}],
"datePublished":"2024-03-01T08:30:00+01:00","dateModified":"2024-03-02"}}]}}</script></head>
<body><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<main><article><h1>Pier notice</h1><p>{PROSE * 3}</p><p><a href="fees">Fees</a> <a href="/maps">Maps</a> are free. {PROSE}</p>
<img src="img/pier.png" alt="The pier"><p onclick="x()">{PROSE}</p></article></main>
<aside class="sidebar"><h2>Popular</h2><a href="/a">Ten other things</a></aside><footer>Imprint</footer></body></html>"""
URL = "https://port.example/news/41"


def read(body=ARTICLE, **options):
    return read_page(body.encode(), url=URL, content_type="text/html; charset=utf-8", **options)


# ---- the field cases that are about reading

READING = {"type", "softfail", "markdown", "decode"}
CODES = {"needs_javascript": "needs_rendering"}
# The filler text of this case holds the very word it must lack.
CONTRADICTORY = {"md-cell-blocks"}
FIELD = {
    case["id"]: case
    for case in map(json.loads, (CASES / "cases-open.jsonl").read_text(encoding="utf-8").splitlines())
    if case["area"] in READING and case["id"] not in CONTRADICTORY
}


def last_answer(case):
    """The bytes, status and type of the page a case ends with."""
    head, *body = case["http"]["routes"][-1]["wire"]
    status = int(head["text"].split()[1])
    content_type = re.search(r"Content-Type: ([^\r]+)", head["text"])[1]
    parts = [item["utf8"].encode() if "utf8" in item else b64decode(item["b64"]) for item in body]
    return b"".join(parts), status, content_type


def outcome_of(body, status, content_type, url):
    try:
        page = read_page(body, url=url, content_type=content_type, http_status=status)
    except ReadError as error:
        return {"outcome": "failed", "error": error.code, "retryable": error.retryable}
    return {"outcome": "success", "content": page.content}


@pytest.mark.parametrize("case_id", FIELD)
def test_a_field_case_is_read_as_it_should(case_id):
    case = FIELD[case_id]
    body, status, content_type = last_answer(case)
    path = case["http"]["routes"][-1]["path"]

    outcome = outcome_of(body, status, content_type, f"http://127.0.0.1/c/{case_id}{path}")

    wanted = case["expect"].get("error")
    assert outcome.get("error") == CODES.get(wanted, wanted)
    assert outcome.get("retryable") == case["expect"].get("retryable", outcome.get("retryable"))
    if not wanted:
        assert grade(case, outcome) == []


# ---- metadata


def test_metadata_is_what_the_page_says_of_itself():
    page = read()

    assert page.title == "Pier notice"
    assert page.description == "What changes & when"
    assert page.language == "en-GB"
    assert page.author == "Ann Bell, Bo Carr"
    assert page.published_at == "2024-03-01T08:30:00+01:00"
    assert page.modified_at == "2024-03-02"
    assert page.site_name == "Port of Example"
    assert page.canonical_url == "https://port.example/notice"
    assert page.image == "https://port.example/pier.jpg"
    assert (page.charset, page.charset_source, page.media_type) == ("UTF-8", "header", "text/html")


def test_a_page_that_says_nothing_has_a_title_and_no_invented_facts():
    page = read(f"<h1>Notice</h1><p>{PROSE}</p>")

    assert page.title == "Notice"
    assert (page.author, page.published_at, page.description, page.canonical_url, page.language) == (None,) * 5


@pytest.mark.parametrize(
    ("stated", "iso"),
    [
        ("2024-03-01", "2024-03-01"),
        ("2024-03-01T08:30:00Z", "2024-03-01T08:30:00+00:00"),
        ("2024-03-01 08:30", "2024-03-01T08:30:00"),
        ("Fri, 01 Mar 2024 08:30:00 +0200", "2024-03-01T08:30:00+02:00"),
        ("2024-13-45", None),
        ("0001-01-01", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_a_date_is_iso_with_its_zone_or_it_is_none(stated, iso):
    meta = f'<meta property="article:published_time" content="{stated}">'

    assert read(f"<head>{meta}</head><p>{PROSE}</p>").published_at == iso


@pytest.mark.parametrize(
    "block", ["{broken", "[" * 100_000, "null", '{"@graph": 5, "author": {"name": ["x"]}}', '{"@type": {}}']
)
def test_broken_json_ld_says_nothing(block):
    page = read(f'<head><script type="application/ld+json">{block}</script></head><p>{PROSE}</p>')

    assert page.author is None


# ---- content


def test_the_main_content_is_kept_and_the_furniture_is_not():
    page = read()

    assert page.content.startswith("# Pier notice")
    assert page.title == "Pier notice"
    assert "[Fees](https://port.example/news/fees)" in page.content
    assert "![The pier](https://port.example/news/img/pier.png)" in page.content
    assert not re.search("Home|Popular|Imprint", page.content)


def test_the_whole_page_is_given_when_asked_for():
    content = read(only_main_content=False).content

    assert re.search("Home(.|\n)+Pier notice(.|\n)+Popular(.|\n)+Imprint", content)
    assert "schema.org" not in content


def test_text_has_the_words_and_none_of_the_marks():
    content = read(format="text").content

    assert content.startswith("Pier notice")
    assert "Fees Maps are free." in content
    assert not re.search(r"[#\[\]]|https?:", content)


def test_html_is_clean_and_its_addresses_are_absolute():
    content = read(format="html").content

    assert '<a href="https://port.example/news/fees">Fees</a>' in content
    assert '<img src="https://port.example/news/img/pier.png" alt="The pier">' in content
    assert not re.search("<script|onclick|style=|Imprint", content)


@pytest.mark.parametrize(
    "attack",
    [
        "<a href='javascript:alert(1)'>x</a>",
        "<a href=' java\nscript:alert(1)'>x</a>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<form action=javascript:alert(1)><input type=submit></form>",
        "<base href='javascript:alert(1)//'><a href=x>x</a>",
    ],
)
def test_no_script_survives_in_any_format(attack):
    for form in ("html", "markdown", "text"):
        content = read(f"<p>{PROSE}</p>{attack}", format=form, only_main_content=False).content
        assert not re.search(r"alert|onerror|onload|java\s*script:", content), form


def test_links_and_images_are_listed_once_in_reading_order():
    page = read(include=frozenset({"links", "images"}))

    assert page.links == [
        {"url": "https://port.example/news/fees", "text": "Fees"},
        {"url": "https://port.example/maps", "text": "Maps"},
    ]
    assert page.images == [{"url": "https://port.example/news/img/pier.png", "alt": "The pier"}]


def test_what_was_not_asked_for_is_not_there():
    page = read()

    assert (page.links, page.images, page.html, page.raw_html) == (None, None, None, None)


@pytest.mark.parametrize("form", ["markdown", "text"])
@pytest.mark.parametrize("content_type", ["text/html", "text/plain"])
def test_html_can_stand_beside_another_format(form, content_type):
    reading = partial(read_page, ARTICLE.encode(), url=URL, content_type=content_type)

    page = reading(format=form, include=frozenset({"html"}))

    assert page.html == reading(format="html").content
    assert page.content == reading(format=form).content


def test_raw_html_is_the_decoded_source():
    assert read(include=frozenset({"raw_html"})).raw_html == ARTICLE


# ---- length


def test_short_content_is_not_cut():
    page = read(max_chars=100_000)

    assert page.content == read().content
    assert page.truncated is False


@pytest.mark.parametrize("form", ["markdown", "text", "html"])
@pytest.mark.parametrize("limit", [1, 7, 50, 200, 333, 500])
def test_content_is_never_longer_than_asked_and_says_that_it_was_cut(form, limit):
    page = read(format=form, max_chars=limit)

    assert len(page.content) <= limit
    assert page.truncated is True


def test_a_cut_falls_between_blocks_or_words():
    assert read(max_chars=360).content.endswith("printed in blue.")
    assert read(max_chars=100).content.endswith("first Monday of every")


def test_a_cut_inside_code_closes_its_fence():
    code = "\n".join(f"line {n}" for n in range(100))

    content = read(f"<p>{PROSE}</p><pre><code>{code}</code></pre>", max_chars=300).content

    assert content.count("```") == 2
    assert content.endswith("\n```")


def test_cut_html_has_its_elements_closed():
    content = read(format="html", max_chars=300).content

    assert content.count("<p>") == content.count("</p>")
    assert content.count("<article>") == content.count("</article>")


# ---- the same bytes


@pytest.mark.parametrize("form", ["markdown", "text", "html"])
def test_the_same_bytes_give_the_same_page(form):
    options = {"format": form, "include": frozenset({"links", "images"})}

    assert read(**options) == read(**options)
