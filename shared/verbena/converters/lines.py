"""Printed lines joined into paragraphs, by where they stand on the page."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import median

# Of a line's height: the gap above a new paragraph, and the step to the right that begins one.
_GAP = 0.75
_INDENT = 0.8
# Of a line's height: about the width of a letter.
_LETTER = 0.55
_SIZE_CHANGE = 1.2
_HEADING_SIZE = 1.2
# Points; lines that begin within as many are of one column.
_COLUMN = 24
# A line at the edge of as many pages is a running title or a page number.
_RUNNING = 3

_ITEM = re.compile(r"(?:[•◦▪■●○‣\u2013—*·-]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)]|\[\d+\])\s")
_LEADERS = re.compile(r"(?:(?:\s\.){2,}|\.{5,})\s*")
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")
_CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], " ")
_LIGATURES = {
    chr(0xFB00 + place): letters for place, letters in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))
}
# U+FFFE is PDFium's mark for a hyphen at the end of a line, which it has joined with the next.
_SIGNS = str.maketrans({"\ufffe": "", "\u00ad": ""} | _LIGATURES | _CONTROLS)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text and where it stands, in points; `top` is larger than `bottom`.

    One that was hyphenated goes on to the end of the next, so `height` is that of the writing.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    height: float


def paragraphs(lines: Sequence[Line]) -> list[str]:
    """The paragraphs of a page, in the order of its lines."""
    edges = _right_edges(lines)
    joined: list[list[Line]] = []
    for line in lines:
        if joined and _continues(joined[-1], line, edges):
            joined[-1].append(line)
        else:
            joined.append([line])
    return [text for group in joined if (text := _clean(" ".join(line.text for line in group)))]


def without_furniture(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without running titles and page numbers: what their first and last lines have in common."""
    seen = Counter(sign for lines in pages for sign in {_sign(line) for line in (*lines[:1], *lines[-1:])})
    return [_inner(lines, {sign for sign, count in seen.items() if count >= _RUNNING}) for lines in pages]


def heading(lines: Sequence[Line]) -> str | None:
    """The largest writing of a page, when it is larger than the rest."""
    if not lines:
        return None
    largest = max(line.height for line in lines)
    if largest < _HEADING_SIZE * median(line.height for line in lines):
        return None
    first = next(index for index, line in enumerate(lines) if line.height == largest)
    same = takewhile(lambda line: line.height > largest / _SIZE_CHANGE, lines[first : first + 3])
    return _clean(" ".join(line.text for line in same)) or None


def _inner(lines: Sequence[Line], running: set[str]) -> list[Line]:
    first = 1 if lines and _sign(lines[0]) in running else 0
    last = len(lines) - 1 if len(lines) > first and _sign(lines[-1]) in running else len(lines)
    return list(lines[first:last])


def _sign(line: Line) -> str:
    return _NUMBER.sub("#", line.text.lower())


def _right_edges(lines: Sequence[Line]) -> dict[int, float]:
    """By where lines begin, how far to the right full ones go."""
    ends = defaultdict(list)
    for line in lines:
        ends[_column(line)].append(line.right)
    return {column: sorted(rights)[len(rights) * 9 // 10] for column, rights in ends.items()}


def _column(line: Line) -> int:
    return int(line.left // _COLUMN)


def _continues(group: list[Line], line: Line, edges: dict[int, float]) -> bool:
    before = group[-1]
    if _ITEM.match(line.text) or _LEADERS.search(before.text):
        return False
    return _same_size(before, line) and _is_near(group, line) and _is_full(before, line, edges)


def _same_size(before: Line, line: Line) -> bool:
    return max(before.height, line.height) <= _SIZE_CHANGE * min(before.height, line.height)


def _is_near(group: list[Line], line: Line) -> bool:
    """Right below, and not indented against what came before but for what hangs under an item's mark."""
    before = group[-1]
    gap = before.bottom - line.top
    if gap > _GAP * line.height:
        return False
    if gap < -2 * line.height:  # at the top of the next column
        return not before.text.endswith((".", ":", "!", "?"))
    hangs = len(group) == 1 and _ITEM.match(before.text) is not None
    return hangs or line.left <= before.left + _INDENT * line.height


def _is_full(before: Line, line: Line, edges: dict[int, float]) -> bool:
    """Whether the first word of a line had no room at the end of the one before."""
    edge = max(edges.get(_column(before) + step, 0.0) for step in (-1, 0, 1))
    word = len(line.text.partition(" ")[0]) + 1
    return before.right + word * _LETTER * before.height >= edge


def _clean(text: str) -> str:
    return " ".join(_LEADERS.sub(" … ", text.translate(_SIGNS)).split())
