"""A tree as plain text: the same decisions as the Markdown, without the marks."""

from turbohtml import Element, PlainText

_LAYOUT = PlainText(bullet="- ", table_cell_separator=" | ")


def render(root: Element) -> str:
    """The text of everything under `root`, laid out in lines."""
    return root.to_text(_LAYOUT).strip()
