"""The sample events of events/: each is what its function receives, and the handler the template names answers it."""

import importlib
import json
from functools import partial

import pytest

from tests.doors.gateway import Context, matched
from tests.doors.samples import EVENTS, FUNCTIONS, ROUTES, filled, function_of
from verbena import runtime
from verbena.catalog import CATALOG
from verbena.doors.schema import example_of
from verbena.providers import ProviderRow

REQUESTS = [name for name in EVENTS if function_of(name) in ROUTES]
PLANS = [name for name in EVENTS if name.endswith("/plan")]
PARTS = {"batchItemFailures": []}


def invoke(name, event):
    module, _, attribute = FUNCTIONS[function_of(name)]["Handler"].rpartition(".")
    return getattr(importlib.import_module(module), attribute)(event, Context())


@pytest.fixture
def here(caller, site):
    return partial(filled, key=caller.key, page=site, key_id=f"key_{caller.key[-12:]}")


@pytest.fixture
def new_job(caller, site, work):
    """Makes jobs of a verb; nothing of them is worked yet."""

    def make(verb=CATALOG[0]):
        body = {"urls": [site, f"{site}/missing"]} if verb.mode.items else example_of(verb)
        return caller.post(verb.path, {**body, "async": True}).json["job_id"]

    return make


def part_of(event):
    return json.loads(event["Records"][0]["body"])


def test_every_function_has_an_event():
    assert {function_of(name) for name in EVENTS} == set(FUNCTIONS)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_one_that_the_gateway_would_send(name):
    event = json.loads(EVENTS[name])
    context = event["requestContext"]

    found = matched(ROUTES[function_of(name)], context["http"]["method"], event["rawPath"])
    assert found == (event["routeKey"], event.get("pathParameters", {}))
    assert (context["http"]["path"], context["routeKey"]) == (event["rawPath"], event["routeKey"])
    assert len(event.get("body", "")) == int(event["headers"].get("content-length", 0))


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_answered(caller, here, new_job, work, name):
    job = new_job()
    work()

    answer = invoke(name, here(name, job=job))

    if name.endswith("/nowhere"):
        assert answer["statusCode"] == 404
    elif name in {"WebDiscoverApi/discover", "MapsApi/place", "MapsApi/reviews", "MapsApi/search"}:
        assert json.loads(answer["body"])["error"]["code"] == "NO_PROVIDERS_CONFIGURED"
    else:
        assert 200 <= answer["statusCode"] < 300, answer["body"]


def test_the_sample_of_a_scrape_has_a_row_that_is_read_and_one_that_is_not(here):
    answer = json.loads(invoke("WebScrapeApi/scrape", here("WebScrapeApi/scrape"))["body"])

    assert [row["status"] for row in answer["results"]] == ["success", "failed"]


@pytest.fixture
def keyless(caller):
    """Providers without a key: without any, a job that needs one is not made."""
    book = runtime.current().providers
    rows = [book.put(ProviderRow(name, name)) for name in ("duckduckgo", "osm")]
    yield
    for row in rows:
        book.delete(row)


@pytest.mark.usefixtures("keyless")
@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_followed_and_its_job_goes_on(caller, here, new_job, ministack, name):
    package = FUNCTIONS[function_of(name)]["Handler"].partition(".")[0]
    verb = next(verb for verb in CATALOG if verb.package == package)
    queue = ministack.deployment.outputs[function_of(name).replace("Worker", "Queue")]
    job = new_job(verb)
    sqs = ministack.client("sqs")
    sqs.purge_queue(QueueUrl=queue)

    assert invoke(name, here(name, job=job)) == PARTS

    (child,) = sqs.receive_message(QueueUrl=queue)["Messages"]
    assert json.loads(child["Body"])["job_id"] == job


def test_a_part_becomes_rows(caller, here, new_job):
    job = new_job()
    invoke("WebScrapeWorker/plan", here("WebScrapeWorker/plan", job=job))

    assert invoke("WebScrapeWorker/part", here("WebScrapeWorker/part", job=job)) == PARTS

    told = caller.get(f"/v1/jobs/{job}?limit=10").json
    assert told["status"] == "completed"
    assert [row["status"] for row in told["results"]] == ["success", "failed"]


def test_a_dead_part_of_several_items_becomes_parts_of_one(caller, here, new_job, ministack):
    job, queue = new_job(), ministack.deployment.outputs["WebScrapeQueue"]
    invoke("WebScrapeWorker/plan", here("WebScrapeWorker/plan", job=job))
    sqs = ministack.client("sqs")
    sqs.purge_queue(QueueUrl=queue)

    assert invoke("DeadLetters/part", here("DeadLetters/part", job=job)) == PARTS

    messages = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10)["Messages"]
    assert sorted(json.loads(message["Body"])["part_id"] for message in messages) == ["0000.1", "0000.2"]


def test_the_sample_parts_are_those_that_are_sent(here, new_job, ministack):
    sqs, queue = ministack.client("sqs"), ministack.deployment.outputs["WebScrapeQueue"]
    job = new_job()

    for name in ("WebScrapeWorker/plan", "WebScrapeWorker/part"):
        (message,) = sqs.receive_message(QueueUrl=queue)["Messages"]
        event = here(name, job=job)
        assert part_of(event) == json.loads(message["Body"])
        invoke("WebScrapeWorker/plan", event)


def test_a_tick_is_answered_with_what_was_late(here):
    assert invoke("Sweeper/tick", here("Sweeper/tick"))["late_jobs"] >= 0


def test_a_message_and_an_invocation_are_the_call_they_say(caller, here):
    assert invoke("Intake/message", here("Intake/message")) == PARTS

    answer = invoke("Invoke/message", here("Invoke/message"))

    assert [row["status"] for row in answer["results"]] == ["success", "failed"]
    assert caller.get("/v1/usage").json["charge_micros"] == 2000
