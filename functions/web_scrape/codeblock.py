"""Preformatted text as a fenced block: exact white space, the language named, line numbers left out."""

import re
from typing import Final

from turbohtml import Element, Node, Text

_FENCE_RUN = re.compile(r"`{3,}")
_LANGUAGE = re.compile(
    r"(?:^|[\s-])(?:lang(?:uage)?-|highlight-(?:source-|text-)?|sourceCode\s+|brush:\s*|code-)([A-Za-z0-9+#.-]{1,24})(?=$|[\s;])",
)
_NOT_A_LANGUAGE: Final = frozenset({"none", "plaintext", "text", "plain", "default", "block", "nohighlight", "wrapper"})
_LINE_NUMBER = re.compile(
    r"(?:^|[\s_-])(?:linenos?|line-?numbers?(?:-rows)?|lnum|gutter|blob-num|ln-num\w*|hljs-ln-numbers)(?:$|\s)"
)
_LINES: Final = frozenset({"div", "p", "li", "tr"})
# How far above <pre> a highlighter's wrapper may stand.
_WRAPPERS: Final = 3


def render(pre: Element) -> str:
    """The fenced block of a <pre>; empty when it holds nothing."""
    code = _text(pre).strip("\n").rstrip()
    return fenced(code, language(pre)) if code.strip() else ""


def fenced(code: str, name: str = "") -> str:
    """Code between fences longer than any run of ticks inside it."""
    fence = "`" * max(3, 1 + max((len(run) for run in _FENCE_RUN.findall(code)), default=0))
    return f"{fence}{name}\n{code}\n{fence}"


def is_line_number(element: Element) -> bool:
    """Whether an element only counts lines."""
    return "data-line-number" in element.attrs or bool(_LINE_NUMBER.search(element.attr("class") or ""))


def language(pre: Element) -> str:
    """The language a highlighter left in a class or attribute, in lower case; empty when unknown."""
    inner = list(pre.iter_elements("code"))[:1]
    outer: list[Element] = []
    for ancestor in pre.ancestors:
        if len(outer) == _WRAPPERS or not isinstance(ancestor, Element) or ancestor.tag not in {"div", "figure", "td"}:
            break
        outer.append(ancestor)
    return next((name for element in (*inner, pre, *outer) if (name := _language_of(element))), "")


def _language_of(element: Element) -> str:
    named = element.attr("data-lang") or element.attr("data-language") or element.attr("lang-name") or ""
    match = _LANGUAGE.search(element.attr("class") or "")
    name = (named or (match[1] if match else "")).strip().lower()
    return "" if name in _NOT_A_LANGUAGE or not re.fullmatch(r"[a-z0-9+#.-]{1,24}", name) else name


def _text(pre: Element) -> str:
    out: list[str] = []
    stack: list[Node | str] = [pre]
    while stack:
        node = stack.pop()
        if isinstance(node, Text):
            out.append(node.data)
        elif isinstance(node, Element):
            stack += _parts(node)
        elif isinstance(node, str) and out and not out[-1].endswith("\n"):
            out.append(node)
    return "".join(out).replace("\r\n", "\n").replace("\xa0", " ")


def _parts(element: Element) -> list[Node | str]:
    """What an element adds to code, last part first; a bare newline is wanted only where the line has not ended."""
    if element.tag == "br":
        return [Text("\n")]
    if is_line_number(element):
        return []
    end: list[Node | str] = ["\n"] if element.tag in _LINES else []
    return [*end, *reversed(element.children)]
