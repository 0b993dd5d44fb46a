import pytest

from web_scrape.decode import decode

GERMAN = "Grüße aus Köln, schöne Straße"


def test_a_byte_order_mark_outranks_every_declaration_and_is_not_text():
    body = "\ufeff<meta charset=gbk>Привет".encode()

    decoded = decode(body, "text/html; charset=windows-1251")

    assert decoded.text == "<meta charset=gbk>Привет"
    assert (decoded.charset, decoded.source) == ("UTF-8", "bom")


@pytest.mark.parametrize(("codec", "name"), [("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")])
def test_a_utf16_mark_names_its_byte_order(codec, name):
    decoded = decode("\ufeffPreis: 5 €".encode(codec), "text/html")

    assert (decoded.text, decoded.charset, decoded.source) == ("Preis: 5 €", name, "bom")


def test_the_header_outranks_the_document():
    decoded = decode("<meta charset=utf-8>Привет".encode("cp1251"), "text/html; charset=windows-1251")

    assert "Привет" in decoded.text
    assert (decoded.charset, decoded.source) == ("windows-1251", "header")


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="gbk">',
        "<META CHARSET = gb2312 />",
        '<meta http-equiv="Content-Type" content="text/html; charset=gbk">',
        "<meta http-equiv=Content-Type content='charset=GBK'>",
        '<?xml version="1.0" encoding="gb2312"?>',
        "<!-- <meta charset=utf-8> --><meta charset=gbk>",
        "<!-- " + "x" * 1500 + " --><meta charset=gbk>",
    ],
)
def test_a_declaration_inside_the_document_is_read_in_every_spelling(declaration):
    decoded = decode((declaration + "<p>家居目录</p>").encode("gbk"), "text/html")

    assert "家居目录" in decoded.text
    assert (decoded.charset, decoded.source) == ("GBK", "meta")


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("iso-8859-1", "windows-1252"),
        ("latin1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("ks_c_5601-1987", "EUC-KR"),
        ("x-sjis", "Shift_JIS"),
        ("unicode-1-1-utf-8", "UTF-8"),
    ],
)
def test_labels_mean_what_they_mean_to_a_browser(label, name):
    assert decode(b"plain", f"text/html; charset={label}").charset == name


def test_smart_quotes_of_a_page_that_says_latin1_come_out_as_quotes():
    assert decode(b"\x93quoted\x94", "text/html; charset=ISO-8859-1").text == "“quoted”"


@pytest.mark.parametrize("label", ["visual-xyz", "utf8mb4", "none", "binary", "iso-2022-kr"])
def test_a_label_nobody_knows_gives_way_to_the_next_hint(label):
    decoded = decode(f"<meta charset=utf-8>{GERMAN}".encode(), f"text/html; charset={label}")

    assert GERMAN in decoded.text
    assert decoded.source == "meta"


def test_a_header_that_the_bytes_violate_gives_way_to_the_document():
    body = f"<meta charset=windows-1252><p>{GERMAN}</p>".encode("cp1252")

    decoded = decode(body, "text/html; charset=utf-8")

    assert GERMAN in decoded.text
    assert (decoded.charset, decoded.source) == ("windows-1252", "meta")


def test_a_servers_default_latin1_gives_way_to_a_document_that_says_and_is_utf8():
    decoded = decode(f"<meta charset=utf-8><p>{GERMAN}</p>".encode(), "text/html; charset=iso-8859-1")

    assert GERMAN in decoded.text
    assert (decoded.charset, decoded.source) == ("UTF-8", "meta")


def test_one_broken_character_in_a_long_text_does_not_change_its_charset():
    body = (GERMAN * 50).encode() + b"\xff" + GERMAN.encode()

    decoded = decode(body, "text/html; charset=utf-8")

    assert decoded.charset == "UTF-8"
    assert decoded.text.count("\ufffd") == 1


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("港の時刻表は毎月変わり、初日に青い印刷で掲示されます。", "shift_jis", "Shift_JIS"),
        ("港の時刻表は毎月変わり、初日に青い印刷で掲示されます。", "euc_jp", "EUC-JP"),
        ("北方码头的渡轮时刻表每月第一个星期一更改", "gbk", "GBK"),
        ("北方碼頭的渡輪時刻表每月第一個星期一更改", "big5", "Big5"),
        ("북쪽 부두의 여객선 시간표는 매월 첫째 월요일에 바뀝니다", "euc_kr", "EUC-KR"),
        ("Расписание парома северного причала меняется каждый месяц", "cp1251", "windows-1251"),
        ("Расписание парома северного причала меняется каждый месяц", "utf-8", "UTF-8"),
    ],
)
def test_a_page_that_declares_nothing_is_recognised_by_its_bytes(text, codec, name):
    decoded = decode(f"<p>{text}</p>".encode(codec), "text/html")

    assert text in decoded.text
    assert (decoded.charset, decoded.source) == (name, "detected")


def test_plain_ascii_is_utf8_by_default():
    decoded = decode(b"nothing special", None)

    assert (decoded.charset, decoded.source) == ("UTF-8", "default")


@pytest.mark.parametrize("body", [b"", b"\xff", b"\xef\xbb\xbf", bytes(range(256)) * 20, b"\xe2\x82", b"\x1b$B" * 99])
def test_no_bytes_make_it_raise_or_leave_a_mark(body):
    for content_type in (None, "text/html", "text/html; charset=utf-16", "text/html; charset=shift_jis", "charset=;"):
        assert not decode(body, content_type).text.startswith("\ufeff")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_markup_in_utf16_is_recognised_without_a_mark(codec):
    decoded = decode(f"<!doctype html><p>{GERMAN}</p>".encode(codec), "text/html")

    assert GERMAN in decoded.text
    assert decoded.source == "detected"


def test_a_header_names_a_utf16_that_nothing_marks():
    decoded = decode(GERMAN.encode("utf-16-be"), "text/plain; charset=utf-16be")

    assert (decoded.text, decoded.charset, decoded.source) == (GERMAN, "UTF-16BE", "header")


LABELS = """x-user-defined csisolatin2 iso-8859-8-i logical x-mac-cyrillic gb_2312-80 big5-hkscs koi8-ru iso-2022-jp
windows-874 macintosh hz-gb-2312 replacement unicodefffe ucs-2"""


@pytest.mark.parametrize("label", LABELS.split())
def test_a_label_of_the_web_is_followed_or_passed_over_but_never_an_error(label):
    assert "plain" in decode(b"plain \xe4 words", f"text/html; charset={label}").text
