"""Verbs are methods because the catalog has them: schemas, signatures and the stub say the same."""

import ast
import inspect
from pathlib import Path

import pytest

from verbena import Client
from verbena import client as package
from verbena.capability import CallOptions, Capability, Mode
from verbena.catalog import CATALOG
from verbena.client.verbs import OWN_WORDS, Verb, subject
from verbena.envelope import Model

STUB = Path(package.__file__).with_name("namespaces.pyi")


class EchoInput(Model):
    text: str


class Echo(Model):
    text: str


ECHO = Capability(
    name="dummy.echo",
    summary="Say it again.",
    input=EchoInput,
    row=Echo,
    mode=Mode(),
    executor="nowhere:nothing",
    unit="web_search",
    id="dummy_echo",
)


def method(client, verb):
    space, _, name = verb.name.partition(".")
    return getattr(getattr(client, space), name)


@pytest.mark.parametrize("verb", CATALOG, ids=lambda verb: verb.name)
def test_every_verb_is_a_method(verb):
    with Client("http://127.0.0.1:1") as client:
        made = method(client, verb)

    assert isinstance(made, Verb)
    assert made.capability is verb
    assert inspect.getdoc(made) == verb.summary


def test_the_server_publishes_the_schemas_that_the_client_checks_with(client):
    published = {verb.name: (verb.input_schema, verb.row_schema) for verb in client.verbs().verbs}

    assert published == {verb.name: (verb.request_schema(), verb.row.model_json_schema()) for verb in CATALOG}


def test_a_verb_added_to_a_catalog_is_a_method_and_runs(played):
    played.answers = [(200, {"status": "completed", "results": [{"text": "hello"}]})]

    with Client(played.url, catalog=(*CATALOG, ECHO)) as client:
        rows = client.dummy.echo("hello").rows

    assert rows == [Echo(text="hello")]
    assert played.requests[0][0] == "POST /v1/dummy/echo"
    assert played.bodies[0]["text"] == "hello"


@pytest.mark.parametrize("verb", CATALOG, ids=lambda verb: verb.name)
@pytest.mark.parametrize("prefix", ["", "Async"])
def test_the_stub_has_every_field_and_option_of_a_verb(verb, prefix):
    space, _, name = verb.name.partition(".")
    classes = {node.name: node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}
    overloads = [node for node in classes[prefix + space.title()].body if getattr(node, "name", "") == name]

    assert len(overloads) == 2
    for overload in overloads:
        positional = [argument.arg for argument in overload.args.args]
        keywords = {argument.arg for argument in overload.args.kwonlyargs}
        fields = {*verb.input.model_fields, *CallOptions.model_fields, *OWN_WORDS}
        assert positional == ["self", subject(verb)]
        assert {*keywords, subject(verb)} == fields


@pytest.mark.parametrize("verb", CATALOG, ids=lambda verb: verb.name)
def test_no_verb_has_a_field_that_means_something_to_the_client(verb):
    assert not set(OWN_WORDS) & set(verb.input.model_fields)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("web.scrape", "urls"),
        ("web.discover", "query"),
        ("maps.search", "query"),
        ("maps.place", "place_id"),
        ("maps.reviews", "place"),
    ],
)
def test_the_list_or_the_first_required_field_needs_no_name(name, field):
    (verb,) = [each for each in CATALOG if each.name == name]

    assert subject(verb) == field


def test_a_value_given_twice_or_without_a_name_is_a_type_error():
    with Client("http://127.0.0.1:1") as client:
        with pytest.raises(TypeError, match="urls"):
            client.web.scrape(["https://e.invalid"], urls=["https://e.invalid"])
        with pytest.raises(TypeError, match="urls"):
            client.web.scrape("https://e.invalid", "https://e.invalid")


def test_a_verb_that_is_none_is_answered_with_those_there_are():
    with Client("http://127.0.0.1:1") as client:
        with pytest.raises(AttributeError, match="scrape, discover"):
            _ = client.web.scrap
        assert dir(client.web) == ["discover", "scrape"]
