"""Runs of text and inline elements as Markdown; a line break in the page is a newline in the result."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from turbohtml import Element, Node, Text

from web_scrape.tags import BLOCKS, UNREAD

_MAX_DEPTH: Final = 60

# White space that is not one blank already: most text has none, and is then only looked over.
_SPACE = re.compile(r"[\t\n\r\f\xa0][ \t\n\r\f\xa0]*| [ \t\n\r\f\xa0]+")
_BREAK = re.compile(r" *\n *")
_SPACES = re.compile(r" {2,}")
# Characters that would turn text into markup where they stand, and only there:
# stars and underscores that can open or close emphasis, code ticks, brackets that read as a link, tags, entities.
_MARKUP = re.compile(
    r"""[\\`]|\*(?=\S)|(?<=\S)\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|~~|\[(?=[^\[\]\n]{0,300}\][(\[:])|<(?=[A-Za-z/!?])"""
    r"""|&(?=\#?\w{1,31};)"""
)
_MAYBE_MARKUP = re.compile(r"[\\`*_~\[<&]")
_STRONG: Final = "**"
_TICKS = re.compile(r"`+")
_WEB = re.compile(r"(?:https?|mailto|tel|ftp):", re.IGNORECASE)
_UNSAFE_IN_TARGET: Final = {" ": "%20", "<": "%3C", ">": "%3E", "\n": "", "\t": "", "\r": ""}
_UNSAFE = re.compile("[" + "".join(_UNSAFE_IN_TARGET) + "]")


def render(nodes: Iterable[Node], depth: int = 0) -> str:
    """The nodes as one run of Markdown: single spaces, no space around breaks, edges trimmed."""
    return tidy("".join(pieces(nodes, depth)))


def tidy(run: str) -> str:
    """A run with its white space collapsed as a browser collapses it; breaks stay."""
    run = _BREAK.sub("\n", run) if "\n" in run else run
    return (_SPACES.sub(" ", run) if "  " in run else run).strip()


def pieces(nodes: Iterable[Node], depth: int = 0) -> list[str]:
    """The Markdown of each node in turn, white space not yet tidied."""
    out: list[str] = []
    after_link = False
    for node in nodes:
        piece = _piece(node, depth)
        if not piece:
            continue
        is_link = piece.startswith(("[", "<")) and isinstance(node, Element) and node.tag == "a"
        if is_link and after_link:
            out.append(" ")  # neighbouring links are told apart by styling a reader of text cannot see
        if out and piece.startswith(_STRONG) and out[-1].endswith(_STRONG) and out[-1] != _STRONG:
            out[-1] = out[-1].removesuffix(_STRONG)  # <b>a</b><b>b</b>: one emphasis, not four stars
            piece = piece.removeprefix(_STRONG)
        out.append(piece)
        after_link = is_link
    return out


def _piece(node: Node, depth: int) -> str:
    if isinstance(node, Text):
        return escape(_SPACE.sub(" ", node.data))
    if not isinstance(node, Element) or node.tag in UNREAD:
        return ""
    if depth > _MAX_DEPTH:
        return escape(_SPACE.sub(" ", node.text))
    return _element(node, depth)


def _element(node: Element, depth: int) -> str:
    if simple := _SIMPLE.get(node.tag):
        return simple(node)
    if nested := _NESTED.get(node.tag):
        return nested(node, depth)
    inner = "".join(pieces(node.children, depth + 1))
    if node.tag in BLOCKS:
        return f"\n{inner}\n"
    mark = _MARKS.get(node.tag)
    return _wrapped(inner, *mark) if mark else inner


def escape(text: str) -> str:
    """Text in which no character can be taken for inline markup."""
    return _MARKUP.sub(r"\\\g<0>", text) if _MAYBE_MARKUP.search(text) else text


def _wrapped(inner: str, before: str, after: str) -> str:
    """Each line in its marks, with the white space left outside: `<b> x </b>` is ` **x** `."""
    if inner.startswith(before) and inner.endswith(after) and len(inner) > 2 * len(before):
        return inner
    return "\n".join(_marked(line, before, after) for line in inner.split("\n"))


def _marked(line: str, before: str, after: str) -> str:
    core = line.strip()
    if not core:
        return line
    lead, trail = line[: len(line) - len(line.lstrip())], line[len(line.rstrip()) :]
    return f"{lead}{before}{core}{after}{trail}"


def code_span(text: str) -> str:
    """An inline code span whose delimiter is longer than any run of ticks inside it."""
    code = _SPACE.sub(" ", text).strip()
    if not code:
        return ""
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(code)), default=0))
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def link(text: str, href: str | None) -> str:
    """`[text](href)` on one line, or the text alone when the address is not one a reader can follow."""
    label = _SPACE.sub(" ", text)
    url = target(href)
    if not url or not label.strip():
        return text
    return _marked(label, "[", f"]({url})")


def target(href: str | None) -> str | None:
    """A web, mail or phone address as a Markdown link target; None for scripts, data and nothing."""
    url = (href or "").strip()
    if not _WEB.match(url):
        return None
    if _UNSAFE.search(url):
        for character, escaped in _UNSAFE_IN_TARGET.items():
            url = url.replace(character, escaped)
    return url if _balanced(url) else url.replace("(", "%28").replace(")", "%29")


def _balanced(url: str) -> bool:
    if "(" not in url:
        return ")" not in url
    depth = 0
    for character in url:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _anchor(node: Element, depth: int) -> str:
    address = target(node.attr("href"))
    if address and node.text.strip() == address:
        return f"<{address}>"
    return link("".join(pieces(node.children, depth + 1)), address)


def _image(node: Element) -> str:
    address = target(node.attr("src"))
    return f"![{escape(_SPACE.sub(' ', node.attr('alt') or '')).strip()}]({address})" if address else ""


def _ruby(node: Element, depth: int) -> str:
    inner = "".join(pieces(node.children, depth + 1)).strip()
    return f"({inner})" if inner else ""


def _quote(node: Element, depth: int) -> str:
    return f'"{"".join(pieces(node.children, depth + 1))}"'


_SIMPLE: Final[dict[str, Callable[[Element], str]]] = {
    "img": _image,
    "br": lambda _: "\n",
    "wbr": lambda _: "",
    **dict.fromkeys(("code", "tt", "samp", "pre"), lambda node: code_span(node.text)),
    "math": lambda node: node.text,
}
_NESTED: Final[dict[str, Callable[[Element, int], str]]] = {"a": _anchor, "rt": _ruby, "q": _quote}
_MARKS: Final = {
    "b": (_STRONG, _STRONG),
    "strong": (_STRONG, _STRONG),
    "em": ("*", "*"),
    "i": ("*", "*"),
    "del": ("~~", "~~"),
    "s": ("~~", "~~"),
    "strike": ("~~", "~~"),
    "sub": ("<sub>", "</sub>"),
    "sup": ("<sup>", "</sup>"),
}
