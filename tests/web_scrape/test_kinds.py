import pytest

from verbena.errors import UnsupportedType
from web_scrape.kinds import kind_of

HTML = b"<!doctype html><html><body><p>Words</p></body></html>"


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "text/html"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "text/plain"),
        (b"GIF89a\x01\x00\x01\x00", "text/html"),
        (b"PK\x03\x04\x14\x00", "text/plain"),
        (b"\x1f\x8b\x08\x00", "text/html"),
        (b"RIFF\x24\x00\x00\x00WEBPVP8 ", "text/html"),
        (b"\x00\x00\x00\x18ftypmp42", "text/html"),
        (b"ID3\x04\x00\x00\x00", "text/plain"),
        (b"\xff\xfb\x90\x64" + bytes(range(1, 253)) * 8, "text/html"),
        (bytes(range(256)) * 8, "application/octet-stream"),
        (b"words", "image/png"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><text>a</text></svg>", "image/svg+xml"),
        (b"words", "font/woff2"),
    ],
)
def test_what_is_no_text_is_refused_whatever_it_is_declared_as(body, declared):
    with pytest.raises(UnsupportedType) as refused:
        kind_of(body, declared)

    assert refused.value.details["media_type"]


@pytest.mark.parametrize(
    ("body", "declared", "kind"),
    [
        (HTML, "text/html; charset=utf-8", "html"),
        (HTML, "application/xhtml+xml", "html"),
        (HTML, "image/jpeg", "html"),
        (HTML, "application/octet-stream", "html"),
        (HTML, None, "html"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html><html></html>", "application/xml", "html"),
        (b"just <b>words</b>", "text/html", "html"),
        (b"just words\nin two lines", "text/html", "text"),
        (b"<rss version='2.0'><channel/></rss>", "text/plain", "xml"),
        ("<!doctype html><p>w</p>".encode("utf-16-le"), "text/html", "html"),
        ("words".encode("utf-16-be"), "text/plain; charset=utf-16be", "text"),
        (b"just words", None, "text"),
        (HTML, "text/plain", "text"),
        (b"# Title", "text/markdown", "text"),
        (b"a,b\n1,2", "text/csv", "csv"),
        (b"let a = 1", "application/javascript", "code"),
        (b"%PDF-1.7\n%\xe2\xe3", "image/jp2", "pdf"),
        (b"\r\n%PDF-1.4", "text/html", "pdf"),
        (b"GIF89a is a picture format of 1989", "text/plain", "text"),
        (b'{"a": 1}', "application/vnd.api+json", "json"),
        (b'{"a": 1}', "text/html", "json"),
        (b'[{"a": 1}]', None, "json"),
        (b"<?xml version='1.0'?><rss/>", "text/html", "xml"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'/>", "application/atom+xml", "xml"),
        (b"<?xml version='1.0'?><a/>", "text/xml", "xml"),
        ("\ufeffwords".encode("utf-16-le"), "text/html", "html"),
    ],
)
def test_a_body_is_what_its_first_bytes_say_where_the_type_leaves_room(body, declared, kind):
    assert kind_of(body, declared)[0] == kind


@pytest.mark.parametrize(
    ("declared", "name", "kind"),
    [
        ("text/plain; charset=utf-8", "tides.csv?raw=1", "csv"),
        ("application/octet-stream", "tides.TSV", "csv"),
        ("text/plain", "pier.py", "code"),
        (None, "pier.ts", "code"),
        ("text/plain", "readme", "text"),
        ("text/plain", "index.php", "text"),
        ("application/json", "pier.py", "json"),
        ("text/markdown", "tides.csv", "text"),
    ],
)
def test_the_name_of_a_file_tells_where_its_type_says_nothing(declared, name, kind):
    assert kind_of(b"x = 1, 2", declared, f"https://port.example/{name}")[0] == kind


@pytest.mark.parametrize("start", [b"<!---->", b"<!-- a --> ", b"<?a?>", b"<!--", b"\n<?xml", b"--><!--"])
def test_no_beginning_of_a_body_takes_long_to_judge(start):
    """Comments before the first element once took twice as long with each."""
    assert kind_of(start * 300 + b"words", None)[0] in {"text", "xml"}
    assert kind_of(start * 300 + b"-->?><p>words", None)[0] in {"html", "text", "xml"}


def test_the_media_type_is_the_declared_one_without_its_parameters():
    assert kind_of(HTML, "Text/HTML; charset=utf-8")[1] == "text/html"
    assert kind_of(HTML, None)[1] == "text/html"
