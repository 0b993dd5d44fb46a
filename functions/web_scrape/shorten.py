"""Cut content at a boundary a reader can live with, never above the limit."""

from typing import Final, Literal

import turbohtml

# A boundary is worth it while no more than this share of the allowance is given up for it.
_MAX_LOSS: Final = 0.3
_BOUNDARIES: Final = ("\n\n", "\n", ". ", " ")
_FENCE: Final = "```"


def shorten(content: str, max_chars: int | None, form: Literal["markdown", "text", "html"]) -> tuple[str, bool]:
    """The content, at most `max_chars` long, and whether something was cut."""
    if max_chars is None or len(content) <= max_chars:
        return content, False
    if form == "html":
        return _html(content, max_chars), True
    if form == "markdown":
        return _markdown(content, max_chars), True
    return _at_boundary(content, max_chars), True


def _at_boundary(content: str, limit: int) -> str:
    head = content[:limit]
    for boundary in _BOUNDARIES:
        end = head.rfind(boundary)
        if end >= (1 - _MAX_LOSS) * limit:
            return head[:end].rstrip()
    return head.rstrip()


def _markdown(content: str, limit: int) -> str:
    head = _at_boundary(content, limit)
    fence = _open_fence(head)
    if not fence:
        return head
    head = _at_boundary(content, max(0, limit - len(fence) - 1))
    fence = _open_fence(head)
    return f"{head}\n{fence}" if fence else head


def _open_fence(markdown: str) -> str:
    """The fence that a cut left open, so that what follows the content is not read as code."""
    fence = ""
    for line in markdown.split("\n"):
        mark = line.lstrip(" >")
        if not fence and mark.startswith(_FENCE):
            fence = mark[: len(mark) - len(mark.lstrip("`"))]
        elif fence and mark.rstrip() == fence:
            fence = ""
    return fence


def _html(content: str, limit: int) -> str:
    """Markup cut outside a tag and its elements closed; that takes room, so the cut moves up until all fits."""
    end = limit
    while end > 0:
        closed = turbohtml.parse_fragment(_whole_tags(content, end), positions=False).inner_html
        if len(closed) <= limit:
            return closed
        end = max(end - (len(closed) - limit), end // 2)
    return ""


def _whole_tags(markup: str, end: int) -> str:
    tag = markup.rfind("<", 0, end)
    if tag > markup.rfind(">", 0, end):
        return markup[:tag]
    text = _at_boundary(markup[tag + 1 : end + 1], end - tag - 1)
    return markup[: tag + 1 + len(text)]
