"""The ledger table: wallets, holds and immutable facts, all keyed so that one range reads a call or a slice of it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pydantic_core import from_json, to_json

from verbena.aws.codec import Item, due_shard
from verbena.aws.table import Table
from verbena.jobs import Child, Hold, Marker, Wallet, ranged, written
from verbena.ports import Write

PART = "part#"
# '/' is the character after '.', so this range holds a slice and its descendants and nothing else.
AFTER_DESCENDANTS = "/"
AFTER_PARTS = "part$"
DEPOSIT = "deposit#"
AFTER_DEPOSITS = "deposit$"


@dataclass(frozen=True, slots=True)
class Deposit:
    """What an operator added to a wallet, and when."""

    id: str
    micros: int
    at: str


@dataclass(frozen=True, slots=True)
class LedgerTable:
    """Wallets, holds and facts."""

    table: Table

    def wallet(self, owner: str) -> Wallet | None:
        """What an owner can spend and what is held of it, in micro-USD."""
        item = self.table.get(*_wallet(owner))
        return Wallet(item["available"], item["held"]) if item else None

    def hold(self, call_id: str) -> Hold | None:
        """The money set aside for a call, open or closed."""
        item = self.table.get(call_id, "hold")
        if item is None:
            return None
        return Hold(
            call_id,
            item["owner"],
            item["amount"],
            item["prices"],
            item.get("due_at"),
            open=item["state"] == "open",
        )

    def marker(self, call_id: str, part_id: str) -> Marker | None:
        """What the ledger says of one part."""
        item = self.table.get(call_id, PART + part_id)
        return _marker(item) if item else None

    def markers(self, call_id: str) -> list[Marker]:
        """Every part of a call."""
        return [_marker(item) for item in self.table.between(call_id, PART, AFTER_PARTS)]

    def descendants(self, call_id: str, slice_id: str) -> list[Marker]:
        """A slice and every part that came of it."""
        return [
            _marker(item) for item in self.table.between(call_id, PART + slice_id, PART + slice_id + AFTER_DESCENDANTS)
        ]

    def due_holds(self, shard: int, now: int) -> list[str]:
        """Calls whose hold may have expired."""
        return [item["pk"] for item in self.table.due(shard, now)]

    def facts(self, owner: str, first: str, last: str) -> Iterator[Marker]:
        """The facts of an owner between two ISO moments; eventually consistent."""
        condition = "usage_owner = :owner AND #at BETWEEN :first AND :last"
        values = {":owner": owner, ":first": first, ":last": last}
        items = self.table.indexed("usage", condition, values, ExpressionAttributeNames={"#at": "at"})
        return map(_marker, items)

    def take(self, owner: str, amount: int, released: int = 0) -> Write:
        """Only stored numbers are compared, so the balance cannot pass below zero whoever else is spending."""
        return self.table.update(
            "wallet",
            _wallet(owner),
            "SET available = available - :net, held = held + :net",
            "attribute_exists(pk) AND available >= :net AND held >= :back",
            {":net": amount - released, ":back": released},
        )

    def pay(self, owner: str, held: int, charge: int) -> Write:
        """End a hold: the charge stays away, the rest comes back."""
        return self.table.update(
            "wallet",
            _wallet(owner),
            "SET available = available + :rest, held = held - :held",
            "attribute_exists(pk) AND held >= :held",
            {":rest": held - charge, ":held": held},
        )

    def top_up(self, owner: str, to_micros: int) -> None:
        """Bring what an owner can spend up to an amount, making the wallet if there is none."""
        fresh = {"pk": _wallet(owner)[0], "sk": "wallet", "available": to_micros, "held": 0}
        if self.table.apply(self.table.put("wallet", fresh, "attribute_not_exists(pk)")) is not None:
            raised = self.table.update(
                "wallet", _wallet(owner), "SET available = :to", "available < :to", {":to": to_micros}
            )
            self.table.apply(raised)

    def deposit(self, owner: str, deposit: Deposit) -> list[Write]:
        """Money that an operator adds, and the fact of it: both or none, once for an id."""
        pk, sk = _wallet(owner)
        fact = {"pk": pk, "sk": DEPOSIT + deposit.id, "micros": deposit.micros, "at": deposit.at}
        raised = self.table.update(
            "wallet",
            (pk, sk),
            "SET available = if_not_exists(available, :none) + :micros, held = if_not_exists(held, :none)",
            "attribute_not_exists(pk) OR available >= :none",
            {":micros": deposit.micros, ":none": 0},
        )
        return [self.table.put("deposit", fact, "attribute_not_exists(pk)"), raised]

    def deposits(self, owner: str) -> list[Deposit]:
        """What operators have added, in the order of ids."""
        items = self.table.between(_wallet(owner)[0], DEPOSIT, AFTER_DEPOSITS)
        return [Deposit(item["sk"].removeprefix(DEPOSIT), item["micros"], item["at"]) for item in items]

    def open_hold(self, hold: Hold) -> Write:
        """The hold's id is the call's: a second try of the same call finds the first one's."""
        expiring = {} if hold.expires_at is None else {"due_at": hold.expires_at, "due_shard": due_shard(hold.call_id)}
        item = {
            "pk": hold.call_id,
            "sk": "hold",
            "owner": hold.owner,
            "amount": hold.amount,
            "prices": hold.prices,
            "state": "open",
            **expiring,
        }
        return self.table.put("hold", item, "attribute_not_exists(pk)")

    def close_hold(self, hold: Hold) -> Write:
        """The expiry is compared because the due index that proposed it is stale: a job's hold has none any more."""
        condition = "#state = :open"
        values: dict[str, Any] = {":open": "open", ":closed": "closed"}
        if hold.expires_at is not None:
            condition, values = condition + " AND due_at = :expiry", values | {":expiry": hold.expires_at}
        change = "SET #state = :closed REMOVE due_at, due_shard"
        return self.table.update("hold", (hold.call_id, "hold"), change, condition, values)

    def keep_hold(self, call_id: str) -> Write:
        """A job ends by its own rules, so its hold must not expire under it."""
        return self.table.update(
            "hold", (call_id, "hold"), "REMOVE due_at, due_shard", "#state = :open", {":open": "open"}
        )

    def put_marker(self, marker: Marker) -> Write:
        """One marker per part: the condition is what bills a part once however often it is delivered."""
        return self.table.put("marker", _item(marker), "attribute_not_exists(pk)")


def _wallet(owner: str) -> tuple[str, str]:
    return f"wallet#{owner}", "wallet"


def _item(marker: Marker) -> Item:
    """Children are one JSON string: a plan of a thousand slices must fit into an item."""
    told: dict[str, Any] = {**asdict(marker), "children": None}
    if marker.children:
        told["children"] = to_json([_told(child) for child in marker.children]).decode()
    usage = {"usage_owner": marker.owner} if marker.units else {}
    return {"pk": marker.call_id, "sk": PART + marker.part_id, **told, **usage}


def _told(child: Child) -> list[Any]:
    indexes = None if child.indexes is None else written(child.indexes)
    return [child.part_id, indexes, child.barren, child.left]


def _child(part_id: str, indexes: str | None, barren: int, left: Mapping[str, int] | None) -> Child:
    return Child(part_id, None if indexes is None else ranged(indexes), barren, left)


def _marker(item: Item) -> Marker:
    names = Marker.__dataclass_fields__
    told = {name: value for name, value in item.items() if name in names and name != "children"}
    children = from_json(item["children"]) if "children" in item else ()
    return Marker(**told, children=tuple(_child(*child) for child in children))
