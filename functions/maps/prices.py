"""Prices as sources write them: `$$` is a level, `$10-20` only a text."""

import re
from typing import Final

from maps.said import text

SIGNS: Final = re.compile(r"([$£€¥₩₹₺₽₪฿₫₱]|kr)\1{0,3}")


def level(said: object) -> int | None:
    """0 free to 4 very expensive; None for what is no repeated sign of a currency."""
    words = (text(said) or "").replace(" ", "")
    if words.casefold() == "free":
        return 0
    match = SIGNS.fullmatch(words)
    return len(words) // len(match[1]) if match else None
