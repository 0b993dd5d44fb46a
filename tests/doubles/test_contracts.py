"""Each double takes what its contract allows and refuses everything else."""

import contextlib

import httpx
import pytest

from tests.doubles import VENDORS, made, running


def is_repeated(endpoint, schema):
    """A list in a query is nothing but texts, so it has no wrong type."""
    return endpoint.where == "query" and schema.get("type") == "array"


ENDPOINTS = [
    pytest.param(name, endpoint, id=f"{name}-{endpoint.path}")
    for name, vendor in VENDORS.items()
    for endpoint in vendor.endpoints
    if endpoint.example
]
PARAMETERS = [
    pytest.param(*endpoint.values, path, schema, id=f"{endpoint.id}-{'.'.join(map(str, path))}")
    for endpoint in ENDPOINTS
    for path, schema in made.parameters(endpoint.values[1].schema)
]
WRONG = [
    pytest.param(*parameter.values[:3], value, id=f"{parameter.id}-{rule}")
    for parameter in PARAMETERS
    for rule, value in made.wrong(parameter.values[3])
    if not is_repeated(*parameter.values[1::2])
]
MISSING = [
    pytest.param(*endpoint.values, name, id=f"{endpoint.id}-{name}")
    for endpoint in ENDPOINTS
    for name in endpoint.values[1].schema["required"]
]


@pytest.fixture(scope="module")
def doubles():
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(httpx.Client(timeout=30))
        yield {name: (stack.enter_context(running(name)), client) for name in VENDORS}


def in_query(value):
    if isinstance(value, list):
        return [in_query(one) for one in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def ask(place, endpoint, asked, headers=None):
    """The reply to a request with these parameters, and the name of what the double refused in it."""
    double, client = place
    double.refusals.clear()
    in_place = {name: in_query(value) for name, value in asked.items()}
    sent = {"params": in_place} if endpoint.where == "query" else {"json": asked}
    headers = double.vendor.headers if headers is None else headers
    reply = client.request(endpoint.method, double.base_url + endpoint.path, headers=headers, **sent)
    return reply, double.refusals[0].name if double.refusals else None


def refused(reply):
    """A refusal is an error, except where the vendor answers with a page instead."""
    return reply.status_code >= 400 or reply.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(("name", "endpoint"), ENDPOINTS)
def test_the_contracts_own_example_is_answered(doubles, name, endpoint):
    reply, problem = ask(doubles[name], endpoint, endpoint.example)

    assert (reply.status_code, problem) == (200, None), reply.text
    assert reply.json()


@pytest.mark.parametrize(("name", "endpoint", "path", "schema"), PARAMETERS)
def test_a_parameter_is_taken_by_its_name_only(doubles, name, endpoint, path, schema):
    request = made.request(endpoint.schema, path, made.right(schema))

    right, no_problem = ask(doubles[name], endpoint, request)
    wrong, problem = ask(doubles[name], endpoint, made.renamed(request, path))

    assert (right.status_code, no_problem) == (200, None), right.text
    assert refused(wrong)
    assert problem in {".".join(map(str, [*path[:-1], f"{path[-1]}_x"])), "credential"}


@pytest.mark.parametrize(("name", "endpoint", "path", "value"), WRONG)
def test_a_wrong_value_is_refused(doubles, name, endpoint, path, value):
    reply, problem = ask(doubles[name], endpoint, made.request(endpoint.schema, path, value))

    assert refused(reply), reply.text
    assert problem == "credential" or problem.startswith(".".join(map(str, path)))


@pytest.mark.parametrize(("name", "endpoint", "missing"), MISSING)
def test_a_missing_parameter_is_refused(doubles, name, endpoint, missing):
    request = {key: value for key, value in made.right(endpoint.schema).items() if key != missing}

    reply, problem = ask(doubles[name], endpoint, request)

    assert refused(reply), reply.text
    assert problem in {missing, "credential"}
