"""How much of each block of a page stands in the text that people expect of it."""

import re
from collections.abc import Sequence
from itertools import pairwise

WORD = re.compile(r"\w+")
# Blocks of fewer words match by any of them, longer ones only by words that also follow one another.
_MIN_WORDS_IN_ORDER = 3


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def shares(blocks: Sequence[str], expected: str) -> list[float]:
    """For each block, the share of its words that a longest common subsequence finds in `expected`."""
    split = [words(block) for block in blocks]
    matches = _longest_common([word for block in split for word in block], words(expected))
    found: list[float] = []
    at = 0
    for block in split:
        found.append(_share(matches[at : at + len(block)]))
        at += len(block)
    return found


def _share(matches: list[int]) -> float:
    if not matches:
        return 0.0
    if len(matches) < _MIN_WORDS_IN_ORDER:
        return sum(m >= 0 for m in matches) / len(matches)
    beside = [m >= 0 and n == m + 1 for m, n in pairwise(matches)]
    return sum(left or right for left, right in zip([False, *beside], [*beside, False], strict=True)) / len(matches)


def _longest_common(page: list[str], text: list[str]) -> list[int]:
    """For each word of the page, the index of the word of the text it is matched with, or -1.

    Bit j of a row is 0 where matching one more word of the page reaches word j of the text (Hyyrö 2004).
    """
    places: dict[str, int] = {}
    for at, word in enumerate(text):
        places[word] = places.get(word, 0) | 1 << at
    everything = (1 << len(text)) - 1
    row = everything
    rows: list[int] = []
    for word in page:
        rows.append(row)
        hits = row & places.get(word, 0)
        row = ((row + hits) | (row - hits)) & everything
    return _walked_back(page, text, [*rows, row])


def _walked_back(page: list[str], text: list[str], rows: list[int]) -> list[int]:
    matches = [-1] * len(page)
    i, j = len(page), len(text) - 1
    while i > 0 and j >= 0:
        if rows[i] >> j & 1:
            j -= 1
            continue
        i -= 1
        if rows[i] >> j & 1 and page[i] == text[j]:
            matches[i] = j
            j -= 1
    return matches
