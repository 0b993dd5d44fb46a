"""What the model sees of a page: a row of numbers for each block, for each box, and for the whole."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2
from typing import Final

from web_scrape import surroundings
from web_scrape.blocks import Block, Box
from web_scrape.hints import Hints
from web_scrape.sums import Sums
from web_scrape.surroundings import Row
from web_scrape.tags import HEADINGS
from web_scrape.vocabulary import Vocabulary, text_score

Column = Sequence[float]

BLOCK_NAMES: Final = (
    "chars", "linked", "links", "commas", "ends", "again", "since_title", "since_h1", "at", "at_prose", "before",
    "after", "index", "heading_ago", "heading_level", "text", "heading_text", "linked-1", "linked+1", "same+1",
    "linked_4", "prose_4", "ends_4", "linked_10",
)  # fmt: skip
BOX_NAMES: Final = surroundings.NAMES
PAGE_NAMES: Final = (
    "page_blocks", "page_chars", "page_linked", "page_prose", "page_mean", "page_ends", "page_longest", "page_images",
    "page_p", "page_li", "page_articles", "page_prices", "page_dates", "page_title", "kind_article", "kind_product",
    "kind_list", "kind_talk", "path_parts", "path_length", "path_hyphens", "path_digits", "path_slash",
)  # fmt: skip

_DATE: Final = re.compile(r"\b(?:19|20)\d\d\b|\d[:./-]\d\d|\bago\b")
_PRICE: Final = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥]|USD|EUR|CHF|zł|kr)")
_LISTS: Final = frozenset({"itemlist", "collectionpage", "offercatalog"})
_TALKS: Final = frozenset({"discussionforumposting", "qapage", "question"})
_LABEL_CHARS: Final = 80
_MIN_TITLE: Final = 4
_LIKE: Final = 0.3
_FAR: Final = 200
_LONG_AGO: Final = 60
_NEAR_BLOCKS, _WIDE_BLOCKS = 4, 10


@dataclass(frozen=True)
class Sheet:
    """Columns of numbers, one for each name above; `box_of` tells the row of `boxes` that each block is in."""

    blocks: list[Column]
    boxes: list[Column]
    box_of: list[int]
    page: Row


def sheet(blocks: list[Block], boxes: list[Box], hints: Hints, vocabulary: Vocabulary) -> Sheet:
    """Everything the model is asked about the blocks of one page."""
    sums = Sums(blocks)
    levels = [_level(block, boxes) for block in blocks]
    title = _title_at(blocks, levels, hints.title)
    rows = surroundings.rows(blocks, boxes, sums, title, vocabulary)
    place = {box: at for at, box in enumerate(rows)}
    return Sheet(
        _block_columns(blocks, boxes, sums, levels=levels, title=title, vocabulary=vocabulary),
        list(zip(*rows.values(), strict=True)),
        [place[block.box] for block in blocks],
        _page_row(blocks, boxes, sums, hints),
    )


def _level(block: Block, boxes: list[Box]) -> int:
    """The level of the heading a block is, else 0."""
    box = boxes[block.box]
    while box.tag not in HEADINGS:
        if box.parent < 0 or box.end - box.start != 1:
            return 0
        box = boxes[box.parent]
    return int(box.tag[1])


def _title_at(blocks: list[Block], levels: list[int], title: str) -> int:
    """The block that names the page: most like its title, else its first heading, else its first block."""
    title = " ".join(title.lower().split())
    found = levels.index(1) if 1 in levels else 0
    best = _LIKE
    for at, block in enumerate(blocks):
        likeness = _likeness(block.text, title) + 0.2 * (levels[at] == 1)
        if likeness > best + 0.05:
            best, found = likeness, at
    return found


def _likeness(text: str, title: str) -> float:
    """How much of the page's title a block repeats."""
    if not _MIN_TITLE <= len(text) <= len(title):
        return 0.0
    return len(text) / len(title) if text.lower() in title else 0.0


def _block_columns(
    blocks: list[Block], boxes: list[Box], sums: Sums, *, levels: list[int], title: int, vocabulary: Vocabulary
) -> list[Column]:
    texts = [block.text for block in blocks]
    sizes, indexes = sums.chars, range(len(blocks))
    linked = [block.linked / size for block, size in zip(blocks, sizes, strict=True)]
    again = Counter(texts)
    first_h1 = levels.index(1) if 1 in levels else None
    shapes = [(boxes[b.box].tag, boxes[b.box].parent, level) for b, level in zip(blocks, levels, strict=True)]
    return [
        sizes,
        linked,
        [block.links for block in blocks],
        [(text.count(",") + text.count(".")) / size for text, size in zip(texts, sizes, strict=True)],
        sums.is_ended,
        [again[text] for text in texts],
        [min(_FAR, k - title) for k in indexes],
        [-_FAR if first_h1 is None else min(_FAR, k - first_h1) for k in indexes],
        [chars / sums.all_chars for chars in sums.upto_chars[:-1]],
        [prose / sums.all_prose for prose in sums.upto_prose[:-1]],
        sums.upto_chars[:-1],
        [sums.all_chars - chars for chars in sums.upto_chars[1:]],
        indexes,
        *_headings(levels, [text_score(text, vocabulary) for text in texts]),
        [-1.0, *linked[:-1]],
        [*linked[1:], -1.0],
        [*(shape == after for shape, after in pairwise(shapes)), False],
        *_around(sums),
    ]


def _headings(levels: list[int], scores: list[float]) -> list[Column]:
    """How far back the last heading is, its level, each block's own weight of words, and its heading's."""
    ago: list[int] = []
    last: list[int] = []
    weight: list[float] = []
    heading, at = (0, 0.0), -_LONG_AGO
    for k, (level, score) in enumerate(zip(levels, scores, strict=True)):
        if level:
            heading, at = (level, score), k
        ago.append(min(_LONG_AGO, k - at))
        last.append(heading[0])
        weight.append(heading[1])
    return [ago, last, scores, weight]


def _around(sums: Sums) -> list[Column]:
    """The text about each block: links, prose and ended sentences of a few blocks, and links of a wider stretch."""
    count = len(sums.chars)
    near = [(max(0, k - _NEAR_BLOCKS), min(count, k + _NEAR_BLOCKS + 1)) for k in range(count)]
    wide = [(max(0, k - _WIDE_BLOCKS), min(count, k + _WIDE_BLOCKS + 1)) for k in range(count)]
    chars, linked, prose, ended = sums.upto_chars, sums.upto_linked, sums.upto_prose, sums.upto_ended
    return [
        [(linked[e] - linked[s]) / (chars[e] - chars[s]) for s, e in near],
        [(prose[e] - prose[s]) / (chars[e] - chars[s]) for s, e in near],
        [(ended[e] - ended[s]) / (e - s) for s, e in near],
        [(linked[e] - linked[s]) / (chars[e] - chars[s]) for s, e in wide],
    ]


def _page_row(blocks: list[Block], boxes: list[Box], sums: Sums, hints: Hints) -> Row:
    count = len(blocks) or 1
    tags = Counter(box.tag for box in boxes)
    labels = [block.text for block in blocks if len(block.text) < _LABEL_CHARS]
    _, linked, prose, mean, _ = sums.stretch(0, len(blocks))
    ends = sums.upto_ended[-1] / count
    longest = max((size for size, is_prose in zip(sums.chars, sums.is_prose, strict=True) if is_prose), default=0)
    return (
        log2(count), log2(sums.all_chars), linked, prose, mean, ends, longest / sums.all_chars,
        sum(block.images for block in blocks) / count, tags["p"] / count, tags["li"] / count, tags["article"],
        sum(_PRICE.search(text) is not None for text in labels) / count,
        sum(_DATE.search(text) is not None for text in labels) / count,
        len(hints.title), *_kinds(hints), *_path(hints),
    )  # fmt: skip


def _kinds(hints: Hints) -> Row:
    kinds = hints.kinds
    return (
        any("article" in kind or "posting" in kind for kind in kinds),
        any("product" in kind for kind in kinds),
        not kinds.isdisjoint(_LISTS),
        not kinds.isdisjoint(_TALKS),
    )


def _path(hints: Hints) -> Row:
    parts = [part for part in hints.path.split("/") if part]
    last = parts[-1] if parts else ""
    hyphens = last.count("-") + last.count("_")
    return (len(parts), len(last), hyphens, any(map(str.isdigit, last)), hints.path.endswith("/"))
