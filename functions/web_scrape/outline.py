"""How much text, link text and prose each part of a page holds."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from turbohtml import Element, Node, Text

from web_scrape.tags import BLOCKS

# A block of this many characters, mostly outside links, reads as prose; a shorter one may be a label.
_PROSE_CHARS: Final = 40
_MAX_LINKED_IN_PROSE: Final = 0.4
_LABEL_WEIGHT: Final = 0.3
_TITLES: Final = frozenset({"h1", "h2", "h3", "h4"})


@dataclass(eq=False)
class Part:
    """One element: characters of text below it, how many of them are links, and how many are prose."""

    element: Element
    in_link: bool
    chars: int = 0
    linked: int = 0
    prose: float = 0.0
    own: int = 0
    own_linked: int = 0
    parts: list["Part"] = field(default_factory=list)


def weigh(root: Element) -> Part:
    """The outline of a subtree. Walked with a stack: a page may be 500 elements deep."""
    top = Part(root, in_link=root.tag == "a")
    stack: list[tuple[Part, Iterator[Node]]] = [(top, iter(root.children))]
    while stack:
        part, nodes = stack[-1]
        node = next(nodes, None)
        if isinstance(node, Element):
            child = Part(node, in_link=part.in_link or node.tag == "a")
            stack.append((child, iter(node.children)))
        elif isinstance(node, Text):
            _add_text(part, length(node.data))
        elif node is None:
            stack.pop()
            _finish(part)
            if stack:
                _add_part(stack[-1][0], part)
    return top


def length(text: str) -> int:
    """Characters of a text as a browser would show it, runs of white space being one."""
    return len(" ".join(text.split()))


def text_length(element: Element) -> int:
    """Characters of text under an element."""
    return length(element.text)


def _add_text(part: Part, chars: int) -> None:
    part.chars += chars
    part.own += chars
    if part.in_link:
        part.linked += chars
        part.own_linked += chars


def _add_part(parent: Part, part: Part) -> None:
    parent.parts.append(part)
    parent.chars += part.chars
    parent.linked += part.linked
    if part.element.tag in BLOCKS:
        parent.prose += part.prose
    else:  # inline: its words belong to the block around it
        parent.own += part.chars
        parent.own_linked += part.linked


def _finish(part: Part) -> None:
    plain = part.own - part.own_linked
    mostly_plain = part.own_linked < _MAX_LINKED_IN_PROSE * part.own
    if part.element.tag in _TITLES:
        part.prose += _LABEL_WEIGHT * part.own
    elif mostly_plain:
        part.prose += plain if part.own >= _PROSE_CHARS else _LABEL_WEIGHT * plain
