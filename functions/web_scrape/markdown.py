"""A tree as GitHub-flavoured Markdown: blocks in reading order, no markup a reader does not need."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from turbohtml import Element, Node, Text

from web_scrape import codeblock, inline, tables
from web_scrape.tags import BLOCKS, HEADINGS, LISTS, UNREAD

# Lists, quotes and cells inside one another; below this the text is kept and its structure is not.
_MAX_DEPTH: Final = 25
# CommonMark reads no longer number as a list marker.
_NUMBER_DIGITS: Final = 9

# What at the start of a line would make it a heading, quote, list, rule or fence.
_LINE_START = re.compile(r"^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|={3,}\s*$|-{3,}\s*$|~{3,}|\|)")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_LIST_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)]) ")


def render(root: Node) -> str:
    """The Markdown of everything under `root`."""
    return "\n\n".join(blocks(root, 0))


def blocks(root: Node, depth: int) -> list[str]:
    """The blocks under `root`, one string each."""
    if depth > _MAX_DEPTH:
        return [text] if (text := _paragraph(inline.escape(" ".join(root.text.split())))) else []
    flow = _Flow(depth)
    flow.walk(root)
    return flow.out


@dataclass
class _Flow:
    """Blocks made so far, and the run of inline pieces the next one is growing from."""

    depth: int
    out: list[str] = field(default_factory=list)
    run: list[Node] = field(default_factory=list)
    href: str | None = None

    def walk(self, root: Node) -> None:
        """Read a subtree. Elements that only group are walked in place: a deep page costs a stack, not recursion."""
        stack: list[tuple[Iterator[Node], bool]] = [(iter(root.children), False)]
        while stack:
            nodes, is_link = stack[-1]
            node = next(nodes, None)
            if node is None:
                stack.pop()
                self.flush()
                self.href = None if is_link else self.href
            elif not self._takes(node):
                stack.append((iter(node.children), self._enters_link(node)))

    def _enters_link(self, group: Node) -> bool:
        self.flush()
        if not isinstance(group, Element) or group.tag != "a":
            return False
        self.href = group.attr("href")
        return True

    def _takes(self, node: Node) -> bool:
        """Deal with a node at once; False when it is a group whose children are to be walked."""
        if isinstance(node, Text):
            if self.run or not node.data.isspace():  # a blank begins no paragraph
                self.run.append(node)
            return True
        if not isinstance(node, Element) or node.tag in UNREAD:
            return True
        made = self._made(node)
        if made is not None:
            self.out += [block for block in made if block]
            return True
        if node.tag in BLOCKS or _holds_blocks(node):
            return False
        self.run.append(node)
        return True

    def _made(self, element: Element) -> list[str] | None:
        """The blocks of an element that has a shape of its own; None for any other."""
        nested, simple = _NESTED.get(element.tag), _SIMPLE.get(element.tag)
        if nested is None and simple is None:
            return None
        self.flush()
        if nested:
            return nested(element, self.depth + 1)
        block = simple(element) if simple else ""
        return [self._linked(block) if element.tag in HEADINGS else block]

    def flush(self) -> None:
        """End the paragraph that is growing."""
        if self.run:
            text = inline.render(self.run)
            self.run = []
            self.out += [self._linked(p) for part in text.split("\n\n") if (p := _paragraph(part))]

    def _linked(self, block: str) -> str:
        """The first words inside a link that wraps whole blocks carry its address; the others need not repeat it."""
        if self.href is None or "](" in block:
            return block
        mark = re.match(r"#{1,6} ", block)
        start = mark.end() if mark else 0
        href, self.href = self.href, None
        return block[:start] + inline.link(block[start:], href)


def _holds_blocks(element: Element) -> bool:
    return any(inside.tag in BLOCKS for inside in element.iter_elements())


def _paragraph(run: str) -> str:
    lines = [_guarded(line) for line in run.split("\n") if line]
    return "  \n".join(lines)


def _guarded(line: str) -> str:
    line = _NUMBERED.sub(r"\1\\\2", line) if line[0].isdigit() else line
    return f"\\{line}" if _LINE_START.match(line) else line


def _heading(element: Element) -> str:
    text = inline.render(element.children).replace("\n", " ").strip()
    return f"{'#' * int(element.tag[1])} {text}" if text else ""


def _list(element: Element, depth: int) -> list[str]:
    number = _integer(element.attr("start"), 1)
    items: list[str] = []
    for child in element.children:
        if not isinstance(child, Element) or child.tag in UNREAD:
            continue
        if child.tag in LISTS and items:  # <ul><li>a</li><ul>…: a sublist whose author forgot the item around it
            items[-1] += "\n" + _indented("\n".join(_list(child, depth)), "  ")
            continue
        number = _integer(child.attr("value"), number)
        marker = f"{number}. " if element.tag == "ol" else "- "
        body = _item(child, depth)
        if body:
            items.append(marker + _indented(body, " " * len(marker)).lstrip(" "))
            number += 1
    return ["\n".join(items)] if items else []


def _item(element: Element, depth: int) -> str:
    parts = blocks(element, depth) if element.tag in BLOCKS else [inline.render([element])]
    body = ""
    for part in parts:
        body += ("\n" if _LIST_ITEM.match(part) else "\n\n") + part if body else part
    return _checkbox(element) + body


def _checkbox(element: Element) -> str:
    box = element.find("input")
    if box is None or box.closest("li") != element:
        return ""
    return "[x] " if "checked" in box.attrs else "[ ] "


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line if line else line for line in text.split("\n"))


def _integer(value: str | None, default: int) -> int:
    digits = (value or "").strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _NUMBER_DIGITS else default


def _definitions(element: Element, depth: int) -> list[str]:
    out: list[str] = []
    for part in element.iter_elements(("dt", "dd")):
        if part.closest("dl") != element:
            continue
        if part.tag == "dt":
            out.append(inline.render(part.children).replace("\n", " "))
        elif body := "\n\n".join(blocks(part, depth)):
            definition = ": " + _indented(body, "  ").lstrip(" ")
            out[-1:] = [f"{out[-1]}\n{definition}"] if out else [definition]
    return [text for text in out if text]


def _quote(element: Element, depth: int) -> list[str]:
    text = "\n\n".join(blocks(element, depth))
    return ["\n".join(f"> {line}".rstrip() for line in text.split("\n"))] if text else []


def _table(element: Element, depth: int) -> list[str]:
    rows = tables.rows_of(element)
    if not rows:
        return [text] if (text := _paragraph(inline.render(element.children))) else []
    code = tables.code_of(rows)
    if code is not None:
        return [code]
    if tables.is_layout(element, rows):
        return [block for row in rows for cell in row for block in blocks(cell, depth)]
    return [tables.render(element, rows)]


def _summary(element: Element) -> str:
    text = inline.render(element.children).replace("\n", " ")
    return f"**{text}**" if text and not text.startswith("**") else text


_SIMPLE: Final[dict[str, Callable[[Element], str]]] = {
    **dict.fromkeys(HEADINGS, _heading),
    **dict.fromkeys(("pre", "listing", "xmp"), codeblock.render),
    "summary": _summary,
    "hr": lambda _: "---",
}
_NESTED: Final[dict[str, Callable[[Element, int], list[str]]]] = {
    **dict.fromkeys(LISTS, _list),
    "dl": _definitions,
    "blockquote": _quote,
    "table": _table,
}
