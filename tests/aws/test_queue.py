"""Part messages: whole batches within SQS's limits, nothing lost when it refuses some."""

import json
from dataclasses import dataclass, field

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from verbena import settings
from verbena.aws.queue import BATCH_BYTES, TRIES, Queues
from verbena.catalog import VERBS
from verbena.errors import InternalError, Unavailable
from verbena.jobs import ROOT, Part

JOB = "0" * 32
URL = "https://queue"


@dataclass
class Scripted:
    """An SQS client that refuses, at each call, the entries whose number is said for it."""

    refusals: list = field(default_factory=list)
    batches: list = field(default_factory=list)
    accepted: list = field(default_factory=list)

    def send_message_batch(self, *, QueueUrl, Entries):  # noqa: N803 - the names of SQS
        assert QueueUrl == URL
        refused = self.refusals[len(self.batches)] if len(self.batches) < len(self.refusals) else ()
        self.batches.append(Entries)
        kept = [entry for number, entry in enumerate(Entries) if number not in refused]
        self.accepted += kept
        return {"Failed": [{"Id": entry["Id"]} for entry in Entries if entry not in kept]}


def queues(client):
    return Queues(lambda: client, {"web_scrape": URL}, VERBS, sleep=lambda _: None)


def send(client, parts, delay=0):
    queues(client).send("web.scrape", "owner", [(part, delay) for part in parts])


def slices(count, **more):
    return [Part(JOB, f"{n:04d}", {"urls": [f"https://e.test/{n}"]}, (n,), **more) for n in range(count)]


def read(entries):
    return [Part.of(json.loads(entry["MessageBody"])) for entry in entries]


def test_parts_go_ten_a_batch_in_order():
    client, parts = Scripted(), slices(25)

    send(client, parts)

    assert [len(batch) for batch in client.batches] == [10, 10, 5]
    assert read(client.accepted) == parts
    assert all(len({entry["Id"] for entry in batch}) == len(batch) for batch in client.batches)


def test_no_batch_is_over_its_bytes():
    urls = [f"https://e.test/{n}?{'x' * 2000}" for n in range(10)]
    parts = [Part(JOB, f"{n:04d}", {"urls": urls}, tuple(range(10))) for n in range(30)]
    client = Scripted()

    send(client, parts)

    sizes = [sum(len(entry["MessageBody"].encode()) for entry in batch) for batch in client.batches]
    assert max(sizes) <= BATCH_BYTES
    assert len(client.batches) < 6
    assert read(client.accepted) == parts


def test_the_biggest_part_there_is_fits_into_one_message():
    urls = ["https://e.test/" + "x" * 2033] * settings.PART_ITEMS
    biggest = Part(JOB, "0999.1.1", {"urls": urls}, tuple(range(9_000, 9_019, 2)), (999,) * 10, depth=12, barren=2)
    client = Scripted()

    send(client, [biggest])

    assert len(client.accepted[0]["MessageBody"]) < 64 * 1024


def test_every_message_is_in_its_owners_group_and_has_its_delay():
    client = Scripted()

    queues(client).send("web.scrape", "somebody", zip(slices(2), [0, settings.BARREN_DELAY_S], strict=True))

    assert [entry["MessageGroupId"] for entry in client.accepted] == ["somebody"] * 2
    assert [entry["DelaySeconds"] for entry in client.accepted] == [0, settings.BARREN_DELAY_S]


def test_what_was_not_accepted_is_sent_again_and_nothing_else():
    client, parts = Scripted(refusals=[{1, 3}, {0}]), slices(5)

    send(client, parts)

    assert [len(batch) for batch in client.batches] == [5, 2, 1]
    assert sorted(part.part_id for part in read(client.accepted)) == [part.part_id for part in parts]


def test_a_queue_that_keeps_refusing_is_unavailable():
    client = Scripted(refusals=[{0}] * 99)

    with pytest.raises(Unavailable, match="did not accept 1 part"):
        send(client, slices(3))

    assert len(client.batches) == TRIES


@pytest.mark.parametrize(
    "part",
    [
        Part(JOB, ROOT),
        Part(JOB, "0000", {"urls": ["https://e.test"]}, (0,)),
        Part(JOB, "0001.1", {"urls": ["a", "b"], "timeout_s": 1.5}, (3, 7), (1, 4), depth=2, barren=1),
        Part(JOB, "0002", {"page": 3, "token": None}, depth=3, left={"maps_reviews_page": 2}),
    ],
)
def test_a_part_survives_its_message(part):
    client = Scripted()

    send(client, [part])

    assert read(client.accepted) == [part]


def test_a_message_holds_no_character_that_sqs_refuses():
    client = Scripted()
    part = Part(JOB, "0000", {"query": "\x00\x0b\ufffe\uffff café \U0001f600"})

    send(client, [part])

    assert client.accepted[0]["MessageBody"].isascii()
    assert read(client.accepted) == [part]


def test_a_real_queue_takes_what_is_sent_and_shows_a_failed_message_soon(ministack):
    client = boto3.client("sqs", endpoint_url=ministack.endpoint)
    url = client.create_queue(QueueName="parts", Attributes={"VisibilityTimeout": "120"})["QueueUrl"]
    real = Queues(lambda: client, {"web_scrape": url}, VERBS)
    parts = slices(23)

    real.send("web.scrape", "somebody", [(part, 0) for part in parts])
    messages = []
    while batch := receive(client, url):
        messages += batch
    assert {message["Attributes"]["MessageGroupId"] for message in messages} == {"somebody"}
    assert sorted(part.part_id for part in map(body_of, messages)) == [part.part_id for part in parts]

    real.retry_soon("web_scrape", messages[0]["ReceiptHandle"], 0)
    (again,) = receive(client, url)
    assert body_of(again) == body_of(messages[0])


def receive(client, url):
    answer = client.receive_message(QueueUrl=url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"])
    return answer.get("Messages", [])


def body_of(message):
    return Part.of(json.loads(message["Body"]))


@pytest.mark.parametrize(
    "failure",
    [
        ClientError({"Error": {"Code": "InternalError"}}, "SendMessageBatch"),
        EndpointConnectionError(endpoint_url=URL),
        ReadTimeoutError(endpoint_url=URL),
    ],
    ids=lambda failure: type(failure).__name__,
)
def test_a_queue_out_of_reach_is_unavailable(failure):
    class Down:
        def send_message_batch(self, **_):
            raise failure

    with pytest.raises(Unavailable):
        send(Down(), slices(1))


@pytest.mark.parametrize("verb", ["web.gone", "web.discover"], ids=["no verb any more", "a verb without a queue here"])
def test_a_job_that_no_queue_takes_is_a_typed_failure(verb):
    with pytest.raises(InternalError, match=verb):
        queues(Scripted()).send(verb, "owner", [(Part(JOB, ROOT), 0)])
