"""Tables as GitHub tables: spans laid out, headers and alignment kept, one line a row; layout tables told apart."""

import re
from typing import Final

from turbohtml import Element

from web_scrape import codeblock, inline

_CELLS: Final = frozenset({"td", "th"})
_BLOCKS_IN_CELL: Final = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "figure", "form")
# Above this a cell without any header beside it holds a page, not a value.
_MAX_CELL_CHARS: Final = 800
# Spans are copied cell by cell, so a hostile `colspan` or one endless row must not multiply a page's size.
_MAX_COLSPAN: Final = 100
_SPAN_DIGITS: Final = 5
_MAX_PADDED_CELLS: Final = 500_000
_ALIGN = re.compile(r"text-align\s*:\s*(left|right|center)", re.IGNORECASE)
_RULES: Final = {"left": ":---", "center": ":---:", "right": "---:"}


def rows_of(table: Element) -> list[list[Element]]:
    """The cells of each row, those of nested tables left to them."""
    rows = [tr for tr in table.iter_elements("tr") if tr.closest("table") == table]
    cells = ([c for c in tr.children if isinstance(c, Element) and c.tag in _CELLS] for tr in rows)
    return [row for row in cells if row]


def is_layout(table: Element, rows: list[list[Element]]) -> bool:
    """Whether a table only places things on the page, so that its cells are read one after the other."""
    if table.attr("role") in {"presentation", "none"}:
        return True
    if any(cell.tag == "th" for row in rows for cell in row) or table.find("caption") or table.find("thead"):
        return False
    if len(rows) <= 1 or max(len(row) for row in rows) <= 1:
        return True
    return any(_holds_page(cell) for row in rows for cell in row)


def _holds_page(cell: Element) -> bool:
    return any(True for _ in cell.iter_elements(_BLOCKS_IN_CELL)) or len(cell.text) > _MAX_CELL_CHARS


def code_of(rows: list[list[Element]]) -> str | None:
    """The code of a table that only numbers its lines; None for any other table."""
    if not any(codeblock.is_line_number(cell) for row in rows for cell in row):
        return None
    kept = [[cell for cell in row if not codeblock.is_line_number(cell)] for row in rows]
    blocks = [codeblock.render(pre) for row in kept for cell in row for pre in cell.iter_elements("pre")]
    if blocks:
        return "\n\n".join(block for block in blocks if block)
    return codeblock.fenced("\n".join("".join(cell.text for cell in row).strip("\n") for row in kept))


def render(table: Element, rows: list[list[Element]]) -> str:
    """The caption, if any, over a pipe table."""
    grid = _without_empty(_grid(rows))
    if not grid:
        return ""
    width = max(len(line) for line in grid)
    pad = width if width * len(grid) <= _MAX_PADDED_CELLS else 0
    rules = [_rule(cell) for cell in rows[0]]
    lines = [_line(grid[0], width), _line(rules, width, "---"), *(_line(line, pad) for line in grid[1:])]
    caption = next((c for c in table.children if isinstance(c, Element) and c.tag == "caption"), None)
    title = inline.render(caption.children).replace("\n", " ") if caption else ""
    return "\n".join([title, "", *lines] if title else lines)


def _line(cells: list[str], width: int, filler: str = "") -> str:
    return "| " + " | ".join([*cells, *[filler] * (width - len(cells))]) + " |"


def _grid(rows: list[list[Element]]) -> list[list[str]]:
    """Cell texts by row and column. A row span repeats its value, so that each row can be read alone."""
    grid: list[list[str]] = []
    below: dict[int, tuple[int, str]] = {}  # column -> rows still to fill, and with what
    for row in rows:
        line: list[str] = []
        _fill(line, below)
        for cell in row:
            text, columns, depth = _value(cell), _span(cell, "colspan"), _span(cell, "rowspan")
            for offset in range(min(columns, _MAX_COLSPAN)):
                value = "" if offset else text
                if depth > 1:
                    below[len(line)] = (depth - 1, value)
                line.append(value)
            _fill(line, below)
        grid.append(line)
    return grid


def _fill(line: list[str], below: dict[int, tuple[int, str]]) -> None:
    """Lay the cells that reach down from earlier rows into the next free columns."""
    while len(line) in below:
        column = len(line)
        left, value = below.pop(column)
        line.append(value)
        if left > 1:
            below[column] = (left - 1, value)


def _span(cell: Element, name: str) -> int:
    value = (cell.attr(name) or "").strip()
    return max(1, int(value)) if value.isdecimal() and len(value) <= _SPAN_DIGITS else 1


def _value(cell: Element) -> str:
    lines = [line for line in inline.render(cell.children).split("\n") if line]
    return "<br>".join(lines).replace("|", r"\|")


def _rule(cell: Element) -> str:
    match = _ALIGN.search(cell.attr("style") or "")
    return _RULES.get((match[1] if match else cell.attr("align") or "").lower(), "---")


def _without_empty(grid: list[list[str]]) -> list[list[str]]:
    return [line for line in grid if any(line)]
