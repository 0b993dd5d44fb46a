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


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Weights in log-odds of content: of names near and far, and of first words."""

    near: dict[str, float]
    far: dict[str, float]
    text: dict[str, float]


def named(box: Box) -> str:
    """What a page's author named an element with: its classes, ids and roles, and which data attributes it has."""
    found: list[str] = []
    for key, value in box.element.attrs.items():
        if key in _NAMING:
            found.append(value if isinstance(value, str) else " ".join(value or ()))
        elif key.startswith(("data-", "aria-")):
            found.append(key)
    return " ".join(found)


def words_of(names: str) -> tuple[str, ...]:
    """The words in names, each once, whether joined by hyphens or by capitals."""
    return tuple({word.lower(): None for word in _NAMES.findall(names)})


# Pages of one site, and elements of one page, share their names.
@lru_cache(maxsize=8192)
def _weights(names: str, vocabulary: Vocabulary) -> tuple[float, float]:
    words = words_of(names)
    near, far = vocabulary.near, vocabulary.far
    return sum([near[word] for word in words if word in near]), sum([far[word] for word in words if word in far])


def name_scores(
    names: Sequence[str], parents: Sequence[int], vocabulary: Vocabulary
) -> tuple[list[float], list[float]]:
    """For each box the weight of the names on it and around it, and that of its own alone."""
    own: list[float] = []
    outer: list[float] = []
    scores: list[float] = []
    for name, up in zip(names, parents, strict=True):
        near, far = _weights(name, vocabulary) if name else (0.0, 0.0)
        own.append(near)
        outer.append(far + (outer[up] if up >= 0 else 0.0))
        at = up
        for _ in range(NEAR - 1):
            if at >= 0:
                near += own[at]
                at = parents[at]
        scores.append(near + (outer[at] if at >= 0 else 0.0))
    return scores, own


def first_words(text: str) -> list[str]:
    """The words that tell what a block is about."""
    start = text if len(text) <= _FIRST_CHARS else text[:_FIRST_CHARS].rpartition(" ")[0]
    return _WORDS.findall(start.lower())[:_FIRST_WORDS]


def text_score(text: str, vocabulary: Vocabulary) -> float:
    """The weight of a block's first words."""
    weights = vocabulary.text
    return sum([weights[word] for word in first_words(text) if word in weights])
