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
    """Markup cut before a tag, its open elements closed; closing them takes room, so the cut moves up until all fits."""
    end = limit
    while end > 0:
        tag = content.rfind("<", 0, end)
        head = content[:tag] if tag > (1 - _MAX_LOSS) * end else content[:end].partition("<")[0] if tag <= 0 else content[:tag]
        closed = turbohtml.parse_fragment(head, positions=False).inner_html
        if len(closed) <= limit:
            return closed
        end = min(len(head), end - (len(closed) - limit)) - 1
    return ""
