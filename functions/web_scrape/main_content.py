"""The part of a page its readers came for: landmarks, furniture and link lists dropped, then the densest container.

The thresholds are shares of text, tuned on labelled pages (bench/extract.py prints what they reach).
"""

from typing import Final

from turbohtml import Element

from web_scrape import furniture
from web_scrape.outline import Part, text_length, weigh

_LANDMARKS: Final = (
    "nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary], "
    "[role=dialog], [role=alertdialog], [role=menu], [role=menubar], [role=tablist], [role=alert]"
)
# Elements whose class describes the page or a word of it, never a piece of furniture.
_NEVER_FURNITURE: Final = frozenset({
    "html", "body", "main", "article", "h1", "h2", "h3", "a", "p", "span", "em", "code", "pre", "td", "tr",
    "tbody", "table",
})  # fmt: skip
# Elements that only hold others; every other one has a meaning of its own that must be kept around its text.
_CONTAINERS: Final = frozenset({"body", "div", "section", "article", "main", "form", "center", "fieldset", "span"})
_LINK_LISTS: Final = ("ul", "ol", "div", "section", "table", "p", "dl", "h2", "h3", "h4")
_SUBTITLES: Final = ("h2", "h3", "h4", "h5", "h6")

_MAX_LANDMARK_SHARE: Final = 0.7
_MAX_HEADER_SHARE: Final = 0.3
_MAX_FURNITURE_SHARE: Final = 0.5
_MAX_COMMENTS_SHARE: Final = 0.7
# Below this share of prose a page is a list of things, whose links are its content.
_MIN_PROSE_SHARE: Final = 0.2
_MIN_MAIN_SHARE: Final = 0.4
_CONTAINER_SHARE: Final = 0.7
# A sentence may be half links and still be one; a paragraph that is nothing but links is a list.
_MIN_LINKED_SENTENCE: Final = 0.8


def keep_main(body: Element) -> Element:
    """The element that holds the main content, what does not belong to it removed; at worst `body` itself."""
    _drop_landmarks(body)
    outline = weigh(body)
    if outline.prose < _MIN_PROSE_SHARE * outline.chars:
        _drop_link_lists(body, min_linked=0.9, max_chars_a_link=30)
        return _declared_main(body)
    _drop_furniture(body)
    root = _densest(weigh(body))
    _drop_link_lists(root, min_linked=0.5, max_chars_a_link=80)
    _drop_last_titles(root)
    return root


def _drop_landmarks(body: Element) -> None:
    chars = text_length(body)
    for element in body.select(_LANDMARKS):
        if text_length(element) < _MAX_LANDMARK_SHARE * chars:
            element.decompose()
    for header in body.find_all("header"):
        if header.closest("article, main") is None and _is_small(header, _MAX_HEADER_SHARE * chars):
            header.decompose()


def _is_small(element: Element, max_chars: float) -> bool:
    return text_length(element) < max_chars and element.find("h1") is None


def _drop_furniture(body: Element) -> None:
    max_chars = _MAX_FURNITURE_SHARE * text_length(body)
    talk: list[Element] = []
    for element in body.select("[class], [id]"):
        if element.tag in _NEVER_FURNITURE:
            continue
        names = _names(element)
        if furniture.AROUND.search(names):
            if _is_small(element, max_chars):
                element.decompose()
        elif furniture.TALK.search(names):
            talk.append(element)
    _drop_comments(body, talk)


def _names(element: Element) -> str:
    return f"{element.attr('class') or ''} {element.attr('id') or ''}"


def _drop_comments(body: Element, found: list[Element]) -> None:
    """Comments under an article go; a forum, which is nothing but comments, keeps them."""
    outer = [
        e for e in found if not any(isinstance(a, Element) and furniture.TALK.search(_names(a)) for a in e.ancestors)
    ]
    outer = [e for e in outer if e.closest("body") == body]
    if sum(text_length(e) for e in outer) < _MAX_COMMENTS_SHARE * text_length(body):
        for element in outer:
            if element.find("h1") is None:
                element.decompose()


def _densest(part: Part) -> Element:
    """The innermost container that still holds most of the prose."""
    enough = _CONTAINER_SHARE * part.prose
    while True:
        inner = max(part.parts, key=lambda p: p.prose, default=None)
        if inner is None or inner.prose < enough or not _is_container(inner.element.tag):
            return part.element
        part = inner


def _is_container(tag: str) -> bool:
    return tag in _CONTAINERS or "-" in tag


def _declared_main(body: Element) -> Element:
    mains = body.select("main, [role=main]")
    if len(mains) == 1 and text_length(mains[0]) > _MIN_MAIN_SHARE * text_length(body):
        return mains[0]
    return body


def _drop_link_lists(root: Element, *, min_linked: float, max_chars_a_link: int) -> None:
    for element in list(root.iter_elements(_LINK_LISTS)):
        links = [link for link in element.iter_elements("a") if (link.attr("href") or "").startswith("http")]
        if not links or (len(links) == 1 and element.tag not in {"ul", "ol"}):
            continue
        chars = text_length(element)
        linked = sum(text_length(link) for link in links)
        least = max(min_linked, _MIN_LINKED_SENTENCE) if element.tag == "p" else min_linked
        if chars and linked > least * chars and chars < max_chars_a_link * len(links):
            element.decompose()


def _drop_last_titles(root: Element) -> None:
    """A title behind which nothing follows announced what was dropped."""
    for title in reversed(list(root.iter_elements(_SUBTITLES))):
        if any(node.text.strip() for node in title.following):
            return
        title.decompose()
