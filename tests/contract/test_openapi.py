"""What `/openapi.json` says is what the local stack does, for requests that Schemathesis makes up from it."""

from urllib.parse import quote, unquote

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.contract.waiting import ended
from verbena.catalog import CATALOG
from verbena.doors.operations import OPERATIONS
from verbena.errors import ProviderError

VERBS = [f"POST {verb.path}" for verb in CATALOG]
SERVED = [operation.route for operation in OPERATIONS]
QUESTIONS = [operation.route for operation in OPERATIONS if operation.scope is not None]
ABOUT_A_JOB = [route for route in SERVED if "{job_id}" in route]
# Whatever a caller sends, these are the only answers that may be 5xx: nobody configured a provider here.
# No vendor is reached from a test.
UNSERVED = {error.code for error in ProviderError.__subclasses__()}
REFUSING = "http://127.0.0.1:9/"
CHECKS = [
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
# Seeded, so that a failure is found again; the time of one example is the stack's, with its cold starts.
BOUNDED = settings(
    max_examples=12, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="session")
def described(stack, api):
    schema = schemathesis.openapi.from_dict(api.get("/openapi.json").json())
    schema.config.update(base_url=stack.base_url)
    return schema


@pytest.fixture(scope="session")
def job(api):
    """The id of a job that has ended, with a row to read and one to try again."""
    location = api.post("/v1/web/scrape", json={"urls": [REFUSING, "ftp://e"], "async": True}).headers["Location"]
    ended(api, location)
    return location.rpartition("/")[2]


def kept_at_home(body):
    """The body without the addresses of others: examples of the contract name them, and no test may call there."""
    if isinstance(body, dict) and isinstance(body.get("urls"), list):
        urls = [REFUSING if isinstance(url, str) and "://" in url else url for url in body["urls"]]
        return {**body, "urls": urls}
    return body


def holds_for(cases, api):
    """Send what a strategy makes; every answer is one that the description announces."""

    @BOUNDED
    @given(cases)
    def each(case):
        # The router of the local front, not of API Gateway, takes no line end in a path.
        assume("%0A" not in quote(unquote(case.formatted_path)))
        case.body = kept_at_home(case.body)
        answer = case.call(headers=dict(api.headers))
        assert answer.status_code < 500 or answer.json()["error"]["code"] in UNSERVED, answer.text
        case.validate_response(answer, checks=CHECKS)

    each()


def operation(described, route):
    method, path = route.split(" ")
    return described[path][method]


@pytest.mark.parametrize("route", [*VERBS, *SERVED])
def test_a_request_as_described_is_answered_as_described(described, api, route):
    holds_for(operation(described, route).as_strategy(), api)


@pytest.mark.parametrize("route", [*VERBS, *QUESTIONS])
def test_a_request_that_breaks_the_description_is_answered_as_described(described, api, route):
    holds_for(operation(described, route).as_strategy(GenerationMode.NEGATIVE), api)


@pytest.mark.parametrize("route", ABOUT_A_JOB)
def test_what_is_said_of_a_job_is_as_described(described, api, job, route):
    known = {"job_id": job, "index": "0"} if "{index}" in route else {"job_id": job}

    holds_for(operation(described, route).as_strategy(path_parameters=known), api)


def test_the_running_stack_describes_every_route(described):
    assert {f"{method.upper()} {path}" for path in described for method in described[path]} == {*VERBS, *SERVED}
