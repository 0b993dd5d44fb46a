"""The picture a reader would see: lazy sources resolved, placeholders, trackers and inline data dropped."""

import re
from typing import Final

from turbohtml import Element, Text

# In the order in which sites that set several mean them.
_LAZY_SOURCES: Final = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-full-src",
    "data-hi-res-src", "data-url", "data-image", "data-img-src", "data-actualsrc", "data-echo",
)  # fmt: skip
_LAZY_SETS: Final = ("data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(
    r"^data:|^about:|(?:^|/)(?:blank|spacer|pixel|transparent|placeholder|loading|lazy|1x1|grey|gray)[^/]*\.(?:gif|png|svg|jpe?g)",
    re.IGNORECASE,
)
# Some forums send readers without scripts the whole thread this way; a request to turn scripts on is shorter.
_MIN_NOSCRIPT_PAGE: Final = 400
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)")


def uncover(root: Element) -> None:
    """Give every image its real `src`, take the ones <noscript> holds, and drop what shows nothing."""
    _open_noscript(root)
    for image in list(root.iter_elements("img")):
        source = _source(image)
        alt = " ".join((image.attr("alt") or "").split())
        if source and not _is_tracker(image):
            image.attrs["src"] = source
        elif alt and not _is_tracker(image):
            image.replace_with(Text(alt))  # what the picture says, without 100 KB of its bytes
        else:
            image.decompose()


def _open_noscript(root: Element) -> None:
    """<noscript> is read for its pictures; its words are for browsers without scripts, unless they are the page."""
    found = list(root.iter_elements("noscript"))
    inside = sum(len(n.text) for n in found)
    is_page = inside > max(_MIN_NOSCRIPT_PAGE, len(root.text) - inside)
    for noscript in found:
        pictures = [p for p in noscript.iter_elements("img") if _source(p)]
        if is_page and len(noscript.text) > _MIN_NOSCRIPT_PAGE:
            noscript.unwrap()
        elif pictures:
            _drop_lazy_twin(noscript)
            noscript.replace_with(*pictures)
        else:
            noscript.decompose()


def _drop_lazy_twin(noscript: Element) -> None:
    for sibling in (noscript.previous_sibling, noscript.next_sibling):
        node = sibling
        if isinstance(node, Text) and not node.data.strip():
            node = node.previous_sibling if sibling is noscript.previous_sibling else node.next_sibling
        if isinstance(node, Element) and node.tag == "img":
            node.decompose()
            return


def _source(image: Element) -> str | None:
    shown = (image.attr("src") or "").strip()
    lazy = next((value.strip() for name in _LAZY_SOURCES if (value := image.attr(name))), "")
    if lazy and not _PLACEHOLDER.search(lazy):
        return lazy
    if shown and not _PLACEHOLDER.search(shown):
        return shown
    return next((best for name in _LAZY_SETS if (best := _largest(image.attr(name)))), None)


def _largest(srcset: str | None) -> str | None:
    if not srcset or "data:" in srcset:
        return None
    found = [(float(size or 1), url) for url, size in _CANDIDATE.findall(srcset[:20_000])]
    return max(found, default=(0.0, None))[1] if found else None


def _is_tracker(image: Element) -> bool:
    """A picture of one or two pixels counts visits; nobody sees it."""
    sizes = [image.attr("width"), image.attr("height")]
    return any(size is not None and size.strip().removesuffix("px") in {"0", "1", "2"} for size in sizes)
