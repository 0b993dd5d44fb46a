"""The part of a page its readers came for: blocks judged by the trained model, then the tree cut to what is kept."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from turbohtml import Element

from web_scrape import blocks, features, model
from web_scrape.blocks import Block, Box
from web_scrape.hints import Hints

# A page whose likeliest block is less likely than this has no main content.
_MIN_BEST: Final = 0.12
# What hardly ever holds content: a third of the blocks of the web, and 0.2 % of its content.
_AROUND: Final = "nav, footer, [role=navigation], [role=contentinfo]"
_MAX_SHARE_AROUND: Final = 0.5
# Half a second of judging. A page of more blocks is one document; the labelled pages have at most 2,641.
_MAX_BLOCKS: Final = 10_000
# A shorter page has nothing around its content.
_MIN_CHARS: Final = 600
# How much the blocks of one structure are judged by what all of it is likely to be.
_STRUCTURES: Final = {"table": 1.0, "dl": 1.0, "ul": 0.5, "ol": 0.5}
# Tables keep their columns: such a cell is emptied, not removed.
_CELLS: Final = frozenset({"td", "th"})


def keep_main(body: Element, hints: Hints) -> bool:
    """Remove from `body` what is not main content; False when it holds none: navigation without a page."""
    drop_around(body)
    found, boxes, bare = blocks.cut(body)
    if len(found) > _MAX_BLOCKS or sum(len(block.text) for block in found) < _MIN_CHARS:
        return True
    words = [block.text.count(" ") + 1 for block in found]
    shipped = model.shipped()
    likely = model.probabilities(shipped, features.sheet(found, boxes, hints, shipped.vocabulary))
    kept = titled(chosen(evened(likely, words, boxes), words), [block.box for block in found], boxes)
    if any(kept):
        prune(found, boxes, bare, kept)
    return any(kept)


def drop_around(body: Element) -> None:
    """Take out navigation and footers, unless one is most of the page."""
    most = _MAX_SHARE_AROUND * len(body.text)
    for element in body.select(_AROUND):
        if len(element.text) <= most:
            element.decompose()


def evened(likely: Sequence[float], words: Sequence[int], boxes: Sequence[Box]) -> list[float]:
    """The likelihoods with those of each innermost table or list drawn together, so that it stays or goes as one."""
    found = list(likely)
    done = len(found)
    for box in reversed(boxes):
        pull = _STRUCTURES.get(box.tag)
        if pull is None or box.end > done:
            continue
        inside = slice(box.start, box.end)
        mean = sum(p * w for p, w in zip(likely[inside], words[inside], strict=True)) / sum(words[inside])
        found[inside] = [p + pull * (mean - p) for p in likely[inside]]
        done = box.start
    return found


def chosen(likely: Sequence[float], words: Sequence[int]) -> list[bool]:
    """The blocks whose words together have the best F1 to be expected.

    Taking the next likely block raises it for as long as the block is likelier than half of what is reached.
    """
    if max(likely, default=0.0) < _MIN_BEST:
        return [False] * len(likely)
    expected = sum(p * w for p, w in zip(likely, words, strict=True))
    right = taken = best = cut = 0.0
    for p, w in sorted(zip(likely, words, strict=True), reverse=True):
        right += p * w
        taken += w
        reached = right / (taken + expected)
        if reached < best:
            break
        best, cut = reached, p
    return [p >= cut for p in likely]


def titled(kept: Sequence[bool], box_of: Sequence[int], boxes: Sequence[Box]) -> list[bool]:
    """The title stays above content that does: readers of text want it, whatever a label says."""
    return [keep or _is_title_of(kept, place, boxes[box_of[place]], boxes) for place, keep in enumerate(kept)]


def _is_title_of(kept: Sequence[bool], place: int, box: Box, boxes: Sequence[Box]) -> bool:
    return box.tag == "h1" and any(kept[place + 1 : min(place + 2, boxes[box.parent].end)])


def prune(found: list[Block], boxes: list[Box], bare: list[Box], kept: list[bool]) -> None:
    """Take out every box without a kept block, bare boxes beside none, and other blocks that are not kept."""
    upto = [0, *accumulate(kept)]
    gone = _drop_boxes(boxes, upto)
    for box in bare:
        if not gone[box.parent] and upto[min(len(kept), box.start + 1)] == upto[max(0, box.start - 1)]:
            _drop(box.element)
    for block, keep in zip(found, kept, strict=True):
        if not keep and not gone[block.box]:
            for node in block.nodes:
                node.decompose()


def _drop_boxes(boxes: list[Box], upto: list[int]) -> list[bool]:
    """Which boxes are gone, or inside one that is."""
    gone = [False]
    for box in boxes[1:]:
        above = gone[box.parent]
        gone.append(above or upto[box.end] == upto[box.start])
        if gone[-1] and not above:
            _drop(box.element)
    return gone


def _drop(element: Element) -> None:
    if element.tag in _CELLS:
        element.clear()
    else:
        element.decompose()
