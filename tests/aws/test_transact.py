"""What a transaction does with each answer of DynamoDB; MiniStack and moto give few of them."""

from dataclasses import dataclass, field

import boto3
import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, EndpointConnectionError, ReadTimeoutError
from botocore.stub import Stubber

from verbena import settings
from verbena.aws.clients import CONFIG
from verbena.aws.transact import GIVE_UP_S, LONGEST_WAIT_S, TRIES, TableTransactions, request_token
from verbena.errors import Unavailable
from verbena.ports import Write

ENDPOINT = {"endpoint_url": "http://dynamodb"}
WRITES = [
    Write(name, {"Delete": {"TableName": "t", "Key": {"pk": {"S": name}}}}) for name in ("hold", "record", "wallet")
]


def canceled(*codes):
    reasons = [{"Code": code} for code in codes]
    told = {"Error": {"Code": "TransactionCanceledException"}, "CancellationReasons": reasons}
    return ClientError(told, "TransactWriteItems")


def refused(code):
    return ClientError({"Error": {"Code": code}}, "TransactWriteItems")


@dataclass
class Scripted:
    """A client that gives one answer after the other; the last one for ever."""

    answers: list
    requests: list = field(default_factory=list)

    def transact_write_items(self, **request):
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer


def commit(*answers):
    client, waits = Scripted(list(answers)), []
    outcome = TableTransactions(client, waits.append).commit(WRITES, "call/hold")
    return outcome, client, waits


PASSING = [
    canceled("None", "None", "TransactionConflict"),
    canceled("ThrottlingError", "None", "TransactionConflict"),
    canceled("None", "ProvisionedThroughputExceeded", "None"),
    canceled("None", "RequestLimitExceeded", "None"),
    refused("TransactionInProgressException"),
    refused("TransactionConflictException"),
    refused("ThrottlingException"),
    refused("ProvisionedThroughputExceededException"),
    refused("RequestLimitExceeded"),
    refused("InternalServerError"),
    EndpointConnectionError(**ENDPOINT),
    ConnectTimeoutError(**ENDPOINT),
    ReadTimeoutError(**ENDPOINT),
]


def told(error):
    """The codes in an error, to name a test by."""
    response = getattr(error, "response", None)
    if response is None:
        return type(error).__name__
    reasons = [reason["Code"] for reason in response.get("CancellationReasons", [])]
    return "-".join(reasons) or response["Error"]["Code"]


@pytest.mark.parametrize("passing", PASSING, ids=map(told, PASSING))
def test_what_passes_is_tried_again_in_place(passing):
    outcome, client, waits = commit(passing, passing, None)

    assert outcome == frozenset()
    assert len(client.requests) == 3
    assert len(waits) == 2
    assert all(0 <= wait <= LONGEST_WAIT_S for wait in waits)


def test_every_try_is_the_same_request_with_the_same_token():
    _, client, _ = commit(canceled("None", "None", "TransactionConflict"), None)

    first, second = client.requests
    assert first == second
    assert first["ClientRequestToken"] == request_token("call/hold")


def test_a_token_is_no_longer_than_dynamodb_takes_and_its_own():
    tokens = {request_token(f"{'0' * 32}/{step}") for step in ("hold", "settle", "convert", "release")}

    assert len(tokens) == 4
    assert {len(token) for token in tokens} == {36}


def test_a_refused_condition_is_named_and_not_tried_again():
    outcome, client, _ = commit(canceled("None", "ConditionalCheckFailed", "ConditionalCheckFailed"))

    assert outcome == {"record", "wallet"}
    assert len(client.requests) == 1


def test_a_refused_condition_counts_even_beside_a_conflict():
    outcome, client, _ = commit(canceled("ConditionalCheckFailed", "None", "TransactionConflict"))

    assert outcome == {"hold"}
    assert len(client.requests) == 1


def test_a_store_that_stays_busy_is_unavailable_after_a_bounded_number_of_tries():
    client, waits = Scripted([canceled("None", "None", "TransactionConflict")]), []

    with pytest.raises(Unavailable):
        TableTransactions(client, waits.append).commit(WRITES, "call/hold")

    assert len(client.requests) == TRIES
    assert sum(waits) <= TRIES * LONGEST_WAIT_S


def test_a_store_that_does_not_answer_is_given_up_while_its_caller_can_still_say_so():
    client, passed = Scripted([ReadTimeoutError(**ENDPOINT)]), iter(range(0, 1000, 10))

    with pytest.raises(Unavailable):
        TableTransactions(client, sleep=lambda _: None, clock=lambda: next(passed)).commit(WRITES, "call/hold")

    assert len(client.requests) == 1
    each_s = (CONFIG.connect_timeout + CONFIG.read_timeout) * CONFIG.retries["total_max_attempts"]
    assert GIVE_UP_S + each_s < settings.API_TIMEOUT_S
    assert TRIES * LONGEST_WAIT_S < GIVE_UP_S + 2


@pytest.mark.parametrize(
    "error",
    [
        refused("ValidationException"),
        refused("AccessDeniedException"),
        refused("IdempotentParameterMismatchException"),
        canceled("None", "ValidationError", "None"),
        canceled("ItemCollectionSizeLimitExceeded", "None", "TransactionConflict"),
    ],
)
def test_what_no_retry_can_mend_propagates_untouched(error):
    client = Scripted([error])

    with pytest.raises(ClientError) as raised:
        TableTransactions(client).commit(WRITES, "call/hold")

    assert raised.value is error
    assert len(client.requests) == 1


def test_reasons_are_read_from_what_botocore_really_raises():
    client = boto3.client("dynamodb")
    reasons = [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Message": "no"}, {"Code": "None"}]
    with Stubber(client) as stub:
        stub.add_client_error(
            "transact_write_items",
            "TransactionCanceledException",
            http_status_code=400,
            modeled_fields={"CancellationReasons": reasons},
        )

        assert TableTransactions(client).commit(WRITES, "call/hold") == {"record"}
