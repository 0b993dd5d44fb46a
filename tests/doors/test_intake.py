"""Calls as messages on the running stack: answered, or laid aside with the reason, and billed once."""

import json
import time
import uuid
from collections import Counter

import pytest

from tests.conftest import REPLIES
from verbena.aws.keys import ApiKey, Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.table import Table
from verbena.catalog import VERBS
from verbena.doors.intake import message_schema

FUNDS = 1_000_000


class Desk:
    """Sends messages for one owner and gathers what comes of them."""

    def __init__(self, stack):
        self.sqs, self.outputs = stack.client("sqs"), stack.deployment.outputs
        self.functions = stack.client("lambda")
        dynamodb = stack.client("dynamodb")
        self.ledger = LedgerTable(Table(dynamodb, self.outputs["LedgerTable"]))
        self.keys = Keys(Table(dynamodb, self.outputs["ConfigTable"]))
        self.replies = self.sqs.create_queue(QueueName=REPLIES.rpartition(":")[2])["QueueUrl"]
        self.key = self.customer("web", "jobs")
        self.answers, self.refused = {}, {}

    def customer(self, *scopes):
        key = ApiKey(f"key_{uuid.uuid4().hex[:12]}", uuid.uuid4().hex, scopes)
        self.keys.put(f"vb_{uuid.uuid4().hex}", key)
        self.ledger.top_up(key.owner, FUNDS)
        return key

    def message(self, verb="web.scrape", **more):
        return {"verb": verb, "input": {}, "key_id": self.key.key_id, "reply_to": REPLIES} | more

    def send(self, message):
        body = message if isinstance(message, str) else json.dumps(message)
        return self.sqs.send_message(QueueUrl=self.outputs["IntakeQueue"], MessageBody=body)["MessageId"]

    def gather(self, count, seconds=90):
        """Wait until so many messages were answered or laid aside."""
        deadline = time.monotonic() + seconds
        while len(self.answers) + len(self.refused) < count and time.monotonic() < deadline:
            for message in self._received(self.replies):
                reply = json.loads(message["Body"])
                self.answers[reply["message_id"]] = reply
            for message in self._received(self.outputs["IntakeDlq"]):
                about = {name: value["StringValue"] for name, value in message["MessageAttributes"].items()}
                self.refused[message["MessageId"]] = (message["Body"], about)

    def _received(self, url):
        found = self.sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, MessageAttributeNames=["All"], WaitTimeSeconds=1
        ).get("Messages", [])
        for message in found:
            self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return found

    def invoke(self, message):
        answer = self.functions.invoke(FunctionName=self.outputs["InvokeFunction"], Payload=json.dumps(message))
        return json.load(answer["Payload"])

    def paid(self):
        return FUNDS - self.ledger.wallet(self.key.owner).available


@pytest.fixture
def desk(stack):
    return Desk(stack)


def test_a_message_is_answered_with_the_envelope_of_every_door(desk, site):
    message_id = desk.send(desk.message(input={"urls": [f"{site}/1", f"{site}/missing"]}))
    desk.gather(1)

    reply = desk.answers[message_id]
    assert (reply["verb"], reply["key_id"]) == ("web.scrape", desk.key.key_id)
    assert [row["status"] for row in reply["answer"]["results"]] == ["success", "failed"]
    assert desk.paid() == 1000


def test_a_message_over_the_inline_limit_is_a_job_that_the_owner_can_read(desk, site):
    message_id = desk.send(desk.message(input={"urls": [f"{site}/{n}" for n in range(9)]}))
    desk.gather(1)

    answer = desk.answers[message_id]["answer"]
    assert answer["status"] == "pending"
    assert answer["job_id"]


def test_an_answer_over_what_a_message_holds_is_told_a_page_at_a_time(desk, site):
    message_id = desk.send(desk.message(input={"urls": [f"{site}/big/{n}" for n in range(3)]}))
    desk.gather(1)

    answer = desk.answers[message_id]["answer"]
    assert answer["status"] == "completed"
    assert len(answer["results"]) == 1
    assert answer["results"][0]["truncated"] is True
    assert answer["next"].startswith(f"/v1/jobs/{answer['job_id']}?")
    assert len(json.dumps(answer)) < 256 * 1024


REFUSED = {
    "no JSON": ("{", "invalid_input"),
    "no object": ([], "invalid_input"),
    "no verb": ({"verb": None}, "invalid_input"),
    "an unknown verb": ({"verb": "web.scrap"}, "not_found"),
    "an unknown field": ({"urls": []}, "invalid_input"),
    "an unknown key": ({"key_id": "key_nobody"}, "unauthorized"),
    "a scope it lacks": ({"verb": "maps.place", "input": {"place_id": "osm:node/1"}}, "forbidden"),
    "a reply to anywhere": ({"reply_to": "arn:aws:sqs:us-east-1:000000000000:elsewhere"}, "invalid_input"),
    "input that is wrong, and nobody to tell": ({"input": {"urls": 7}, "reply_to": None}, "invalid_input"),
}


@pytest.mark.parametrize(("change", "code"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_lies_in_the_dead_letter_queue_with_the_error_beside_it(desk, change, code):
    body = json.dumps(desk.message(**change)) if isinstance(change, dict) else json.dumps(change)
    sent = "{" if change == "{" else body
    desk.send(sent)
    desk.gather(1)

    ((kept, about),) = desk.refused.values()
    assert kept == sent
    assert about["error_code"] == code
    assert about["error_message"]
    assert desk.paid() == 0


def test_a_call_that_fails_is_told_to_whoever_waits_for_it(desk):
    message_id = desk.send(desk.message(input={"urls": 7}))
    desk.gather(1)

    assert desk.answers[message_id]["answer"]["error"]["code"] == "invalid_input"
    assert desk.refused == {}


def test_a_message_delivered_twice_is_one_call(desk, site):
    """D02: at least once at the door, once on the bill."""
    body = desk.message(input={"urls": [f"{site}/twice"]}, idempotency_key="twice")
    first, second = desk.send(body), desk.send(body)
    desk.gather(2)

    assert desk.answers[first]["answer"] == desk.answers[second]["answer"]
    assert desk.paid() == 1000


def test_the_same_message_can_be_given_to_a_function(desk, site):
    """A30: the door is another, the call is the same."""
    answer = desk.invoke(desk.message(input={"urls": [f"{site}/direct"]}, reply_to=None))

    assert [row["status"] for row in answer["results"]] == ["success"]
    assert desk.invoke(desk.message(verb="nothing"))["error"]["code"] == "not_found"
    assert desk.invoke({"verb": "web.scrape"})["error"]["code"] == "invalid_input"
    assert desk.paid() == 1000


def test_the_input_of_a_message_is_the_one_schema_of_all_doors():
    """A29."""
    for capability in VERBS.values():
        assert message_schema(capability)["properties"]["input"] == capability.request_schema()


def test_three_hundred_mixed_messages_are_each_answered_or_laid_aside_and_the_books_are_right(desk, site):
    """Duplicates and poison among them; the wallet moves by what the facts say, and nothing stays held."""
    good = [desk.message(input={"urls": [f"{site}/m/{n}"]}, idempotency_key=f"m{n}") for n in range(120)]
    failing = [desk.message(input={"urls": [f"{site}/missing/{n}"]}) for n in range(40)]
    jobs = [desk.message(input={"urls": [f"{site}/j/{n}"], "async": True}, idempotency_key=f"j{n}") for n in range(10)]
    poison = ["{", json.dumps({"verb": "web.scrape"}), *[desk.message(key_id=f"nobody{n}") for n in range(58)]]
    for message in [*good, *failing, *poison, *jobs, *good[:70]]:
        desk.send(message)

    desk.gather(300, seconds=200)

    assert len(desk.answers) == 240
    assert len(desk.refused) == 60
    codes = Counter(about["error_code"] for _, about in desk.refused.values())
    assert codes == {"invalid_input": 2, "unauthorized": 58}
    settled(desk)
    facts = desk.ledger.facts(desk.key.owner, "2000-01-01", "2100-01-01")
    assert sum(fact.charge for fact in facts) == 130 * 1000 == desk.paid()
    assert desk.ledger.wallet(desk.key.owner).held == 0


def settled(desk, seconds=60):
    """Wait until the jobs have ended: nothing is held."""
    deadline = time.monotonic() + seconds
    while desk.ledger.wallet(desk.key.owner).held and time.monotonic() < deadline:
        time.sleep(0.1)
