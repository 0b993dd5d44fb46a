"""The catalog: which verbs there are, and what holds for each of them without a line written for it."""

import inspect
import subprocess
import sys
import typing
from dataclasses import FrozenInstanceError, replace

import pytest
from pydantic import ValidationError

from tests.fakes import LIST, THING
from verbena.billing import UNITS
from verbena.capability import Call, CallOptions, Portion, by_name
from verbena.catalog import CATALOG, VERBS
from verbena.catalog.web import DiscoverInput, ScrapeInput
from verbena.envelope import ItemRow

# The least each verb takes.
INPUTS = {
    "web.scrape": {"urls": ["https://example.com"]},
    "web.discover": {"query": "tea"},
    "maps.search": {"query": "tea", "location": "Helsinki"},
    "maps.place": {"place_id": "osm:node/1"},
    "maps.reviews": {"place": "osm:node/1"},
}

each_verb = pytest.mark.parametrize("verb", CATALOG, ids=lambda verb: verb.name)


def test_the_verbs_are_those_of_the_product():
    """A01, A04, A41"""
    assert [verb.name for verb in CATALOG] == list(INPUTS)


def test_a_verb_is_one_frozen_value():
    """A27"""
    with pytest.raises(FrozenInstanceError):
        LIST.name = "other"


@pytest.mark.parametrize("twin", [replace(THING, name=LIST.name), replace(THING, id=LIST.id)], ids=["name", "id"])
def test_two_verbs_of_one_name_or_id_are_refused(twin):
    """A27"""
    with pytest.raises(ValueError, match="share a name or an id"):
        by_name([LIST, twin])


@each_verb
def test_a_verb_says_what_it_is(verb):
    """A27"""
    assert verb.summary.endswith(".")
    assert all(info.description for info in verb.input.model_fields.values())
    assert verb.id == verb.name.replace(".", "_")


@each_verb
def test_the_executor_takes_the_input_of_the_contract_and_gives_a_portion(verb):
    """A29"""
    told = typing.get_type_hints(verb.load)

    assert list(told.values()) == [verb.input, Call, Portion]
    assert inspect.iscoroutinefunction(verb.load)


@each_verb
def test_the_executor_is_loaded_once_and_is_the_functions_own(verb):
    """A30"""
    module, _, name = verb.executor.partition(":")

    assert verb.load is verb.load is getattr(sys.modules[module], name)


@each_verb
def test_the_most_a_call_may_bill_is_in_registered_units(verb):
    """A31, A32"""
    units = verb.units_at_most(verb.input.model_validate(INPUTS[verb.name]))

    assert units[verb.unit] >= 1
    assert set(units) <= {unit.name for unit in UNITS}


@each_verb
def test_options_are_merged_flat_and_hide_no_field_of_the_input(verb):
    inputs, options = set(verb.input.model_fields), set(CallOptions.model_fields)

    assert not inputs & options
    assert set(verb.request_schema()["properties"]) == inputs | options - {"async_"} | {"async"}


@each_verb
def test_the_smallest_input_is_enough_and_survives_its_json(verb):
    wanted = verb.input.model_validate(INPUTS[verb.name])

    assert verb.input.model_validate_json(wanted.model_dump_json()) == wanted


def test_verbs_over_a_list_name_their_list_and_have_the_rows_of_one():
    listed = [verb for verb in CATALOG if verb.mode.items]

    assert [verb.name for verb in listed] == ["web.scrape"]
    for verb in listed:
        assert issubclass(verb.row, ItemRow)
        assert verb.mode.item in verb.row.model_fields
        assert verb.mode.items in verb.input.model_fields


def test_a_row_says_nothing_of_how_a_page_was_reached():
    """A10"""
    told = set(VERBS["web.scrape"].row.model_fields)

    assert not told & {"tier", "proxy", "stealth", "engine", "captcha"}


def test_a_list_that_comes_as_its_json_text_is_the_same_list():
    """D07"""
    urls = ["https://a.example/", "https://b.example/"]

    assert ScrapeInput(urls='["https://a.example/", "https://b.example/"]').urls == urls


def test_importing_the_catalog_loads_no_engine_and_no_cloud():
    heavy = ["ada_url", "aiohttp", "boto3", "httpx", "turbohtml", "web_scrape", "maps"]
    code = f"import sys, verbena.catalog; print([name for name in {heavy} if name in sys.modules])"

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"published_after": "2026-02-30"}, "day is out of range"),
        ({"published_after": "2026-02-02", "published_before": "2026-02-01"}, "swap them"),
        ({"include_domains": ["https://example.com"]}, "pattern"),
        ({"exclude_domains": ["example.com OR site:other.example"]}, "pattern"),
        ({"exclude_domains": ["localhost"]}, "pattern"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_refused_before_any_vendor_sees_it(fields, said):
    with pytest.raises(ValidationError, match=said):
        DiscoverInput(query="pier", **fields)


def test_sites_may_be_names_of_any_script():
    assert DiscoverInput(query="pier", include_domains=["b\u00fccher.example", "x-y.co.uk"])
