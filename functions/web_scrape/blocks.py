"""A page cut into blocks, the runs of text a reader sees as one piece, and the boxes that hold them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from turbohtml import Element, Node, Text

from web_scrape.tags import BLOCKS, UNREAD

_BOLD: Final = frozenset({"b", "strong"})


@dataclass(eq=False, slots=True)
class Block:
    """One run of text, directly inside `box`; `linked` and `bold` count characters."""

    box: int
    text: str
    nodes: list[Node]
    linked: int
    links: int
    bold: int
    images: int


@dataclass(eq=False, slots=True)
class Box:
    """One element that groups others: it holds the blocks from `start` up to `end`. `parent` is -1 for the outermost."""

    element: Element
    tag: str
    parent: int
    in_link: bool
    start: int
    end: int = 0


@dataclass(eq=False, slots=True)
class _Run:
    """Text that grows until the next block begins."""

    pieces: list[str] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    linked: int = 0
    links: int = 0
    bold: int = 0
    images: int = 0

    def read(self, node: Node, *, linked: bool) -> None:
        """Take a node and all that is inside it. Walked with a stack: a page may be 500 elements deep."""
        self.nodes.append(node)
        if isinstance(node, Text):
            self._text(node.data, linked=linked, bold=False)
            return
        pending = [(node, linked, False)]
        while pending:
            node, linked, bold = pending.pop()
            if isinstance(node, Text):
                self._text(node.data, linked=linked, bold=bold)
            elif isinstance(node, Element) and node.tag not in UNREAD:
                self._element(node.tag)
                linked, bold = linked or node.tag == "a", bold or node.tag in _BOLD
                pending += [(child, linked, bold) for child in reversed(node.children)]

    def _text(self, text: str, *, linked: bool, bold: bool) -> None:
        self.pieces.append(text)
        if linked or bold:
            chars = len(text.strip())
            self.linked += chars * linked
            self.bold += chars * bold

    def _element(self, tag: str) -> None:
        self.links += tag == "a"
        self.images += tag == "img"
        if tag == "br":
            self.pieces.append(" ")


def cut(body: Element) -> tuple[list[Block], list[Box], list[Box]]:
    """The blocks of a page in reading order; the boxes that hold some, each after the one around it; and the bare ones."""
    blocks: list[Block] = []
    bare: list[Box] = []
    boxes = [Box(body, body.tag, -1, in_link=False, start=0)]
    run = _Run()
    stack: list[tuple[int, Iterator[Node]]] = [(0, iter(body.children))]
    while stack:
        at, nodes = stack[-1]
        for node in nodes:
            if isinstance(node, Text):
                if run.nodes or not node.data.isspace():
                    run.read(node, linked=boxes[at].in_link)
            elif isinstance(node, Element) and node.tag not in UNREAD:
                if _groups(node):
                    run = _end(run, at, blocks)
                    stack.append((len(boxes), iter(node.children)))
                    in_link = boxes[at].in_link or node.tag == "a"
                    boxes.append(Box(node, node.tag, at, in_link=in_link, start=len(blocks)))
                    break
                run.read(node, linked=boxes[at].in_link)
        else:
            run = _end(run, at, blocks)
            boxes[at].end = len(blocks)
            stack.pop()
            if boxes[at].start == len(blocks) and at:
                while bare and bare[-1].parent == at:
                    bare.pop()
                bare.append(boxes.pop())
    return blocks, boxes, bare


def _groups(node: Element) -> bool:
    """Whether an element ends the run before it and is walked into."""
    return node.tag in BLOCKS or next(node.iter_elements(BLOCKS), None) is not None


def _end(run: _Run, box: int, blocks: list[Block]) -> _Run:
    """A fresh run, once the old one, if it says anything, is a block."""
    if not run.nodes:
        return run
    text = " ".join(" ".join(run.pieces).split())
    if text:
        blocks.append(
            Block(box, text, run.nodes, min(run.linked, len(text)), run.links, min(run.bold, len(text)), run.images)
        )
    return _Run()
