"""The operator's providers in their table: rows, sealed credentials, rests."""

import json
import time
from dataclasses import replace

import boto3
import pytest
from botocore.exceptions import ClientError

from verbena.aws.codec import encoded
from verbena.aws.connections import PLATFORM, Connections
from verbena.aws.providers import Providers
from verbena.aws.slots import Slots
from verbena.aws.table import Table
from verbena.aws.vault import Vault
from verbena.errors import ProviderLoadFailed
from verbena.providers import ProviderRow

CANARY = "canary-secret-5521"


@pytest.fixture
def config(ministack):
    """The config table, without providers before and after."""
    client = boto3.client("dynamodb", endpoint_url=ministack.endpoint)
    table = Table(client, ministack.deployment.physical["ConfigTable"])
    yield table
    standing = Providers(table, connections(table, ministack), Slots(table))
    for row in standing.rows():
        standing.delete(row)


@pytest.fixture
def vault(ministack):
    kms = boto3.client("kms", endpoint_url=ministack.endpoint)
    return Vault(lambda: kms, ministack.deployment.physical["MasterKey"])


def connections(table, ministack):
    kms = boto3.client("kms", endpoint_url=ministack.endpoint)
    return Connections(table, Vault(lambda: kms, ministack.deployment.physical["MasterKey"]))


@pytest.fixture
def book(config, vault):
    return Providers(config, Connections(config, vault), Slots(config), environment=lambda _: None)


def elsewhere(book, **more):
    """The book as another process sees it."""
    fresh = Providers(book.table, Connections(book.table, book.connections.vault), Slots(book.table), book.environment)
    return replace(fresh, **more)


def test_a_row_comes_back_as_it_was_stored(book):
    row = ProviderRow("Mine", "brave", "pending", 7, '{"a": 1}', None, 5, True, "My own", "icon", "a note")

    book.put(row)

    assert elsewhere(book).rows() == [row]


def test_names_are_one_whatever_their_case(book):
    """C02."""
    book.put(ProviderRow("Mine", "brave"))
    book.put(ProviderRow("mine", "exa"))

    assert [row.driver for row in elsewhere(book).rows()] == ["exa"]


def test_a_row_is_looked_at_again_after_half_a_minute_and_at_once_when_asked(book):
    clock = [0.0]
    other = elsewhere(book, clock=lambda: clock[0])
    assert other.rows() == []

    book.put(ProviderRow("new", "brave"))

    assert other.rows() == []
    assert len(other.rows(fresh=True)) == 1
    book.delete(ProviderRow("new", "brave"))
    clock[0] = 31.0
    assert other.rows() == []


def test_the_rows_own_secret_comes_before_the_environments(book):
    """C17."""
    own = book.put(ProviderRow("own", "brave"), {"KEY": CANARY})
    plain = book.put(ProviderRow("plain", "brave"))
    other = elsewhere(book, environment={"KEY": "from-environment"}.get)

    assert other.secrets(own, ("KEY",)) == {"KEY": CANARY}
    assert other.secrets(plain, ("KEY",)) == {"KEY": "from-environment"}
    assert elsewhere(book, environment=lambda _: None).secrets(plain, ("KEY",)) == {}


def test_a_secret_is_nowhere_in_the_table(book):
    """B08: what is stored is the envelope."""
    book.put(ProviderRow("own", "brave"), {"KEY": CANARY})

    stored = book.table.client.scan(TableName=book.table.name)["Items"]

    assert CANARY not in json.dumps(stored, default=str)
    assert book.stored(elsewhere(book).rows()[0]) == ("KEY",)


def test_a_secret_stays_until_it_is_replaced_or_removed(book):
    row = book.put(ProviderRow("own", "brave"), {"KEY": "first"})

    kept = book.put(replace(row, priority=1), None)
    assert elsewhere(book).secrets(kept, ("KEY",)) == {"KEY": "first"}

    changed = book.put(kept, {"KEY": "second"})
    assert book.secrets(changed, ("KEY",)) == {"KEY": "second"}

    removed = book.put(changed, {})
    assert elsewhere(book).secrets(removed, ("KEY",)) == {}
    assert book.stored(removed) == ()


def test_a_deleted_row_leaves_no_secret_behind(book):
    row = book.put(ProviderRow("own", "brave"), {"KEY": CANARY})

    book.delete(row)

    assert book.connections.secrets(PLATFORM, "provider#own") == {}


def test_another_owners_context_opens_nothing(vault):
    """B07."""
    sealed = vault.seal({"owner": "a", "capability": "c"}, {"KEY": CANARY})

    assert vault.open({"owner": "a", "capability": "c"}, sealed) == {"KEY": CANARY}
    with pytest.raises(ClientError):
        vault.open({"owner": "b", "capability": "c"}, sealed)
    with pytest.raises(ClientError):
        vault.open({"owner": "a", "capability": "d"}, sealed)


def test_a_sealed_secret_that_was_changed_does_not_open(vault):
    context = {"owner": "a", "capability": "c"}
    sealed = vault.seal(context, {"KEY": CANARY})
    other = vault.seal(context, {"KEY": "another"})

    with pytest.raises(ValueError, match="sealed for something else"):
        vault.open(context, {**sealed, "sealed": other["sealed"]})


def test_two_envelopes_of_one_secret_have_nothing_in_common(vault):
    context = {"owner": "a", "capability": "c"}

    first, second = (vault.seal(context, {"KEY": CANARY}) for _ in range(2))

    assert all(first[name] != second[name] for name in first)


def test_a_credential_that_cannot_be_opened_makes_its_row_keyless_and_says_so(book, caplog):
    row = book.put(ProviderRow("own", "brave"), {"KEY": CANARY})
    item = book.table.get("connection#platform", "provider#own")
    stolen = {**item, "pk": "connection#other"}
    book.table.client.put_item(TableName=book.table.name, Item=encoded(stolen))

    assert elsewhere(book).connections.secrets("other", "provider#own") == {}
    assert "cannot be opened" in caplog.text
    assert CANARY not in caplog.text
    assert elsewhere(book).secrets(row, ("KEY",)) == {"KEY": CANARY}


def test_a_rest_is_known_here_at_once_and_elsewhere_when_it_looks(book):
    row = book.put(ProviderRow("own", "brave"))
    until = float(int(time.time()) + 600)

    book.rest(row, until)

    assert book.resting() == {"own": until}
    assert elsewhere(book).resting() == {"own": until}


def test_a_row_that_was_changed_rests_no_more(book):
    """Its operator has likely mended what it was refused for."""
    row = book.put(ProviderRow("own", "brave"))
    book.rest(row, time.time() + 600)

    book.put(row, {"KEY": "new"})

    assert elsewhere(book).resting() == {}


def test_a_table_that_cannot_be_read_is_said_so_each_time_and_forgotten_when_it_can(book):
    """C15."""
    lost = elsewhere(book, table=Table(book.table.client, "no-such-table"))

    for _ in range(2):
        with pytest.raises(ProviderLoadFailed):
            lost.rows()

    assert elsewhere(book).rows() == []
