"""Boosted trees over a whole page at once: each test and each leaf is a set of blocks, the bits of one number.

So a tree costs the same for one block as for a thousand, and a sum of leaf values is a few additions of bit planes.
"""

import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import repeat
from math import exp
from typing import Any, Final

from web_scrape.features import Column, Sheet
from web_scrape.vocabulary import Vocabulary

# Leaves are whole multiples of a step of log-odds; these many bits hold one leaf, and the sum of all trees.
_LEAF_BITS: Final = 12
_SUM_BITS: Final = 20
# Longer sets would make each operation slower than the set is worth.
_BATCH: Final = 1_024

# (test, what is not above its threshold, what is above it), or (-1, the bits of a leaf's value, ()).
Node = tuple[int, Any, Any]


@dataclass(frozen=True)
class Model:
    """A trained table: `thresholds` by feature, in the order of the features' names; tests are numbered through."""

    vocabulary: Vocabulary
    thresholds: list[list[float]]
    trees: list[Node]
    bias: float
    step: float


@cache
def shipped() -> Model:
    """The model that comes with the product (tools/train_reader makes it)."""
    return parsed(json.loads(files(__package__).joinpath("model.json").read_text("utf-8")))


def parsed(table: dict[str, Any]) -> Model:
    """The model in a table of lists."""
    return Model(
        Vocabulary(*({word: weight / 100 for word, weight in table[kind].items()} for kind in ("near", "far", "text"))),
        table["thresholds"],
        [_node(tree) for tree in table["trees"]],
        table["bias"],
        table["step"],
    )


def _node(tree: Any) -> Node:
    if isinstance(tree, int):
        return (-1, tuple(bit for bit in range(_LEAF_BITS) if tree >> bit & 1), ())
    return (tree[0], _node(tree[1]), _node(tree[2]))


def probabilities(model: Model, sheet: Sheet) -> list[float]:
    """For each block, how likely it belongs to the main content."""
    sums: list[int] = []
    for start in range(0, len(sheet.box_of), _BATCH):
        sums += _sums(model, sheet, slice(start, start + _BATCH))
    return [1 / (1 + exp(-model.bias - model.step * total)) for total in sums]


def _sums(model: Model, sheet: Sheet, batch: slice) -> list[int]:
    """The leaf values of some blocks, added up."""
    count = len(sheet.box_of[batch])
    tests = _tests(model.thresholds, _sets(sheet, batch))
    planes = [0] * _SUM_BITS
    for tree in model.trees:
        leaves = [0] * _LEAF_BITS
        _descend(tree, (1 << count) - 1, tests, leaves)
        _add(planes, leaves)
    return _numbers(planes, count)


def _sets(sheet: Sheet, batch: slice) -> Iterable[tuple[Sequence[int], Column]]:
    """Each feature as sets of blocks, and the value of each set."""
    box_of = sheet.box_of[batch]
    own = [1 << at for at in range(len(box_of))]
    inside: dict[int, int] = {}
    for bit, box in zip(own, box_of, strict=True):
        inside[box] = inside.get(box, 0) | bit
    shared = list(inside.values())
    yield from ((own, column[batch]) for column in sheet.blocks)
    yield from ((shared, [column[box] for box in inside]) for column in sheet.boxes)
    yield from (([sum(own)], (value,)) for value in sheet.page)


def _tests(thresholds: list[list[float]], sets_of: Iterable[tuple[Sequence[int], Column]]) -> list[int]:
    """The blocks that are not above each threshold of each feature."""
    tests: list[int] = []
    for limits, (sets, values) in zip(thresholds, sets_of, strict=True):
        if not limits:
            continue
        found = [0] * (len(limits) + 1)
        for place, blocks in zip(map(bisect_left, repeat(limits), values), sets, strict=False):
            found[place] |= blocks
        below = 0
        for blocks in found[:-1]:
            below |= blocks
            tests.append(below)
    return tests


def _descend(node: Node, blocks: int, tests: list[int], leaves: list[int]) -> None:
    test, low, high = node
    if test < 0:
        for bit in low:
            leaves[bit] |= blocks
        return
    below = blocks & tests[test]
    if below:
        _descend(low, below, tests, leaves)
    if below != blocks:
        _descend(high, blocks ^ below, tests, leaves)


def _add(planes: list[int], leaves: list[int]) -> None:
    """Add one number to each block's sum, all blocks at once: plane k holds bit k of every sum."""
    carry = 0
    for k, plane in enumerate(planes):
        more = leaves[k] if k < _LEAF_BITS else 0
        half = plane ^ more
        planes[k] = half ^ carry
        carry = (plane & more) | (half & carry)
        if not carry and k >= _LEAF_BITS:
            return


def _numbers(planes: list[int], count: int) -> list[int]:
    rows = (format(plane, f"0{count}b") for plane in reversed(planes))
    return [int("".join(bits), 2) for bits in zip(*rows, strict=True)][::-1]
