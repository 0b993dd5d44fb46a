"""Make a parsed page honest before it is read: formulas as TeX, nothing hidden, images real, addresses absolute."""

import re
from typing import Final

from turbohtml import Element

from web_scrape import addresses, images, mathtex
from web_scrape.tags import HEADINGS, UNREAD

# Checkboxes stay: a task list is told by them.
_UNREAD_SELECTOR: Final = ", ".join(sorted(UNREAD - {"input", "head", "title"})) + ", input:not([type=checkbox])"
_HIDDEN_SELECTOR: Final = '[hidden]:not([hidden="until-found" i]), [style], [aria-hidden="true"]'
_HIDDEN_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{4,})",
    re.IGNORECASE,
)
# `aria-hidden` says "not for a screen reader": an icon, or the second copy of a formula. But pages saved while a
# dialog was open carry it on everything else, so only short parts are believed.
_ARIA_HIDDEN_MAX_CHARS: Final = 200
# A part that holds more of the page's text than this is the page, waiting for a script to uncover it.
_MAX_HIDDEN_SHARE: Final = 0.5
_MIN_HIDDEN_PAGE: Final = 300
_PERMALINK_TEXT: Final = frozenset({"", "¶", "#", "§", "🔗", "link", "permalink", "anchor", "direct link"})
_PERMALINK_CLASS = re.compile(r"header-?link|permalink|heading-?link|(?:^|[\s_-])anchor", re.IGNORECASE)


def prepare(root: Element, base_url: str) -> None:
    """Change the tree under `root` in place; afterwards everything in it may be shown to a reader."""
    mathtex.inscribe_scripts(root)
    root.remove(_UNREAD_SELECTOR)
    mathtex.inscribe(root)
    images.uncover(root)
    _drop_hidden(root)
    _drop_permalinks(root)
    addresses.make_absolute(root, base_url)


def _drop_hidden(root: Element) -> None:
    bulk = max(_MIN_HIDDEN_PAGE, _MAX_HIDDEN_SHARE * len(root.text))
    for element in root.select(_HIDDEN_SELECTOR):
        if element.tag not in {"html", "body", "math"} and _is_hidden(element) and len(element.text) <= bulk:
            _drop(element)


def _drop(element: Element) -> None:
    formulas = list(element.iter_elements("math"))
    element.replace_with(*formulas) if formulas else element.decompose()


def _is_hidden(element: Element) -> bool:
    hidden = element.attr("hidden")
    if hidden is not None or "hidden" in element.attrs:
        return True
    if _HIDDEN_STYLE.search(element.attr("style") or ""):
        return True
    return element.attr("aria-hidden") == "true" and len(element.text) <= _ARIA_HIDDEN_MAX_CHARS


def _drop_permalinks(root: Element) -> None:
    """The ¶ behind a heading goes; a heading that is wholly a link to itself becomes plain."""
    for anchor in root.select('a[href^="#"]'):
        heading = anchor.closest(", ".join(sorted(HEADINGS)))
        if anchor.text.strip().lower() in _PERMALINK_TEXT and not anchor.find("img"):
            if heading or _PERMALINK_CLASS.search(anchor.attr("class") or ""):
                anchor.decompose()
        elif heading:
            anchor.unwrap()
