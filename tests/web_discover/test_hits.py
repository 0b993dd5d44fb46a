"""From what a vendor found to rows."""

from datetime import date

import pytest

from web_discover.answered import Names, hits, micros, written
from web_discover.hits import Raw, rows

TODAY = date(2026, 12, 1)
PAGE = "https://example.org/guides/quiet"


def urls(*found):
    return [hit.url for hit in rows([Raw(url) for url in found], "p", TODAY)]


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "javascript:alert(1)",
        "ftp://example.org/a",
        "/relative",
        "example.org",
        "http://",
        "mailto:a@example.org",
        "https://user:word@example.org/",
        "https://example.org/" + "x" * 3000,
        5,
        {"href": PAGE},
    ],
)
def test_what_is_no_page_of_the_web_is_dropped(url):
    assert urls(url, PAGE) == [PAGE]


@pytest.mark.parametrize(
    "twin",
    [
        PAGE + "?utm_source=x&utm_medium=y",
        PAGE + "?gclid=1",
        PAGE + "?fbclid=2&utm_campaign=z",
        PAGE + "#part-two",
        PAGE + "/",
        PAGE.replace("https://", "http://"),
        PAGE.replace("example", "www.example"),
        PAGE.replace("example.org", "EXAMPLE.org:443"),
    ],
)
def test_two_addresses_of_one_page_are_one_hit_and_the_first_stays(twin):
    assert urls(PAGE, twin) == [PAGE]
    assert len(urls(twin, PAGE)) == 1


@pytest.mark.parametrize(
    "other",
    [PAGE + "?page=2", PAGE + "?utm=1", PAGE + "/more", PAGE.replace("example", "m.example"), PAGE + "?a=1&utm_id=2"],
)
def test_another_page_is_another_hit(other):
    assert len(urls(PAGE, other)) == 2


def test_hits_keep_the_vendors_order():
    addresses = [f"https://example.org/{number}" for number in (3, 1, 2)]

    assert urls(*addresses) == addresses


def test_a_hit_has_what_is_said_of_it_and_no_more():
    full = Raw(PAGE, "A <b>title</b>", "Words &amp; more", "Mar 4, 2026", 0.5, {"site": "x", "none": None, "empty": []})
    bare = Raw("https://example.org/bare", score=True)

    first, second = rows([full, bare], "mine", TODAY)

    assert first.model_dump(exclude_defaults=True) == {
        "url": PAGE,
        "title": "A title",
        "snippet": "Words & more",
        "provider": "mine",
        "published_at": "2026-03-04",
        "score": 0.5,
        "extras": {"site": "x"},
    }
    assert second.model_dump(exclude_defaults=True) == {
        "url": "https://example.org/bare",
        "title": "https://example.org/bare",
        "snippet": "",
        "provider": "mine",
    }


@pytest.mark.parametrize("listed", [None, "text", 5, {"url": PAGE}, [None, "text", [PAGE]]])
def test_what_is_no_list_of_objects_has_no_hits(listed):
    assert hits(listed, Names()) == []


def test_the_sources_of_an_answer_are_pages_once_each():
    answer = written(" It is. ", [Raw(PAGE, "<b>A</b>"), Raw(PAGE + "#b"), Raw("ftp://example.org"), Raw(PAGE + "2")])

    assert answer.text == "It is."
    assert [(source.url, source.title) for source in answer.sources] == [(PAGE, "A"), (PAGE + "2", None)]


@pytest.mark.parametrize("text", [None, "", "  ", 5, {"text": "x"}])
def test_without_words_there_is_no_answer(text):
    assert written(text, []) is None


@pytest.mark.parametrize(
    ("dollars", "told"),
    [
        (0.007, 7000),
        (0, 0),
        (1e-7, 0),
        (None, None),
        ("0.007", None),
        (True, None),
        (-1, None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_an_amount_of_dollars_is_whole_micros_or_unknown(dollars, told):
    assert micros(dollars) == told
