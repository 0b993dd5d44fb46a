"""The list of an item verb: which items are the same, which are no item at all, and which are paid for."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verbena.capability import Capability
from verbena.envelope import ErrorInfo, JsonRow
from verbena.errors import InsufficientBalance, VerbenaError


@dataclass(frozen=True, slots=True)
class Items:
    """`unique` holds what the executor gets; `order` says for each input position which of them answers it.

    A position whose item is invalid has its error in `invalid` and None in `order`. `echo` is what a row
    says its item was. Of the unique items only the first `funded` are run.
    """

    unique: tuple[str, ...]
    order: tuple[int | None, ...]
    echo: tuple[str, ...]
    invalid: Mapping[int, ErrorInfo]
    funded: int

    @property
    def weights(self) -> Counter[int | None]:
        """How many positions each unique item answers."""
        return Counter(self.order)

    @property
    def unanswerable(self) -> int:
        """Positions that get their row without any work: invalid ones and those beyond the balance."""
        return sum(index is None or index >= self.funded for index in self.order)

    def funding(self, count: int) -> "Items":
        """The same list with only its first `count` unique items paid for."""
        return replace(self, funded=min(count, len(self.unique)))

    def stored(self) -> dict[str, Any]:
        """The JSON form beside a job's input; holds nothing the rows would not show."""
        return {
            "unique": self.unique,
            "order": self.order,
            "echo": self.echo,
            "invalid": {position: error.model_dump(exclude_none=True) for position, error in self.invalid.items()},
            "funded": self.funded,
        }

    @classmethod
    def of_stored(cls, stored: Mapping[str, Any]) -> "Items":
        return cls(
            unique=tuple(stored["unique"]),
            order=tuple(stored["order"]),
            echo=tuple(stored["echo"]),
            invalid={int(position): ErrorInfo(**error) for position, error in stored["invalid"].items()},
            funded=stored["funded"],
        )


def listed(capability: Capability, items: Sequence[str]) -> Items:
    """Sort out a list: duplicates meet, items the verb cannot work on are set aside with their error."""
    numbers: dict[str, int] = {}
    order: list[int | None] = []
    invalid: dict[int, ErrorInfo] = {}
    for position, item in enumerate(items):
        try:
            identity = capability.identify(item)
        except VerbenaError as error:
            invalid[position] = ErrorInfo.of(error)
            order.append(None)
        else:
            order.append(numbers.setdefault(identity, len(numbers)))
    return Items(tuple(numbers), tuple(order), tuple(map(capability.echo, items)), invalid, len(numbers))


def row_at(capability: Capability, items: Items, position: int, row: JsonRow) -> JsonRow:
    """A row as one input position shows it: under its own index, echoing its own item."""
    name = capability.mode.item or "item"
    told = {key: value for key, value in row.items() if key not in {name, "index"}}
    return {name: items.echo[position], "index": position, **told}


def unworked_row(capability: Capability, items: Items, position: int, error: ErrorInfo) -> JsonRow:
    """The row of a position that was never run."""
    return row_at(capability, items, position, {"status": "failed", "error": error.model_dump(exclude_none=True)})


def verdict_before_work(items: Items, position: int) -> ErrorInfo | None:
    """Why a position is not run at all, if so."""
    if (invalid := items.invalid.get(position)) is not None:
        return invalid
    index = items.order[position]
    return ErrorInfo.of(InsufficientBalance()) if index is not None and index >= items.funded else None


def subset(items: Items, indexes: Iterable[int]) -> list[str]:
    return [items.unique[index] for index in indexes]
