"""Weights of words: those elements are named with, and those blocks begin with."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from web_scrape.blocks import Box

# Names on this many elements, counted outwards from a block, are near to it.
NEAR: Final = 3
_NAMING: Final = frozenset({
    "class", "id", "role", "itemprop", "itemtype", "aria-label", "data-testid", "data-test", "data-component",
    "data-type",
})  # fmt: skip
_NAMES: Final = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")
_WORDS: Final = re.compile(r"[^\W\d_]+|\d")
_FIRST_CHARS: Final = 80
_FIRST_WORDS: Final = 12


@dataclass(frozen=True)
class Vocabulary:
    """Weights in log-odds of content: of names near and far, and of first words."""

    near: dict[str, float]
    far: dict[str, float]
    text: dict[str, float]


def names_of(box: Box) -> tuple[str, ...]:
    """The words a page's author named an element with, in classes, ids, roles and data attributes."""
    found: list[str] = []
    for key, value in box.element.attrs.items():
        if key in _NAMING:
            found.append(value if isinstance(value, str) else " ".join(value or ()))
        elif key.startswith(("data-", "aria-")):
            found.append(key)
    return _split(" ".join(found)) if found else ()


@lru_cache(maxsize=4096)
def _split(names: str) -> tuple[str, ...]:
    return tuple({word.lower(): None for word in _NAMES.findall(names)})


def name_scores(
    names: Sequence[Sequence[str]], parents: Sequence[int], vocabulary: Vocabulary
) -> tuple[list[float], list[float]]:
    """For each box the weight of the names on it and around it, and that of its own alone."""
    near, far = vocabulary.near, vocabulary.far
    own: list[float] = []
    outer: list[float] = []
    scores: list[float] = []
    for words, up in zip(names, parents, strict=True):
        own.append(sum([near[word] for word in words if word in near]))
        outer.append(sum([far[word] for word in words if word in far]) + (outer[up] if up >= 0 else 0.0))
        score, at = own[-1], up
        for _ in range(NEAR - 1):
            if at >= 0:
                score += own[at]
                at = parents[at]
        scores.append(score + (outer[at] if at >= 0 else 0.0))
    return scores, own


def first_words(text: str) -> list[str]:
    """The words that tell what a block is about."""
    return _WORDS.findall(text[:_FIRST_CHARS].lower())[:_FIRST_WORDS]


def text_score(text: str, vocabulary: Vocabulary) -> float:
    """The weight of a block's first words."""
    weights = vocabulary.text
    return sum([weights[word] for word in first_words(text) if word in weights])
