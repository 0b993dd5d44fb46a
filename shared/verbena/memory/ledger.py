"""Wallets, holds and facts in memory, under the conditions of `verbena.aws.ledger`."""

from dataclasses import dataclass, replace

from verbena.jobs import Hold, Marker, Wallet
from verbena.memory.items import Change, Memory, put
from verbena.ports import Write


@dataclass(frozen=True, slots=True)
class LedgerMemory:
    """Wallets, holds and facts."""

    memory: Memory

    def wallet(self, owner: str) -> Wallet | None:
        wallet: Wallet | None = self.memory.get(("wallet", owner))
        return wallet

    def hold(self, call_id: str) -> Hold | None:
        hold: Hold | None = self.memory.get(("hold", call_id))
        return hold

    def marker(self, call_id: str, part_id: str) -> Marker | None:
        marker: Marker | None = self.memory.get(("part", call_id, part_id))
        return marker

    def markers(self, call_id: str) -> list[Marker]:
        return self.memory.under("part", call_id)

    def descendants(self, call_id: str, slice_id: str) -> list[Marker]:
        markers = self.markers(call_id)
        return [marker for marker in markers if f"{marker.part_id}.".startswith(f"{slice_id}.")]

    def due_holds(self, shard: int, now: int) -> list[str]:
        """All in the first shard: here nothing is hot."""
        holds: list[Hold] = self.memory.under("hold") if shard == 0 else []
        return [hold.call_id for hold in holds if hold.expires_at is not None and hold.expires_at <= now]

    def top_up(self, owner: str, to_micros: int) -> None:
        """Bring what an owner can spend up to an amount, making the wallet if there is none."""
        self.memory.apply(
            Change(
                ("wallet", owner),
                lambda wallet: wallet is None or wallet.available < to_micros,
                lambda wallet: replace(wallet or Wallet(0, 0), available=to_micros),
            )
        )

    def take(self, owner: str, amount: int, released: int = 0) -> Write:
        net = amount - released
        return Write(
            "wallet",
            Change(
                ("wallet", owner),
                lambda wallet: wallet is not None and wallet.available >= net and wallet.held >= released,
                lambda wallet: Wallet(wallet.available - net, wallet.held + net),
            ),
        )

    def pay(self, owner: str, held: int, charge: int) -> Write:
        return Write(
            "wallet",
            Change(
                ("wallet", owner),
                lambda wallet: wallet is not None and wallet.held >= held,
                lambda wallet: Wallet(wallet.available + held - charge, wallet.held - held),
            ),
        )

    def open_hold(self, hold: Hold) -> Write:
        return put("hold", ("hold", hold.call_id), hold)

    def close_hold(self, hold: Hold) -> Write:
        def allowed(item: Hold | None) -> bool:
            return _is_open(item) and hold.expires_at in {None, item and item.expires_at}

        closed = Change(("hold", hold.call_id), allowed, lambda item: replace(item, open=False, expires_at=None))
        return Write("hold", closed)

    def keep_hold(self, call_id: str) -> Write:
        return Write("hold", Change(("hold", call_id), _is_open, lambda item: replace(item, expires_at=None)))

    def put_marker(self, marker: Marker) -> Write:
        return put("marker", ("part", marker.call_id, marker.part_id), marker)


def _is_open(hold: Hold | None) -> bool:
    return hold is not None and hold.open
