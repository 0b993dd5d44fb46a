"""The operator's providers: rows of the config table with their credentials, cached for a short while."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from botocore.exceptions import BotoCoreError, ClientError

from verbena.aws.codec import Item, encoded
from verbena.aws.connections import PLATFORM, Connections
from verbena.aws.slots import Slots
from verbena.aws.table import Table
from verbena.aws.table import key as key_of
from verbena.errors import ProviderLoadFailed
from verbena.providers import ProviderRow
from verbena.rates import Rate
from verbena.settings import PROVIDERS_CACHE_S, secret

ROWS = "providers"
FIRST, LAST = " ", "\uffff"


@dataclass
class Seen:
    """What was read last, and when; a process asks the store again after PROVIDERS_CACHE_S."""

    at: float = float("-inf")
    rows: Sequence[ProviderRow] = ()
    resting: dict[str, float] = field(default_factory=dict)
    secrets: dict[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Providers:
    """The book of a deployment. `environment` gives the secrets that a row's own credential does not."""

    table: Table
    connections: Connections
    slots: Slots
    environment: Callable[[str], str | None] = secret
    clock: Callable[[], float] = time.monotonic
    _seen: Seen = field(default_factory=Seen)

    def rows(self, *, fresh: bool = False) -> Sequence[ProviderRow]:
        if fresh:
            self._seen.at = float("-inf")
        self._refresh()
        return self._seen.rows

    def secrets(self, row: ProviderRow, names: Sequence[str]) -> Mapping[str, str]:
        """A credential that cannot be opened is as good as none: its row is unavailable, the others serve."""
        own = self._opened(row) if row.credential and names else {}
        known = {name: own.get(name) or self.environment(name) for name in names}
        return {name: value for name, value in known.items() if value}

    def resting(self) -> Mapping[str, float]:
        self._refresh()
        return self._seen.resting

    def rest(self, row: ProviderRow, until: float) -> None:
        """Known here at once, elsewhere when they next look."""
        self._seen.resting[row.key] = until
        self.slots.close(_rest(row), until)

    def turn(self, row: ProviderRow, rate: Rate) -> float:
        """One line for all processes: a vendor's rate counts the application."""
        return self.slots.take(f"turn#{row.key}", rate, time.time())

    # ---- the operator's side

    def put(self, row: ProviderRow, secrets: Mapping[str, str] | None = None) -> ProviderRow:
        """Store a row, in place of one of its name; `secrets` too unless None, which keeps those it has."""
        if secrets:
            row = replace(row, credential=f"provider#{row.key}")
            self.connections.put(PLATFORM, f"provider#{row.key}", secrets)
        elif secrets is not None:
            row = replace(row, credential=None)
            self.connections.delete(PLATFORM, f"provider#{row.key}")
        item = {"pk": ROWS, "sk": row.key, **asdict(row)}
        self.table.client.put_item(TableName=self.table.name, Item=encoded(item))
        self.slots.open(_rest(row))
        self._seen.at = float("-inf")
        return row

    def delete(self, row: ProviderRow) -> None:
        """Forget a row and its credential."""
        self.table.client.delete_item(TableName=self.table.name, Key=key_of(ROWS, row.key))
        self.connections.delete(PLATFORM, f"provider#{row.key}")
        self.slots.open(_rest(row))
        self._seen.at = float("-inf")

    def stored(self, row: ProviderRow) -> tuple[str, ...]:
        """The names of the secrets a row's credential holds."""
        return self.connections.names(PLATFORM, row.credential) if row.credential else ()

    def _refresh(self) -> None:
        seen = self._seen
        if self.clock() - seen.at <= PROVIDERS_CACHE_S:
            return
        try:
            seen.rows = [_row(item) for item in self.table.between(ROWS, FIRST, LAST)]
            until = self.slots.closed([_rest(row) for row in seen.rows])
        except (BotoCoreError, ClientError) as error:
            raise ProviderLoadFailed from error
        seen.resting = {row.key: until[_rest(row)] for row in seen.rows if _rest(row) in until}
        seen.secrets.clear()
        seen.at = self.clock()

    def _opened(self, row: ProviderRow) -> Mapping[str, str]:
        if row.key not in self._seen.secrets:
            try:
                self._seen.secrets[row.key] = self.connections.secrets(PLATFORM, row.credential or "")
            except (BotoCoreError, ClientError) as error:
                raise ProviderLoadFailed from error
        return self._seen.secrets[row.key]


def _row(item: Item) -> ProviderRow:
    names = ProviderRow.__dataclass_fields__
    return ProviderRow(**{name: value for name, value in item.items() if name in names})


def _rest(row: ProviderRow) -> str:
    return f"rest#{row.key}"
