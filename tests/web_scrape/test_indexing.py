"""Pages that ask not to be listed: said in the metadata, from the page and from its headers."""

import pytest

from verbena.errors import EmptyPage
from verbena.net import Reply
from web_scrape.cache import Seen
from web_scrape.indexing import noindex
from web_scrape.page import read_page
from web_scrape.rows import error_row, page_row

URL = "https://site.example/"


@pytest.mark.parametrize(
    ("value", "asked"),
    [
        ("noindex", True),
        ("NOINDEX, nofollow", True),
        ("follow,noindex", True),
        ("none", True),
        ("verbena: noindex", True),
        ("otherbot: nofollow, verbena: noindex", True),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", True),
        ("max-snippet:20, noindex", True),
        ("index, follow", False),
        ("all", False),
        ("", False),
        ("otherbot: noindex", False),
        ("otherbot: noindex, nofollow, none", False),
        ("noindexed", False),
    ],
)
def test_directives_for_everyone_and_for_us_count(value, asked):
    assert noindex(value) is asked


@pytest.mark.parametrize(
    ("html", "headers", "asked"),
    [
        ("<meta name=robots content='noindex'>", {}, True),
        ("<meta name=robots content='index'><meta name=Verbena content='noindex'>", {}, True),
        ("<meta name=otherbot content='noindex'>", {}, False),
        ("", {"x-robots-tag": "noindex"}, True),
        ("", {}, False),
    ],
)
def test_a_page_that_asks_not_to_be_listed_is_read_and_says_so(html, headers, asked):
    body = f"<html><head>{html}</head><body><p>The ferry leaves at noon.</p></body></html>".encode()
    page = read_page(body, url=URL, content_type="text/html")

    row = page_row(0, URL, Seen(URL, Reply(URL, 200, headers, body, len(body)), 0), page)

    assert (row.status, row.metadata.noindex) == ("success", asked)


def test_a_row_without_a_page_still_says_what_its_headers_said():
    row = error_row(0, URL, EmptyPage(), Seen(URL, Reply(URL, 200, {"X-Robots-Tag": "none"}, b"", 0), 0))

    assert row.metadata.noindex is True
