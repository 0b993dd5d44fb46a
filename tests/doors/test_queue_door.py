"""The queue doors: a delivery that fails comes back soon, a dead letter becomes rows and an alarm, nothing is lost."""

import json
import uuid

import pytest

from jobs.handler import dead_letters, sweep
from tests.doors.conftest import FUNDS
from tests.doors.gateway import Context
from verbena import settings
from web_scrape.handler import worker


@pytest.fixture
def queue(gateway, ministack):
    """The scrape queue, empty, as a client and its URL."""
    sqs, url = ministack.client("sqs"), ministack.deployment.outputs["WebScrapeQueue"]
    sqs.purge_queue(QueueUrl=url)
    return sqs, url


def record_of(body, receipt="r"):
    text = body if isinstance(body, str) else json.dumps(body)
    return {"messageId": uuid.uuid4().hex, "receiptHandle": receipt, "body": text}


def deliver(handler, *records):
    return handler({"Records": list(records)}, Context())


def received(queue, **options):
    sqs, url = queue
    return sqs.receive_message(QueueUrl=url, **options).get("Messages", [])


def metrics(text):
    """The metrics in what a door printed."""
    blobs = [json.loads(line) for line in text.splitlines() if '"_aws"' in line]
    return {name: blob[name] for blob in blobs for name in ("PartsFailed",) if name in blob}


def test_a_part_of_no_job_is_dropped(gateway):
    part = {"job_id": "0" * 32, "part_id": "0000", "indexes": "0", "input": {"urls": ["https://e.invalid"]}, "depth": 0}

    assert deliver(worker, record_of(part)) == {"batchItemFailures": []}


@pytest.mark.parametrize("body", ["", "oops", "[]", "{}", '{"job_id": 7}', '{"job_id": "x", "part_id": "0"}'])
def test_what_is_no_part_fails_and_is_left_to_the_dead_letter_queue(queue, body):
    sqs, url = queue
    sqs.send_message(QueueUrl=url, MessageBody=body or "-")
    ((message),) = received(queue)
    record = record_of(body, message["ReceiptHandle"])

    answer = deliver(worker, record)

    assert answer == {"batchItemFailures": [{"itemIdentifier": record["messageId"]}]}


def test_a_delivery_that_failed_shows_again_soon(queue, caller, site, changed):
    caller.scrape([site], **{"async": True})
    (message,) = received(queue, VisibilityTimeout=settings.VISIBILITY_S)

    with changed(VERBENA_RESULTS_BUCKET="no-such-bucket"):
        answer = deliver(worker, record_of(message["Body"], message["ReceiptHandle"]))

    assert len(answer["batchItemFailures"]) == 1
    (again,) = received(queue, WaitTimeSeconds=settings.RETRY_VISIBILITY_S + 2)
    assert again["Body"] == message["Body"]
    assert deliver(worker, record_of(again["Body"])) == {"batchItemFailures": []}


def test_the_owner_is_the_jobs_and_never_the_messages(queue, caller, new_caller, site):
    victim = new_caller()
    job = caller.scrape([site], **{"async": True}).json["job_id"]
    (root,) = received(queue)
    deliver(worker, record_of(root["Body"]))
    (message,) = received(queue)

    deliver(worker, record_of(json.loads(message["Body"]) | {"owner": victim.owner, "key_id": "another"}))

    assert caller.get(f"/v1/jobs/{job}").json["status"] == "completed"
    assert (caller.wallet, victim.wallet) == ((FUNDS - 1000, 0), (FUNDS, 0))


def test_a_dead_letter_that_is_no_part_is_dropped_with_an_alarm(gateway, capsys):
    answer = deliver(dead_letters, record_of("oops"))

    assert answer == {"batchItemFailures": []}
    assert metrics(capsys.readouterr().out)["PartsFailed"] == [1.0]


def test_a_dead_letter_of_one_item_becomes_its_row_and_an_alarm(queue, caller, site, capsys):
    job = caller.scrape([site], **{"async": True}).json["job_id"]
    (root,) = received(queue)
    deliver(worker, record_of(root["Body"]))
    (message,) = received(queue)

    answer = deliver(dead_letters, record_of(message["Body"]))

    assert answer == {"batchItemFailures": []}
    assert metrics(capsys.readouterr().out)["PartsFailed"] == [1.0]
    told = caller.get(f"/v1/jobs/{job}?limit=5").json
    assert told["status"] == "completed"
    assert told["results"][0]["error"]["code"] == "internal_error"
    assert caller.wallet == (FUNDS, 0)


def test_a_dead_letter_whose_job_is_over_raises_no_alarm(gateway, capsys):
    part = {"job_id": "0" * 32, "part_id": "0000", "indexes": "0", "input": {"urls": ["https://e.invalid"]}, "depth": 0}

    deliver(dead_letters, record_of(part))

    assert metrics(capsys.readouterr().out).get("PartsFailed", [0.0]) == [0.0]


def test_a_dead_letter_that_cannot_be_buried_now_stays_and_raises_the_alarm(caller, queue, site, changed, capsys):
    caller.scrape([site], **{"async": True})
    (root,) = received(queue)
    record = record_of(root["Body"])

    with changed(VERBENA_JOBS_TABLE="no-such-table"):
        answer = deliver(dead_letters, record)

    assert answer == {"batchItemFailures": [{"itemIdentifier": record["messageId"]}]}
    assert metrics(capsys.readouterr().out)["PartsFailed"] == [1.0]


def test_the_sweeper_says_how_many_jobs_met_their_deadline(gateway):
    assert sweep({}, Context())["late_jobs"] >= 0


def test_a_sweeper_that_fails_is_a_failed_invocation(changed):
    with changed(VERBENA_LEDGER_TABLE="no-such-table"), pytest.raises(Exception, match="ResourceNotFoundException"):
        sweep({}, Context())
