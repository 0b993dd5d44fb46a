"""The part of a page its readers came for: blocks judged by the trained model, then the tree cut to what is kept."""

from collections.abc import Sequence
from typing import Final

from turbohtml import Element

from web_scrape import blocks, features, model
from web_scrape.blocks import Block, Box
from web_scrape.hints import Hints

# A page whose likeliest block is less likely than this has no main content.
_MIN_BEST: Final = 0.35
# Tables keep their columns: such a cell is emptied, not removed.
_CELLS: Final = frozenset({"td", "th"})


def keep_main(body: Element, hints: Hints) -> bool:
    """Remove from `body` what is not main content; False, and nothing removed, when it seems to hold none."""
    found, boxes = blocks.cut(body)
    if not found:
        return False
    shipped = model.shipped()
    likely = model.probabilities(shipped, features.sheet(found, boxes, hints, shipped.vocabulary))
    kept = chosen(likely, [block.text.count(" ") + 1 for block in found])
    if not any(kept):
        return False
    _prune(found, boxes, kept)
    return True


def chosen(likely: Sequence[float], words: Sequence[int]) -> list[bool]:
    """The blocks whose words together have the best F1 to be expected.

    Taking the next likely block raises it for as long as the block is likelier than half of what is reached.
    """
    expected = sum(p * w for p, w in zip(likely, words, strict=True))
    right = taken = best = 0.0
    cut = 2.0
    for p, w in sorted(zip(likely, words, strict=True), reverse=True):
        right += p * w
        taken += w
        reached = right / (taken + expected)
        if reached < best:
            break
        best, cut = reached, p
    return [p >= max(cut, 0.0) and max(likely) >= _MIN_BEST for p in likely]


def _prune(found: list[Block], boxes: list[Box], kept: list[bool]) -> None:
    """Take out every box without a kept block, and the blocks that are not kept from the others."""
    upto = [0]
    for keep in kept:
        upto.append(upto[-1] + keep)
    gone = [False] * len(boxes)
    for i, box in enumerate(boxes):
        above = box.parent >= 0 and gone[box.parent]
        gone[i] = above or not _stays(box, boxes, upto)
        if gone[i] and not above:
            _drop(box.element)
    for block, keep in zip(found, kept, strict=True):
        if not keep and not gone[block.box]:
            for node in block.nodes:
                node.decompose()


def _stays(box: Box, boxes: list[Box], upto: list[int]) -> bool:
    """Whether a box holds something kept; one without text stays beside what is kept."""
    if box.parent < 0:
        return True
    if box.start < box.end:
        return upto[box.end] > upto[box.start]
    around = boxes[box.parent]
    return upto[min(around.end, box.end + 1)] > upto[max(around.start, box.start - 1)]


def _drop(element: Element) -> None:
    if element.tag in _CELLS:
        element.clear()
    else:
        element.decompose()
