"""A store applies a transaction and its reply is lost: whoever asked again still finds its own work."""

from dataclasses import dataclass, field

import pytest
from botocore.exceptions import ConnectionClosedError

from verbena import settings
from verbena.aws.transact import TableTransactions
from verbena.errors import Unavailable

FUNDS = 10_000
KEYED = {"idempotency_key": "k"}


@dataclass
class Deaf:
    """A DynamoDB client that applies every transaction and loses the first replies to each."""

    client: object
    loses: int
    heard: dict = field(default_factory=dict)

    def transact_write_items(self, **request):
        answer = self.client.transact_write_items(**request)
        token = request["ClientRequestToken"]
        self.heard[token] = self.heard.get(token, 0) + 1
        if self.heard[token] <= self.loses:
            raise ConnectionClosedError(endpoint_url="http://dynamodb")
        return answer


@dataclass
class Forgetful(Deaf):
    """The same after the ten minutes for which DynamoDB remembers a token: every try is a new transaction."""

    tries: int = 0

    def transact_write_items(self, **request):
        self.tries += 1
        token = request["ClientRequestToken"]
        try:
            self.client.transact_write_items(**request | {"ClientRequestToken": f"{token[:30]}{self.tries}"})
        finally:
            self.heard[token] = self.heard.get(token, 0) + 1
        if self.heard[token] <= self.loses:
            raise ConnectionClosedError(endpoint_url="http://dynamodb")


def deaf(world, kind=Deaf, loses=1):
    return world.over(transactions=TableTransactions(kind(world.aws["dynamodb"], loses), sleep=lambda _: None))


LOSSES = [(Deaf, 1), (Deaf, 3), (Deaf, 1000), (Forgetful, 1)]
every_loss = pytest.mark.parametrize(
    ("kind", "loses"), LOSSES, ids=["once", "thrice", "for good", "and the token forgotten"]
)


@every_loss
@pytest.mark.parametrize("options", [{}, KEYED], ids=["without a key", "with a key"])
def test_a_call_for_the_whole_wallet_is_held_and_billed_once(world, kind, loses, options):
    world.fund(4000)

    answer = deaf(world, kind, loses).call([f"ok/{n}" for n in range(4)], **options)

    assert [row["status"] for row in answer.results] == ["success"] * 4
    assert world.wallet().available == 0
    world.reconciled(4000)


@every_loss
def test_a_job_is_made_worked_and_settled_once(world, kind, loses):
    world.fund(12_000)
    hard_of_hearing = deaf(world, kind, loses)

    job_id = hard_of_hearing.job([f"ok/{n}" for n in range(12)])
    hard_of_hearing.drain()

    assert world.statuses(job_id) == ["success"] * 12
    assert world.wallet().available == 0
    world.reconciled(12_000)


@every_loss
def test_a_call_that_becomes_a_job_becomes_one(world, kind, loses):
    world.fund(2000)
    hard_of_hearing = deaf(world, kind, loses)

    answer = hard_of_hearing.call(["ok/1", "late/2"])
    hard_of_hearing.drain()

    assert world.statuses(answer.job_id) == ["success", "success"]
    assert world.wallet().available == 0
    world.reconciled(2000)


@every_loss
def test_the_sweeper_gives_a_hold_back_once(world, kind, loses):
    world.fund(FUNDS)
    dead = world.over(transactions=Silent(world.backend.transactions))
    with pytest.raises(SystemExit):
        dead.call(["ok/1"])

    deaf(world.later(60), kind, loses).sweep()

    assert world.wallet().available == FUNDS
    world.reconciled(FUNDS)


@dataclass
class Silent:
    """Transactions that end their caller after the first."""

    port: object

    def commit(self, writes, token):
        self.port.commit(writes, token)
        raise SystemExit


@dataclass
class Down:
    """A DynamoDB client that takes no transaction."""

    tried: int = 0

    def transact_write_items(self, **_request):
        self.tried += 1
        raise ConnectionClosedError(endpoint_url="http://dynamodb")


def test_a_store_that_takes_no_transaction_is_said_to_be_unavailable_and_nothing_is_held(world):
    world.fund(FUNDS)
    down = Down()

    answer = world.over(transactions=TableTransactions(down, sleep=lambda _: None)).call(["ok/1"])

    assert answer.error.code == Unavailable.code
    assert down.tried > 1
    assert world.wallet().available == FUNDS
    world.reconciled(FUNDS)


@dataclass
class Stale:
    """A ledger whose due index proposes what it proposed long ago."""

    port: object
    proposed: list

    def __getattr__(self, name):
        return getattr(self.port, name)

    def due_holds(self, shard, _now):
        return self.proposed if shard == 0 else []


def test_a_due_index_that_is_behind_does_no_harm(world):
    world.fund(FUNDS)
    settled = world.call(["ok/1"], **KEYED)
    job_id = world.call(["ok/2", "late/3"]).job_id
    proposed = [*world.calls_on_record(), "no call of anybody"]
    assert job_id in proposed
    assert len(proposed) == 3
    held = world.wallet().held

    later = world.later(settings.REPLAN_S + 1)
    later.over(ledger=Stale(world.ledger, proposed)).sweep()

    assert settled.results[0]["status"] == "success"
    assert held == 2000
    assert world.wallet().held == held
    world.drain()
    assert world.wallet().available == FUNDS - 3000
    world.reconciled(FUNDS)


@dataclass
class Broken:
    """A ledger that cannot say what one job was billed."""

    port: object
    call_id: str

    def __getattr__(self, name):
        return getattr(self.port, name)

    def markers(self, call_id):
        if call_id == self.call_id:
            raise Unavailable
        return self.port.markers(call_id)


def test_a_job_that_cannot_be_settled_keeps_no_other_waiting(world):
    world.fund(FUNDS)
    jobs = [world.job([f"ok/{n}"]) for n in range(5)]
    late = world.later(settings.JOB_DEADLINE_S + 1)

    with pytest.raises(Unavailable):
        late.over(ledger=Broken(world.ledger, jobs[2])).sweep()

    assert [world.jobs.job(job_id).status for job_id in jobs].count("completed") == 4
    late.sweep()
    assert world.wallet().available == FUNDS
    world.reconciled(FUNDS)
