"""Values separated by commas, semicolons, tabs or bars as a table."""

import csv
import html
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from verbena.converters import Document

_SEPARATORS: Final = (",", "\t", ";", "|")
_SAMPLE_ROWS: Final = 20
_SAMPLE_CHARS: Final = 64 * 1024
# A reader of tables drops trailing cells, and files end in remarks.
_LEAST_ALIKE: Final = 0.7
# A cell costs the renderers 10 us; what is left out is still there as text.
_MOST_CELLS: Final = 100_000
_MOST_COLUMNS: Final = 500


def to_document(text: str, separator: str | None = None) -> Document | None:
    """The table, its first row the heading; None for what is none, because rows have one value or differ in length.

    Only so many cells are read; more make it truncated.
    """
    separator = _separator(text[:_SAMPLE_CHARS], (separator,) if separator else _SEPARATORS)
    if separator is None:
        return None
    try:
        rows, complete = _rows(text, separator)
    except csv.Error:  # a value of more than 128 KiB: a quote without an end
        return None
    width = max(map(len, rows))
    head, *body = (row + [""] * (width - len(row)) for row in rows)
    table = f"<table><thead>{_row('th', head)}</thead><tbody>{''.join(_row('td', row) for row in body)}</tbody></table>"
    return Document(body=table, truncated=not complete)


def _separator(sample: str, candidates: Sequence[str]) -> str | None:
    """The one by which most rows have the same number of values, and the most of them."""
    best: tuple[float, int, str] | None = None
    for candidate in candidates:
        try:
            widths = Counter(len(row) for row in islice(_records(sample, candidate), _SAMPLE_ROWS))
        except csv.Error:
            continue
        width, alike = widths.most_common(1)[0] if widths else (0, 0)
        share = alike / max(1, widths.total())
        if width > 1 and share >= _LEAST_ALIKE and (best is None or (share, width) > best[:2]):
            best = (share, width, candidate)
    return best[2] if best else None


def _rows(text: str, separator: str) -> tuple[list[list[str]], bool]:
    """The rows within the bound, and whether they are all."""
    rows: list[list[str]] = []
    cells = 0
    for row in _records(text, separator):
        cells += len(row)
        if cells > _MOST_CELLS and rows:
            return rows, False
        rows.append(row[:_MOST_COLUMNS])
    return rows, all(len(row) < _MOST_COLUMNS for row in rows)


def _records(text: str, separator: str) -> Iterator[list[str]]:
    """Rows that hold anything."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=separator != "\t")
    return (row for row in rows if any(value.strip() for value in row))


def _row(tag: str, values: list[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{_cell(value)}</{tag}>" for value in values) + "</tr>"


def _cell(value: str) -> str:
    return "<br>".join(html.escape(line, quote=False) for line in value.strip().splitlines())
