"""How much text any stretch of a page's blocks holds: running sums, so that each answer is a subtraction."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from web_scrape.blocks import Block

_ENDS: Final = frozenset('.!?:。！？…"”)')  # noqa: RUF001 - sentences end so in Chinese and Japanese
_PROSE_CHARS: Final = 40
_MAX_LINKED_IN_PROSE: Final = 0.4
STRETCH: Final = ("share", "linked", "prose", "mean", "prose_share")


class Sums:
    """Characters, linked characters, prose and ended sentences of the blocks before each block."""

    def __init__(self, blocks: list[Block]) -> None:
        self.chars = [len(b.text) for b in blocks]
        self.is_prose = [
            c >= _PROSE_CHARS and b.linked < _MAX_LINKED_IN_PROSE * c for b, c in zip(blocks, self.chars, strict=True)
        ]
        self.is_ended = [b.text[-1] in _ENDS for b in blocks]
        self.upto_chars = _running(self.chars)
        self.upto_linked = _running(b.linked for b in blocks)
        self.upto_prose = _running(c if p else 0 for c, p in zip(self.chars, self.is_prose, strict=True))
        self.upto_ended = _running(self.is_ended)
        self.all_chars = self.upto_chars[-1] or 1
        self.all_prose = self.upto_prose[-1] or 1

    def stretch(self, start: int, end: int) -> tuple[float, ...]:
        """What the blocks from `start` up to `end` hold, in the order of STRETCH."""
        chars = (self.upto_chars[end] - self.upto_chars[start]) or 1
        prose = self.upto_prose[end] - self.upto_prose[start]
        count = (end - start) or 1
        return (
            chars / self.all_chars,
            (self.upto_linked[end] - self.upto_linked[start]) / chars,
            prose / chars,
            chars / count,
            prose / self.all_prose,
        )


def _running(values: Iterable[int]) -> list[int]:
    return [0, *accumulate(values)]
