"""A page cut into blocks, the runs of text a reader sees as one piece, and the boxes that hold them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from turbohtml import Element, Node, Text

from web_scrape.tags import BLOCKS


@dataclass(eq=False, slots=True)
class Block:
    """One run of text, directly inside `box`; `linked` counts characters."""

    box: int
    text: str
    nodes: list[Node]
    linked: int
    links: int
    images: int


@dataclass(eq=False, slots=True)
class Box:
    """One element that groups: it holds the blocks from `start` up to `end`. `parent` is -1 for the outermost."""

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
    images: int = 0

    def take(self, text: str, node: Text, *, linked: bool) -> None:
        self.nodes.append(node)
        self.pieces.append(text)
        if linked:
            self.linked += len(text.strip())

    def take_all(self, element: Element, tag: str, *, linked: bool) -> None:
        """Take an inline element and what is inside it."""
        self.nodes.append(element)
        self._enter(element, tag, linked=linked)
        if linked:
            self.linked += len(element.text.strip())
        linked = linked or tag == "a"
        for node in element.descendants:
            if isinstance(node, Text):
                self.pieces.append(node.data)
            elif isinstance(node, Element):
                self._enter(node, node.tag, linked=linked)

    def _enter(self, element: Element, tag: str, *, linked: bool) -> None:
        if tag == "a":
            self.links += 1
            self.linked += 0 if linked else len(element.text.strip())
        elif tag == "img":
            self.images += 1
        elif tag == "br":
            self.pieces.append(" ")


def cut(body: Element) -> tuple[list[Block], list[Box], list[Box]]:
    """The blocks of a page in reading order, the boxes around them, outer ones first, and the boxes without any."""
    cutting = _Cutting([], [Box(body, body.tag, -1, in_link=False, start=0)], [])
    stack: list[tuple[int, Iterator[Node]]] = [(0, iter(body.children))]
    while stack:
        at, nodes = stack[-1]
        group = cutting.read(nodes, linked=cutting.boxes[at].in_link)
        cutting.end_run(at)
        if group is None:
            cutting.close(at)
            stack.pop()
        else:
            stack.append((len(cutting.boxes), iter(group.children)))
            cutting.open(group, at)
    return cutting.blocks, cutting.boxes, cutting.bare


@dataclass(eq=False, slots=True)
class _Cutting:
    """What is cut so far, and the run that the next block grows from."""

    blocks: list[Block]
    boxes: list[Box]
    bare: list[Box]
    run: _Run = field(default_factory=_Run)

    def read(self, nodes: Iterator[Node], *, linked: bool) -> Element | None:
        """Take nodes into the run until one ends it, and return that one."""
        run = self.run
        for node in nodes:
            if isinstance(node, Text):
                text = node.data
                if run.nodes or not text.isspace():
                    run.take(text, node, linked=linked)
            elif isinstance(node, Element):
                tag = node.tag
                if _groups(node, tag):
                    return node
                run.take_all(node, tag, linked=linked)
        return None

    def end_run(self, box: int) -> None:
        """Make a block of the run, if it says anything."""
        run = self.run
        if not run.nodes:
            return
        self.run = _Run()
        text = " ".join(" ".join(run.pieces).split())
        if text:
            self.blocks.append(Block(box, text, run.nodes, min(run.linked, len(text)), run.links, run.images))

    def open(self, element: Element, parent: int) -> None:
        in_link = self.boxes[parent].in_link or element.tag == "a"
        self.boxes.append(Box(element, element.tag, parent, in_link=in_link, start=len(self.blocks)))

    def close(self, at: int) -> None:
        """End a box. One without blocks is the last; it stands for the bare ones inside it too."""
        box = self.boxes[at]
        box.end = len(self.blocks)
        if box.start == box.end and at:
            self.boxes.pop()
            while self.bare and self.bare[-1].parent == at:
                self.bare.pop()
            self.bare.append(box)


def _groups(element: Element, tag: str) -> bool:
    """Whether an element ends the run before it and is walked into."""
    return tag in BLOCKS or any(inside.tag in BLOCKS for inside in element.iter_elements())
