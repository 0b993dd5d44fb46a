"""HTML out of plain values: whatever is not markup already is escaped."""

import re
from html import escape


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(name: str, *inside: str, **attributes: str) -> Markup:
    """One element; `class_` is written as `class`, since Python keeps that word for itself."""
    said = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{said}>{joined(*inside)}</{name}>")


def joined(*parts: str) -> Markup:
    return Markup("".join(part if isinstance(part, Markup) else escape(part, quote=False) for part in parts))


def prose(text: str) -> Markup:
    """A sentence in which `backticks` mark code."""
    pieces = re.split(r"`([^`]+)`", text)
    return joined(*(element("code", piece) if place % 2 else piece for place, piece in enumerate(pieces)))


def code(text: str) -> Markup:
    return element("code", text)


def link(target: str, *inside: str) -> Markup:
    return element("a", *inside, href=target)
