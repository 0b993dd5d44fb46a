"""A tree as clean HTML: no script, style, handler or class survives, and every address is absolute."""

from functools import cache
from typing import Final

from turbohtml import Element
from turbohtml.clean import OnDisallowed, Policy, Sanitizer

_TAGS: Final = frozenset({
    "a", "abbr", "article", "b", "blockquote", "br", "caption", "cite", "code", "col", "colgroup", "dd", "del",
    "details", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i",
    "img", "ins", "kbd", "li", "main", "mark", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section",
    "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time",
    "tr", "u", "ul", "var",
})  # fmt: skip
_ATTRIBUTES: Final = {
    "*": frozenset({"lang", "dir"}),
    "a": frozenset({"href"}),
    "img": frozenset({"src", "alt"}),
    "ol": frozenset({"start", "reversed"}),
    "li": frozenset({"value"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan", "scope"}),
    "time": frozenset({"datetime"}),
    "abbr": frozenset({"title"}),
}


def render(root: Element) -> str:
    """The markup of everything inside `root`."""
    return _sanitizer().sanitize_node(root).inner_html.strip()


@cache
def _sanitizer() -> Sanitizer:
    policy = Policy(
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=frozenset({"http", "https", "mailto", "tel"}),
        allow_relative_urls=False,
        on_disallowed_tag=OnDisallowed.STRIP,
        allow_svg=False,
        allow_mathml=False,
    )
    return Sanitizer(policy)
