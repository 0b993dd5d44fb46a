import random

import pytest

from web_scrape import model
from web_scrape.features import BLOCK_NAMES, BOX_NAMES, PAGE_NAMES, Sheet


def table(seed, trees=20):
    """A model of random trees over three features of a block, two of a box and one of the page."""
    noise = random.Random(seed)  # noqa: S311 - reproducible, not secret
    thresholds = [sorted({noise.randint(-5, 5) for _ in range(4)}) for _ in range(6)]
    tests = sum(map(len, thresholds))

    def grown(depth):
        if depth == 0 or noise.random() < 0.2:
            return noise.randint(0, 1023)
        return [noise.randrange(tests), grown(depth - 1), grown(depth - 1)]

    words = {"near": {}, "far": {}, "text": {}}
    return words | {"bias": -9.0, "step": 1 / 256, "thresholds": thresholds, "trees": [grown(5) for _ in range(trees)]}


def sheet(seed, count):
    noise = random.Random(seed)  # noqa: S311 - reproducible, not secret
    boxes = count // 3 + 1
    return Sheet(
        blocks=[[noise.randint(-6, 6) for _ in range(count)] for _ in range(3)],
        boxes=[[noise.randint(-6, 6) for _ in range(boxes)] for _ in range(2)],
        box_of=[noise.randrange(boxes) for _ in range(count)],
        page=(noise.randint(-6, 6),),
    )


def walked(raw, page, at):
    """The sum of the leaves that one block reaches, tree by tree."""
    values = [column[at] for column in page.blocks] + [column[page.box_of[at]] for column in page.boxes] + [*page.page]
    tests = [value <= t for value, found in zip(values, raw["thresholds"], strict=True) for t in found]
    total = 0
    for tree in raw["trees"]:
        node = tree
        while isinstance(node, list):
            node = node[1] if tests[node[0]] else node[2]
        total += node
    return total


@pytest.mark.parametrize("count", [1, 2, 63, 65, 300, 2_500])
def test_all_blocks_at_once_get_what_each_would_get_alone(count):
    raw, page = table(count), sheet(count, count)

    found = model.probabilities(model.parsed(raw), page)

    sums = [walked(raw, page, at) for at in range(count)]
    assert found == pytest.approx([1 / (1 + 2.718281828459045 ** (9 - total / 256)) for total in sums])


def test_a_page_without_blocks_has_no_probabilities():
    assert model.probabilities(model.parsed(table(1)), sheet(1, 0)) == []


def test_the_shipped_table_fits_the_features():
    shipped = model.shipped()

    assert len(shipped.thresholds) == len(BLOCK_NAMES) + len(BOX_NAMES) + len(PAGE_NAMES)
    assert all(found == sorted(set(found)) for found in shipped.thresholds)
