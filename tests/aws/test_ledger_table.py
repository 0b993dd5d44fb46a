"""Wallets, holds and facts as DynamoDB keeps them."""

from dataclasses import replace

import pytest

from verbena.aws.codec import due_shard, encoded
from verbena.aws.ledger import Deposit, LedgerTable, _item
from verbena.jobs import ROOT, Child, Hold, Marker, Wallet, slice_id, slices

NOW = 1_800_000_000
MARKER = Marker("call", "0000", "owner", "web.scrape", "2027-01-15T08:00:00.000Z", {"web_crawl": 2}, 2000)


@pytest.fixture
def ledger(tables):
    return LedgerTable(tables["LedgerTable"])


@pytest.fixture
def hold(commit, ledger, new_id):
    """An open hold that expires, and its owner's wallet without it."""
    ledger.top_up(new_id, 10_000)
    hold = Hold(new_id, new_id, 4000, {"web_crawl": 1000}, NOW + 30)
    assert not commit(ledger.open_hold(hold), ledger.take(new_id, hold.amount))
    return hold


def test_an_owner_without_a_wallet_has_none_and_can_hold_nothing(commit, ledger, new_id):
    assert ledger.wallet(new_id) is None
    assert commit(ledger.take(new_id, 1)) == {"wallet"}
    assert ledger.wallet(new_id) is None


def test_a_wallet_is_topped_up_to_an_amount_and_never_down(ledger, new_id):
    for amount, there in [(500, 500), (500, 500), (900, 900), (100, 900)]:
        ledger.top_up(new_id, amount)
        assert ledger.wallet(new_id) == Wallet(there, 0)


def test_topping_up_leaves_what_is_held(ledger, hold):
    ledger.top_up(hold.owner, 20_000)

    assert ledger.wallet(hold.owner) == Wallet(20_000, 4000)


def test_a_deposit_makes_a_wallet_and_adds_to_one(commit, ledger, new_id):
    for number, there in [(1, 500), (2, 1000)]:
        assert not commit(*ledger.deposit(new_id, Deposit(str(number), 500, "2026-12-01")))
        assert ledger.wallet(new_id) == Wallet(there, 0)


def test_a_deposit_of_the_same_id_is_added_once_and_leaves_what_is_held(commit, ledger, hold):
    deposit = Deposit("first", 500, "2026-12-01")
    commit(*ledger.deposit(hold.owner, deposit))

    assert commit(*ledger.deposit(hold.owner, deposit)) == {"deposit"}
    assert ledger.wallet(hold.owner) == Wallet(6500, 4000)
    assert ledger.deposits(hold.owner) == [deposit]


@pytest.mark.parametrize(("amount", "refused"), [(6000, frozenset()), (6001, {"wallet"})])
def test_no_more_is_taken_than_is_there(commit, ledger, hold, amount, refused):
    assert commit(ledger.take(hold.owner, amount)) == refused


@pytest.mark.parametrize(
    ("amount", "left"), [(10_000, Wallet(0, 10_000)), (1000, Wallet(9000, 1000)), (10_001, Wallet(6000, 4000))]
)
def test_a_hold_taken_over_counts_towards_the_new_one(commit, ledger, hold, amount, left):
    commit(ledger.take(hold.owner, amount, released=hold.amount))

    assert ledger.wallet(hold.owner) == left


@pytest.mark.parametrize("charge", [0, 1000, 4000])
def test_a_hold_paid_gives_back_the_rest(commit, ledger, hold, charge):
    commit(ledger.close_hold(hold), ledger.pay(hold.owner, hold.amount, charge))

    assert ledger.wallet(hold.owner) == Wallet(10_000 - charge, 0)
    assert ledger.hold(hold.call_id) == replace(hold, open=False, expires_at=None)


def test_a_call_holds_once_and_pays_once(commit, ledger, hold):
    assert commit(ledger.open_hold(hold), ledger.take(hold.owner, 1)) == {"hold"}
    ending = [ledger.close_hold(hold), ledger.pay(hold.owner, hold.amount, 0)]
    assert not commit(*ending)
    assert "hold" in commit(*ending)
    assert ledger.wallet(hold.owner) == Wallet(10_000, 0)


def test_more_than_is_held_is_not_paid_back(commit, ledger, hold):
    assert commit(ledger.pay(hold.owner, 4001, 0)) == {"wallet"}


def test_a_hold_is_closed_by_who_read_its_expiry_only_while_it_has_it(commit, ledger, hold):
    assert ledger.hold(hold.call_id) == hold
    assert commit(ledger.close_hold(replace(hold, expires_at=NOW + 31))) == {"hold"}
    assert not commit(ledger.keep_hold(hold.call_id))
    assert commit(ledger.close_hold(hold)) == {"hold"}
    assert ledger.hold(hold.call_id) == replace(hold, expires_at=None)
    assert not commit(ledger.close_hold(replace(hold, expires_at=None)))


def test_a_closed_hold_is_not_kept(commit, ledger, hold):
    commit(ledger.close_hold(hold))

    assert commit(ledger.keep_hold(hold.call_id)) == {"hold"}


def test_a_hold_is_due_when_it_expires_and_no_more_once_it_is_kept(commit, ledger, hold):
    shard = int(due_shard(hold.call_id).removeprefix("due#"))

    assert hold.call_id not in ledger.due_holds(shard, NOW + 29)
    assert hold.call_id in ledger.due_holds(shard, NOW + 30)
    commit(ledger.keep_hold(hold.call_id))
    assert hold.call_id not in ledger.due_holds(shard, NOW + 9999)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"units": {}, "charge": 0},
        {"vendor_cost": 0, "unknown_costs": 3},
        {"result_key": "jobs/call/parts/0000/attempt.json", "rows": 7},
        {"children": (Child("0000.1", (3, 4, 5, 9)), Child("0000.2", (10,), barren=2))},
        {"part_id": ROOT, "children": (Child("0000", None, 1, {"maps_reviews_page": 4}),)},
        {"error": {"code": "timeout", "message": "m", "retryable": True, "details": {"n": 1}}},
    ],
)
def test_a_marker_comes_back_as_it_was_put(commit, ledger, new_id, changes):
    marker = replace(MARKER, call_id=new_id, **changes)

    assert not commit(ledger.put_marker(marker))

    assert ledger.marker(new_id, marker.part_id) == marker
    assert ledger.markers(new_id) == [marker]


def test_a_part_has_one_marker(commit, ledger, new_id):
    marker = replace(MARKER, call_id=new_id)
    commit(ledger.put_marker(marker))

    assert commit(ledger.put_marker(replace(marker, charge=1))) == {"marker"}
    assert ledger.marker(new_id, "0000") == marker


def test_a_slice_is_read_with_its_descendants_and_nobody_elses(commit, ledger, new_id):
    ids = ["0001", "0001.1", "0001.10", "0001.1.1", "0002", "0010", "00010", "0001a", ROOT]
    for part_id in ids:
        commit(ledger.put_marker(replace(MARKER, call_id=new_id, part_id=part_id)))

    found = {marker.part_id for marker in ledger.descendants(new_id, "0001")}

    assert found == {"0001", "0001.1", "0001.10", "0001.1.1"}
    assert len(ledger.markers(new_id)) == len(ids)


def test_markers_of_more_than_a_page_are_all_read(commit, ledger, new_id):
    children = tuple(Child(slice_id(n), tuple(range(n * 40, n * 40 + 40, 2))) for n in range(1500))
    for number in range(12):
        marker = replace(MARKER, call_id=new_id, part_id=slice_id(number), children=children)
        commit(ledger.put_marker(marker))
    page = ledger.table.client.query(
        TableName=ledger.table.name,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": new_id}},
    )

    assert page["Count"] < 12
    assert [marker.part_id for marker in ledger.markers(new_id)] == [slice_id(n) for n in range(12)]


def test_facts_of_an_owner_are_those_with_units_between_two_moments(commit, ledger, new_id):
    days = {
        "0000": "14T23:59:59.999Z",
        "0001": "15T00:00:00.000Z",
        "0002": "15T23:59:59.999Z",
        "0003": "16T00:00:00.000Z",
    }
    for part_id, moment in days.items():
        commit(
            ledger.put_marker(replace(MARKER, call_id=new_id, owner=new_id, part_id=part_id, at=f"2027-01-{moment}"))
        )
    empty = replace(MARKER, call_id=new_id, owner=new_id, part_id="0004", units={}, at="2027-01-15T12:00:00.000Z")
    commit(ledger.put_marker(empty))

    facts = list(ledger.facts(new_id, "2027-01-15", "2027-01-15T99"))

    assert [fact.part_id for fact in facts] == ["0001", "0002"]
    assert sum(fact.charge for fact in facts) == 4000


@pytest.mark.parametrize("stride", [1, 2], ids=["dense", "with gaps"])
def test_the_plan_of_ten_thousand_items_fits_into_its_marker_many_times(commit, ledger, new_id, stride):
    indexes = range(0, 10_000 * stride, stride)
    cut = slices(indexes, [2048] * (10_000 * stride))
    children = tuple(Child(slice_id(number), part) for number, part in enumerate(cut))
    root = replace(MARKER, call_id=new_id, part_id=ROOT, children=children)

    commit(ledger.put_marker(root))

    assert len(str(encoded(_item(root)))) < 100_000
    assert ledger.marker(new_id, ROOT) == root
    assert len(children) == 1000
