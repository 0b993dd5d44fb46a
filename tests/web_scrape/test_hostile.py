# ruff: noqa: E501 - a page and what it becomes are compared on a line each
import contextlib
import random
import time

import pytest

from verbena.errors import ReadError
from web_scrape.page import read_page
from web_scrape.tree import MAX_TAGS, parse

PROSE = "<p>The ferry timetable for the northern pier changes on the first Monday of every month, printed in blue.</p>"
# Generous for a loaded machine; what it guards against takes minutes or does not end.
BOUND_S = 8

HOSTILE = {
    "100,000 nested divs": b"<div>" * 100_000 + b"<p>deep</p>" + b"</div>" * 100_000,
    "30,000 nested spans": b"<p>" + b"<span>" * 30_000 + b"deep",
    "10,000 nested lists": b"<ul><li>" * 10_000 + b"deep",
    "10,000 nested quotes": b"<blockquote>" * 10_000 + b"deep",
    "5,000 nested tables": b"<table><tr><td>" * 5_000 + b"deep",
    "unclosed formatting": b"".join(b"<p><font size=%d>x " % n for n in range(20_000)),
    "formatting opened again in every block": b"".join(b"<b id=%d>" % n for n in range(400)) + b"<p>x</p>" * 10_000,
    "one text of 5 MB": b"<p>" + b"lorem ipsum " * 430_000,
    "one word of 2 MB": b"<p>" + b"x" * 2_000_000,
    "entities without end": b"<p>" + b"&amp;&nosuch;&#x26;&lt" * 100_000,
    "NUL bytes": b"<p>a\x00b</p>" * 5_000 + b"<!doctype html>",
    "200,000 tags": b"<b></b><i></i>" * 50_000,
    "wide spans": b"<table>" + b"<tr><td colspan=1000 rowspan=65534>x</td></tr>" * 3_000 + b"</table>",
    "stars and brackets": b"<p>" + b"*_[`<" * 100_000,
    "open brackets": b"<p>" + b"[" * 200_000,
    "white space": b"<p>a" + b" \n" * 500_000 + b"b",
    "breaks": b"<p>a" + b"<br>" * 20_000 + b"b",
    "nested links": b"<a href=/x>" * 20_000 + b"x",
    "attributes": b"<p " + b" ".join(b"a%d=1" % n for n in range(100_000)) + b">x</p>",
    "style": b"<p style='" + b"display:" * 100_000 + b"'>x</p>",
    "srcset": b"<p>x<img srcset='" + b"a," * 200_000 + b"'>",
    "open meta": b"<meta " * 50_000,
    "open comment": b"<!--" * 100_000 + PROSE.encode(),
    "doctypes": b"<?xml version='1.0'?>" + b"<!DOCTYPE a [" * 20_000,
    "ampersands in a feed": b"<?xml version='1.0'?><rss><channel><title>" + b"& " * 200_000,
    "open cdata": b"<?xml version='1.0'?><rss><channel><title>" + b"<![CDATA[" * 50_000,
    "nested mathematics": b"<math>" + b"<mrow><msup>" * 30_000 + b"<mi>x",
    "deep json": b"[" * 200_000,
    "json-ld": b"<script type=application/ld+json>" + b'{"a":' * 100_000 + b"</script>" + PROSE.encode(),
    "links in headings": b"<h2><a href='#a'>x</a></h2>" * 20_000,
    "hidden": b"<div style='display:none'>" * 400 + PROSE.encode() * 100,
    "classes": b"<div class='" + b"nav-" * 100_000 + b"'>x</div>" + PROSE.encode() * 5,
    "noscripts": b"<noscript><img src=/a.png></noscript>" * 20_000,
    "login words": b"<title>" + b"log in 404 not " * 20_000 + b"</title>",
    "buttons": b"<h1>consent</h1>" + b"<button>accept all</button>" * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_page_ends_in_bounded_time(body):
    started = time.process_time()
    for form in ("markdown", "html", "text"):
        with contextlib.suppress(ReadError):  # a typed refusal is an answer
            read_page(body, url="https://h.example/", content_type="text/html", format=form, max_chars=10_000)

    assert time.process_time() - started < BOUND_S


@pytest.mark.parametrize(
    "nest", ["<div>", "<span>", "<ul><li>", "<blockquote>", "<table><tr><td>", "<b>", "<font>", "<x-y>"]
)
def test_words_at_any_depth_are_kept(nest):
    page = f"<body>{nest * 400}<p>the word at the bottom</p>"

    content = read_page(page.encode(), url="https://h.example/", content_type="text/html").content

    assert "the word at the bottom" in content.replace("*", "")


def test_a_page_with_more_tags_than_can_be_read_in_time_says_it_was_cut():
    document, cut = parse("<br>" * (MAX_TAGS + 1))

    assert cut is True
    assert len(document.find_all("br")) == MAX_TAGS


def test_mutated_markup_never_ends_in_anything_but_a_page_or_a_typed_refusal():
    seed = random.Random(7)  # noqa: S311 - reproducible noise, not a secret
    page = bytearray(
        f"""<!doctype html><html lang=en><head><base href="/a/"><title>T</title><meta charset=utf-8>
        <script type="application/ld+json">{{"@type":"Article","author":{{"name":"A"}}}}</script></head><body>
        <h1>T <a href="#t">¶</a></h1>{PROSE * 3}<table><tr><th colspan=2>a</th></tr><tr><td rowspan=2>b</td></tr></table>
        <ul><li>x<ol start=3><li>y</ol></ul><dl><dt>a<dd>b</dl><pre class="language-c">int x;</pre>
        <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math><img data-src=/i.png alt=i><noscript><img src=/j.png></noscript>
        </body></html>""".encode()
    )
    for _ in range(600):
        body = bytearray(page)
        for _ in range(seed.randint(1, 12)):
            at = seed.randrange(len(body))
            if seed.random() < 0.4:
                del body[at : at + seed.randint(1, 30)]
            elif seed.random() < 0.5:
                body[at] = seed.randrange(256)
            else:
                other = seed.randrange(len(page))
                body[at:at] = page[other : other + seed.randint(1, 60)]
        try:
            read_page(bytes(body), url="https://h.example/p", content_type=seed.choice(["text/html", None, "text/xml"]))
        except ReadError:
            continue
