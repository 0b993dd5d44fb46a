"""The API reference: all there is to know, on one page that loads nothing."""

import base64
import hashlib
import re
from collections import defaultdict
from html.parser import HTMLParser

import pytest

from tests.doors.conftest import forget
from verbena.billing import UNITS
from verbena.catalog import CATALOG
from verbena.doors.docs.examples import COMPLETED, PENDING
from verbena.doors.operations import OPERATIONS
from verbena.doors.schema import example_of
from verbena.errors import every_error
from verbena.validation import checked

ALLOWED = "style-src 'sha256-{}'; img-src data:"


class Read(HTMLParser):
    """What markup holds: its tags and attributes, and the text of every element by tag."""

    def __init__(self, markup):
        super().__init__()
        self.tags, self.attributes, self.texts, self._open = [], [], defaultdict(list), []
        self.feed(f"<all>{markup}</all>")

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in {"meta", "link"}:
            self._open.append((tag, []))

    def handle_endtag(self, tag):
        opened, pieces = self._open.pop()
        assert opened == tag, "elements are closed in order"
        self.texts[tag].append("".join(pieces))

    def handle_data(self, data):
        for _, pieces in self._open:
            pieces.append(data)

    def said(self, tag="all"):
        return " ".join(" ".join(self.texts[tag]).split())

    def all(self, name):
        return [value for key, value in self.attributes if key == name]


@pytest.fixture(scope="module")
def answer(gateway):
    return gateway.send("GET", "/docs")


@pytest.fixture(scope="module")
def page(answer):
    return Read(answer.body.decode())


def test_nobody_needs_a_key_to_read_it(answer):
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")


def test_the_browser_is_told_to_load_nothing_but_what_is_in_the_page(answer, page):
    style = hashlib.sha256(page.texts["style"][0].encode()).digest()
    own = ALLOWED.format(base64.b64encode(style).decode())

    assert answer.headers["Content-Security-Policy"] == (
        f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def test_nothing_in_the_page_asks_for_anything_from_elsewhere(page):
    assert not {"script", "img", "iframe", "object", "embed", "form"} & set(page.tags)
    assert [name for name, _ in page.attributes if name.startswith("on") or name in {"src", "style"}] == []
    assert "url(" not in page.said("style")
    assert [href for href in page.all("href") if not href.startswith(("#", "data:"))] == ["/openapi.json"]


def test_every_link_leads_to_a_part_of_the_page(page):
    parts = page.all("id")

    assert len(parts) == len(set(parts))
    assert {href.removeprefix("#") for href in page.all("href") if href.startswith("#")} <= set(parts)


@pytest.mark.parametrize("verb", CATALOG, ids=lambda verb: verb.name)
def test_a_verb_is_shown_with_every_field_it_takes_and_gives(answer, verb):
    article = Read(re.search(rf'<article id="{verb.name}">(.+?)</article>', answer.body.decode(), re.DOTALL)[1])

    fields = verb.input.model_json_schema()["properties"] | verb.row.model_json_schema()["properties"]
    assert fields.keys() <= set(article.texts["code"])
    assert verb.summary in article.said()
    for field in fields.values():
        assert field.get("description", "").replace("`", "") in article.said()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.route)
def test_a_route_is_shown_with_what_it_is_for(page, operation):
    method, path = operation.route.split(" ")

    assert f"{method} {path}" in page.said()
    assert operation.summary in page.said()


@pytest.mark.parametrize("error", list(every_error()), ids=lambda error: error.code)
def test_an_error_is_shown_with_its_status_and_what_to_do(page, error):
    fix = error.fix.replace("`", "")

    assert f"{error.code}{error.status}{'helps' * error.retryable}{fix}" in page.texts["tr"]


@pytest.mark.parametrize("verb", CATALOG, ids=lambda verb: verb.name)
def test_the_example_of_a_verb_is_a_call_it_takes(page, verb):
    assert checked(verb, example_of(verb))
    assert f"curl -s https://verbena.test{verb.path}" in page.said("pre")


@pytest.mark.parametrize("shown", [COMPLETED, PENDING], ids=["completed", "pending"])
def test_the_answers_shown_are_of_the_published_shape(shown):
    assert CATALOG[0].answer.model_validate(shown, strict=True)


def test_a_host_header_cannot_bring_its_own_markup(gateway):
    page = Read(gateway.send("GET", "/docs", headers={"Host": "x'</code><script>alert(1)</script>"}).body.decode())

    assert "script" not in page.tags
    assert "<script>" in page.said("code")


def test_prices_and_limits_are_those_in_force(gateway, environment):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERBENA_PRICES", '{"web_crawl": 123456}')
        patch.setenv("VERBENA_INLINE_LIMIT_WEB_SCRAPE", "77")
        forget()
        said = Read(gateway.send("GET", "/docs").body.decode()).said()
    forget()

    assert "up to 77 distinct urls in the request" in said
    assert "123,456 micro-USD for one page read with success" in said
    assert all(unit.name in said and unit.counts in said for unit in UNITS)
