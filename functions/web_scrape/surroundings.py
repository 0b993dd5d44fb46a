"""What the model sees of a box: its names, its landmarks, the rings of boxes around it and the group it repeats in."""

from collections import Counter
from typing import Final

from web_scrape.blocks import Block, Box
from web_scrape.sums import STRETCH, Sums
from web_scrape.vocabulary import Vocabulary, name_scores, named

Row = tuple[float, ...]

# Tags in the order of how often what they hold is content.
RANKS: Final = {tag: rank for rank, tag in enumerate((
    "p", "pre", "blockquote", "dd", "td", "dt", "th", "article", "figcaption", "section", "li", "main", "div", "span",
    "summary", "label", "a", "form", "header", "aside", "footer", "nav",
), 1)}  # fmt: skip
_LANDMARKS: Final = ("header", "aside", "main", "article", "figure", "table", "form", "li")
_RINGS: Final = 4
_MIN_GROUP: Final = 3
_GROUP: Final = ("size", "mean", "linked", "share", "prose", "blocks", "tag")
_ALONE: Final = (-1.0,) * len(_GROUP)
NAMES: Final = (
    "names", "own_names", "depth", "title_share", "title_depth", "core_share", "core_depth",
    *(f"in_{tag}" for tag in _LANDMARKS), "tag",
    *(f"{name}{ring}" for ring in range(_RINGS) for name in STRETCH),
    *(f"{group}_{name}" for group in ("inner", "outer") for name in _GROUP),
)  # fmt: skip


def rows(blocks: list[Block], boxes: list[Box], sums: Sums, title: int, vocabulary: Vocabulary) -> dict[int, Row]:
    """A row for each box with blocks of its own, in the order of NAMES; `title` is the block that names the page."""
    depth = _depths(boxes)
    with_title = _meeting(boxes, blocks[title].box if blocks else 0)
    with_core = _meeting(boxes, _core(blocks, boxes, sums))
    names, own_names = name_scores([named(box) for box in boxes], [box.parent for box in boxes], vocabulary)
    landmarks, rings, (inner, outer) = _landmarks(boxes), _rings(boxes, sums), _repeated(boxes, sums)
    prose, all_prose = sums.upto_prose, sums.all_prose

    def share(box: Box) -> float:
        return (prose[box.end] - prose[box.start]) / all_prose

    return {
        i: (
            names[i], own_names[i], depth[i],
            share(boxes[with_title[i]]), depth[i] - depth[with_title[i]],
            share(boxes[with_core[i]]), depth[i] - depth[with_core[i]],
            *landmarks[i], RANKS.get(boxes[i].tag, 0), *rings[i], *inner[i], *outer[i],
        )
        for i in dict.fromkeys(block.box for block in blocks)
    }  # fmt: skip


def _depths(boxes: list[Box]) -> list[int]:
    found: list[int] = []
    for box in boxes:
        found.append(found[box.parent] + 1 if box.parent >= 0 else 0)
    return found


def _landmarks(boxes: list[Box]) -> list[Row]:
    """How many landmarks of each kind a box is in."""
    found: list[Row] = []
    for box in boxes:
        counts = found[box.parent] if box.parent >= 0 else (0,) * len(_LANDMARKS)
        if box.tag in _LANDMARKS:
            counts = tuple(n + (box.tag == tag) for n, tag in zip(counts, _LANDMARKS, strict=True))
        found.append(counts)
    return found


def _rings(boxes: list[Box], sums: Sums) -> list[Row]:
    """What the innermost boxes around each box hold; one that adds nothing to the box inside it does not count."""
    found: list[Row] = []
    for box in boxes:
        if box.parent < 0:
            found.append(sums.stretch(box.start, box.end) * _RINGS)
            continue
        around, outer = boxes[box.parent], found[box.parent]
        if box.end - box.start <= 1 or (box.start, box.end) == (around.start, around.end):
            found.append(outer)
        else:
            found.append(sums.stretch(box.start, box.end) + outer[: len(STRETCH) * (_RINGS - 1)])
    return found


def _repeated(boxes: list[Box], sums: Sums) -> tuple[list[Row], list[Row]]:
    """For each box, the innermost and the outermost group of look-alikes that it is in."""
    groups = _groups(boxes, sums)
    inner: list[Row] = []
    outer: list[Row] = []
    for i, box in enumerate(boxes):
        own = groups.get(i, _ALONE)
        around = (inner[box.parent], outer[box.parent]) if box.parent >= 0 else (_ALONE, _ALONE)
        inner.append(around[0] if own is _ALONE else own)
        outer.append(own if around[1] is _ALONE else around[1])
    return inner, outer


def _groups(boxes: list[Box], sums: Sums) -> dict[int, Row]:
    """What each box that repeats beside itself holds together with its like, in the order of _GROUP."""
    alike: dict[tuple[int, str, str], list[int]] = {}
    for i, box in enumerate(boxes):
        if box.end > box.start:
            alike.setdefault((box.parent, box.tag, _first_class(box)), []).append(i)
    found: dict[int, Row] = {}
    for members in alike.values():
        if len(members) >= _MIN_GROUP:
            row = _group(members, boxes, sums)
            rank = RANKS.get(boxes[members[0]].tag, 0)
            found |= dict.fromkeys(members, (*row, rank))
    return found


def _group(members: list[int], boxes: list[Box], sums: Sums) -> Row:
    spans = [(boxes[member].start, boxes[member].end) for member in members]
    chars, linked, prose = (
        sum([upto[end] - upto[start] for start, end in spans])
        for upto in (sums.upto_chars, sums.upto_linked, sums.upto_prose)
    )
    size = len(members)
    return (
        size, chars / size, linked / chars, chars / sums.all_chars, prose / chars, (spans[-1][1] - spans[0][0]) / size,
    )  # fmt: skip


def _first_class(box: Box) -> str:
    names = box.element.attr("class")
    return names.split(" ", 1)[0] if names else ""


def _meeting(boxes: list[Box], at: int) -> list[int]:
    """For each box, the innermost one around both it and box `at`."""
    holds = {at}
    while boxes[at].parent >= 0:
        at = boxes[at].parent
        holds.add(at)
    found: list[int] = []
    for i, box in enumerate(boxes):
        found.append(i if i in holds else found[box.parent])
    return found


def _core(blocks: list[Block], boxes: list[Box], sums: Sums) -> int:
    """The box around the most prose that stands side by side."""
    prose = Counter[int]()
    for block, chars, is_prose in zip(blocks, sums.chars, sums.is_prose, strict=True):
        if is_prose:
            box = boxes[block.box]
            alone = box.end - box.start == 1 and box.parent >= 0
            prose[box.parent if alone else block.box] += chars
    return max(prose, key=prose.__getitem__, default=0)
