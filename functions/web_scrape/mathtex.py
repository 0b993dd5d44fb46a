"""Mathematics as TeX between dollar signs, from MathML and from the scripts of older renderers."""

from collections.abc import Callable, Sequence
from typing import Final

from turbohtml import Element, Node, Text

_MAX_DEPTH: Final = 40

_DRAWN_BY_SCRIPT: Final = (
    ".MathJax, .MathJax_Preview, .MathJax_Display, .MathJax_SVG, .MathJax_SVG_Display, .MathJax_CHTML"
)
_DRAWN_BESIDE_MATHML: Final = ".katex-html, .mwe-math-fallback-image-inline, .mwe-math-fallback-image-display"
_OPERATORS: Final = {
    "\N{MULTIPLICATION SIGN}": r"\times ", "⋅": r"\cdot ", "±": r"\pm ", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ",
    "≈": r"\approx ", "∑": r"\sum ", "∏": r"\prod ", "∫": r"\int ", "∞": r"\infty ", "√": r"\sqrt ",
    "∂": r"\partial ", "∇": r"\nabla ", "→": r"\to ", "∈": r"\in ", "∉": r"\notin ", "⊂": r"\subset ",
    "\N{UNION}": r"\cup ", "∩": r"\cap ", "\N{MINUS SIGN}": "-", "\N{ASTERISK OPERATOR}": "*", "\u2061": "",
    "\u2062": "", "\u2063": "",
}  # fmt: skip
_ACCENTS: Final = {
    "¯": "bar", "‾": "bar", "^": "hat", "\N{MODIFIER LETTER CIRCUMFLEX ACCENT}": "hat", "~": "tilde",
    "\u02dc": "tilde", "→": "vec", "˙": "dot",
}  # fmt: skip


def from_mathml(math: Element) -> str:
    """`$…$` of a <math> element (`$$…$$` when it is a display): its TeX annotation, its alt text, or its own tree."""
    annotation = next((a for a in math.iter_elements("annotation") if "tex" in (a.attr("encoding") or "")), None)
    tex = annotation.text if annotation else math.attr("alttext") or _tex(math, 0)
    return delimited(tex, display=math.attr("display") == "block")


def from_script(script: Element) -> str:
    """`$…$` of a <script type="math/tex">."""
    return delimited(script.text, display="mode=display" in (script.attr("type") or ""))


def delimited(tex: str, *, display: bool) -> str:
    """TeX on one line between its dollar signs; nothing for nothing."""
    line = " ".join(tex.split())
    if line.startswith(r"{\displaystyle ") and line.endswith("}"):
        line = line.removeprefix(r"{\displaystyle ").removesuffix("}").strip()
    if not line:
        return ""
    return f"$${line}$$" if display else f"${line}$"


def _tex(node: Node, depth: int) -> str:
    if not isinstance(node, Element):
        return node.text.strip()
    if depth > _MAX_DEPTH:
        return node.text
    if node.tag in {"annotation", "annotation-xml"}:
        return ""
    if node.tag in {"mi", "mn", "mo", "mtext"}:
        return _token(node)
    parts = [tex for child in node.children if (tex := _tex(child, depth + 1))]
    shape = _SHAPES.get(node.tag)
    return shape(parts) if shape else "".join(parts)


def _token(node: Element) -> str:
    text = node.text.strip()
    if node.tag == "mtext":
        return rf"\text{{{text}}}" if text else ""
    if node.tag == "mi" and len(text) > 1 and text.isascii() and text.isalpha():
        return rf"\operatorname{{{text}}}"
    return _OPERATORS.get(text, text)


def _group(tex: str) -> str:
    return tex if len(tex) == 1 else f"{{{tex}}}"


def _scripts(base: str, *marks: tuple[str, str]) -> str:
    return base + "".join(f"{sign}{_group(tex)}" for sign, tex in marks)


def _sized(size: int, shape: Callable[[Sequence[str]], str]) -> Callable[[Sequence[str]], str]:
    """A shape that needs `size` parts; broken MathML with another number is read as a plain row."""
    return lambda parts: shape(parts) if len(parts) == size else "".join(parts)


def _accent(parts: Sequence[str]) -> str:
    base, mark = parts
    return rf"\{_ACCENTS[mark]}{{{base}}}" if mark in _ACCENTS else _scripts(base, ("^", mark))


_SHAPES: Final[dict[str, Callable[[Sequence[str]], str]]] = {
    "mfrac": _sized(2, lambda p: rf"\frac{{{p[0]}}}{{{p[1]}}}"),
    "msup": _sized(2, lambda p: _scripts(p[0], ("^", p[1]))),
    "msub": _sized(2, lambda p: _scripts(p[0], ("_", p[1]))),
    "msubsup": _sized(3, lambda p: _scripts(p[0], ("_", p[1]), ("^", p[2]))),
    "munderover": _sized(3, lambda p: _scripts(p[0], ("_", p[1]), ("^", p[2]))),
    "munder": _sized(2, lambda p: _scripts(p[0], ("_", p[1]))),
    "mover": _sized(2, _accent),
    "mroot": _sized(2, lambda p: rf"\sqrt[{p[1]}]{{{p[0]}}}"),
    "msqrt": lambda p: rf"\sqrt{{{''.join(p)}}}",
    "mtr": lambda p: " & ".join(p) + r" \\ ",
    "mtable": lambda p: rf"\begin{{matrix}}{''.join(p)}\end{{matrix}}",
}


def inscribe_scripts(root: Node) -> None:
    """Put the TeX of old renderers' scripts in its place, and drop what they had drawn of it."""
    scripts = [s for s in root.iter_elements("script") if (s.attr("type") or "").startswith("math/tex")]
    for script in scripts:
        script.replace_with(Element("math", None, [Text(from_script(script))]))
    if scripts:
        root.remove(_DRAWN_BY_SCRIPT)


def inscribe(root: Node) -> None:
    """Put the TeX of every MathML formula in its place, and drop the second copies that would read it out twice."""
    for math in list(root.iter_elements("math")):
        if any(isinstance(child, Element) for child in math.children):
            math.replace_with(Element("math", None, [Text(from_mathml(math))]))
    root.remove(_DRAWN_BESIDE_MATHML)
