"""The links and pictures of a tree, each once, in reading order."""

from turbohtml import Element


def links(root: Element) -> list[dict[str, str]]:
    """`{url, text}` of every web link."""
    found = (((a.attr("href") or "").strip(), a.text) for a in root.iter_elements("a"))
    return _unique([{"url": href, "text": " ".join(text.split())} for href, text in found if _is_web(href)])


def images(root: Element) -> list[dict[str, str]]:
    """`{url, alt}` of every picture."""
    found = (((i.attr("src") or "").strip(), i.attr("alt") or "") for i in root.iter_elements("img"))
    return _unique([{"url": src, "alt": " ".join(alt.split())} for src, alt in found if _is_web(src)])


def _is_web(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def _unique(found: list[dict[str, str]]) -> list[dict[str, str]]:
    return list({tuple(item.values()): item for item in found}.values())
