"""`field=value` words become the JSON that the contract means."""

import io
import json
import sys

import click
import pytest

from verbena.catalog import MAPS_SEARCH, WEB_DISCOVER, WEB_SCRAPE
from verbena.doors.cli.words import body_of, json_body

A, B = "https://example.com/a,b", "https://example.com/?q=1&r=2"


def body(capability, *words, base=None, flags=None):
    return body_of(capability, words, base or {}, flags or {})


def test_a_list_takes_its_field_again_and_keeps_commas_and_equals_signs():
    assert body(WEB_SCRAPE, f"urls={A}", f"urls={B}") == {"urls": [A, B]}


def test_a_word_without_a_field_is_an_item():
    assert body(WEB_SCRAPE, B, f"urls={A}") == {"urls": [B, A]}


def test_a_list_can_be_json():
    assert body(WEB_SCRAPE, f"urls={json.dumps([A, B])}") == {"urls": [A, B]}


def test_a_list_comes_from_a_file_without_its_empty_lines_and_byte_order_mark(tmp_path):
    (tmp_path / "urls").write_bytes(f"\ufeff{A}\r\n\r\n  {B}\n".encode())

    assert body(WEB_SCRAPE, f"urls=@{tmp_path}/urls", "urls=x") == {"urls": [A, B, "x"]}


def test_a_list_comes_from_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{A}\n{B}\n".encode())))

    assert body(WEB_SCRAPE, "@-") == {"urls": [A, B]}


def test_choices_and_numbers_may_be_joined_by_commas():
    assert body(WEB_SCRAPE, A, "include=links,images", "include=raw_html")["include"] == ["links", "images", "raw_html"]
    assert body(MAPS_SEARCH, "query=q", "location=l", "price_levels=1,2")["price_levels"] == [1, 2]


def test_free_text_in_a_list_keeps_its_commas():
    assert body(WEB_SCRAPE, "urls=https://a.example/?x=1,2")["urls"] == ["https://a.example/?x=1,2"]


def test_commas_part_items_that_cannot_have_one():
    said = body(WEB_DISCOVER, "query=a,b", "include_domains=a.example, b.example", "include_domains=c.example")

    assert said == {"query": "a,b", "include_domains": ["a.example", "b.example", "c.example"]}


def test_values_get_the_types_of_the_contract():
    said = body(WEB_SCRAPE, A, "only_main_content=no", "max_chars=20", "timeout_s=2.5", "format=text")

    assert said == {"urls": [A], "only_main_content": False, "max_chars": 20, "timeout_s": 2.5, "format": "text"}


def test_text_that_looks_like_a_number_stays_text():
    assert body(WEB_DISCOVER, "query=42") == {"query": "42"}


def test_a_field_that_takes_an_object_or_a_name_takes_both():
    circle = {"lat": 60.17, "lng": 24.94, "radius_m": 500.0}

    assert body(MAPS_SEARCH, "query=cafe", f"location={json.dumps(circle)}")["location"] == circle
    assert body(MAPS_SEARCH, "query=cafe", "location=Helsinki")["location"] == "Helsinki"


def test_words_stand_over_a_json_input_and_flags_over_both(tmp_path):
    (tmp_path / "in.json").write_text('{"urls": ["https://example.com"], "format": "html", "async": false}')

    said = body(WEB_SCRAPE, "format=text", base=json_body(f"{tmp_path}/in.json"), flags={"async": True})

    assert said == {"urls": ["https://example.com"], "format": "text", "async": True}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["url=https://example.com"], "did you mean 'urls'?"),
        ([A, "formatt=text"], "did you mean 'format'?"),
        ([A, "format=pdf"], "format: Input should be 'markdown', 'text' or 'html'"),
        ([A, "max_chars=many"], "max_chars: Input should be a valid integer"),
        ([A, "format=text", "format=html"], "format is given twice"),
        (["urls=[1"], "urls looks like JSON, but is not"),
        (["urls=@/no/such/file"], "urls: cannot read /no/such/file: No such file"),
        ([], "urls: Field required"),
    ],
)
def test_a_wrong_word_is_refused_with_its_fix(words, told):
    with pytest.raises(click.UsageError) as refused:
        body(WEB_SCRAPE, *words)

    assert told in refused.value.message


def test_a_bare_word_for_a_verb_without_a_list_is_told_how_to_say_it():
    with pytest.raises(click.UsageError) as refused:
        body(WEB_DISCOVER, "cats")

    assert "Did you mean query='cats'?" in refused.value.message


@pytest.mark.parametrize(("text", "told"), [("[1]", "must be an object"), ("{", "is not JSON")])
def test_a_json_input_that_is_no_object_is_refused(tmp_path, text, told):
    (tmp_path / "in.json").write_text(text)

    with pytest.raises(click.UsageError) as refused:
        json_body(f"{tmp_path}/in.json")

    assert told in refused.value.message
