"""The links and pictures of a tree, each once, in reading order."""

from turbohtml import Element


def links(root: Element) -> list[dict[str, str]]:
    """`{url, text}` of every web link."""
    found = ((a.attr("href"), a.text) for a in root.iter_elements("a"))
    return _unique([{"url": href.strip(), "text": " ".join(text.split())} for href, text in found if _is_web(href)])


def images(root: Element) -> list[dict[str, str]]:
    """`{url, alt}` of every picture."""
    found = ((image.attr("src"), image.attr("alt")) for image in root.iter_elements("img"))
    return _unique([{"url": src.strip(), "alt": " ".join((alt or "").split())} for src, alt in found if _is_web(src)])


def _is_web(address: str | None) -> bool:
    return (address or "").strip().lower().startswith(("http://", "https://"))


def _unique(found: list[dict[str, str]]) -> list[dict[str, str]]:
    return list({tuple(item.values()): item for item in found}.values())
