"""A world for each race: the stores of one MiniStack, an owner and a queue of its own."""

import uuid

import pytest

from tests.races.world import Place, World, clients_of, make_queue


@pytest.fixture(scope="session")
def aws(ministack):
    return clients_of(ministack.endpoint)


@pytest.fixture
def world(ministack, aws):
    outputs = ministack.deployment.outputs
    queue, dead = make_queue(aws["sqs"])
    place = Place(
        jobs=outputs["JobsTable"],
        ledger=outputs["LedgerTable"],
        bucket=outputs["ResultsBucket"],
        queue=queue,
        dead=dead,
        strays=aws["sqs"].create_queue(QueueName="race-strays")["QueueUrl"],
        owner=f"owner-{uuid.uuid4().hex[:8]}",
    )
    return World(place, aws)
