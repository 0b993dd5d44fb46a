"""What is no HTML, read through the reader of pages."""

import gzip
import json

import pytest

from tests.converters.pdfs import column, pdf
from verbena.errors import BodyTooLarge, EmptyPage, TruncatedBody, UnsupportedType
from web_scrape.page import read_page

CSV = "pier;fee\nnorth_1;1,50\n"
SITEMAP = (
    b"<?xml version='1.0'?><sitemapindex><sitemap><loc>https://port.example/a.xml.gz</loc></sitemap></sitemapindex>"
)


def read(body, content_type, name="feed", **options):
    body = body if isinstance(body, bytes) else body.encode()
    return read_page(body, url=f"https://port.example/{name}", content_type=content_type, **options)


# ---- PDF


def test_a_pdf_is_its_text_and_what_it_says_of_itself():
    file = pdf([column(["Berth 4* is closed."]), column(["Until Monday."])], "/Title(Notice)/CreationDate(D:20240301)")

    page = read(file, "application/octet-stream", include=frozenset({"links", "raw_html"}))

    assert page.content == "Berth 4\\* is closed.\n\n---\n\nUntil Monday."
    assert (page.title, page.published_at, page.pages) == ("Notice", "2024-03-01", 2)
    assert (page.charset, page.charset_source, page.media_type) == (None, None, "application/pdf")
    assert (page.links, page.raw_html) == ([], None)


def test_a_pdf_is_given_as_text_and_as_html_too():
    file = pdf([column(["Berth 4* is <closed>."])])

    assert read(file, "application/pdf", format="text").content == "Berth 4* is <closed>."
    assert read(file, "application/pdf", format="html").content == "<p>Berth 4* is &lt;closed&gt;.</p>"


def test_a_pdf_of_pictures_is_an_empty_page():
    with pytest.raises(EmptyPage):
        read(pdf([[]]), "application/pdf")


# ---- tables


@pytest.mark.parametrize(("content_type", "name"), [("text/csv", "fees"), ("text/plain", "fees.csv")])
def test_values_are_a_table_in_markdown_and_themselves_in_text(content_type, name):
    assert read(CSV, content_type, name).content == "| pier | fee |\n| --- | --- |\n| north_1 | 1,50 |"
    assert read(CSV, content_type, name, format="text").content == CSV
    assert "<td>north_1</td>" in read(CSV, content_type, name, format="html").content


def test_tabs_separate_where_the_type_says_so():
    assert read("a, b\tc\n1, 2\t3\n", "text/tab-separated-values").content.startswith("| a, b | c |")


def test_values_that_are_no_table_are_given_as_they_came():
    assert read("only one\ncolumn here", "text/csv").content == "only one\ncolumn here"


# ---- source code


@pytest.mark.parametrize(
    ("content_type", "name", "language"),
    [
        ("text/x-python", "pier", "python"),
        ("text/plain", "src/pier.rs", "rust"),
        ("application/javascript; charset=utf-8", "pier.min.js", "javascript"),
        ("text/css", "x", "css"),
        (None, "deploy.yaml?raw=true", "yaml"),
    ],
)
def test_code_is_fenced_in_its_language(content_type, name, language):
    code = "# a_b *c*\n  two"

    assert read(code, content_type, name).content == f"```{language}\n{code}\n```"
    assert read(code, content_type, name, format="text").content == code


# ---- gzip files


@pytest.mark.parametrize("content_type", ["application/x-gzip", "application/octet-stream", "text/xml", None])
def test_a_compressed_sitemap_is_its_addresses(content_type):
    assert read(gzip.compress(SITEMAP), content_type).content == "- <https://port.example/a.xml.gz>"


def test_a_gzip_file_of_several_members_is_read_to_its_end():
    body = gzip.compress(SITEMAP[:60]) + gzip.compress(SITEMAP[60:])

    assert "a.xml.gz" in read(body, "application/gzip").content


def test_a_gzip_file_that_is_cut_short_or_grows_without_bound_has_its_own_error():
    with pytest.raises(TruncatedBody):
        read(gzip.compress(SITEMAP)[:-12], "application/gzip")
    with pytest.raises(BodyTooLarge):
        read(gzip.compress(bytes(21 * 2**20)), "application/gzip")


@pytest.mark.parametrize("inner", [b"\x89PNG\r\n\x1a\n\x00\x00", gzip.compress(gzip.compress(b"words"))])
def test_what_a_gzip_file_holds_must_be_text(inner):
    with pytest.raises(UnsupportedType):
        read(gzip.compress(inner), "application/gzip")


# ---- text


def test_text_that_calls_itself_html_keeps_its_lines():
    assert read("User-agent: *\nDisallow: /a_b\n", "text/html").content == "User-agent: *\nDisallow: /a_b\n"


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_json(codec):
    content = read(json.dumps({"name": "Köln"}, ensure_ascii=False).encode(codec), "application/json", format="text")

    assert json.loads(content.content) == {"name": "Köln"}
