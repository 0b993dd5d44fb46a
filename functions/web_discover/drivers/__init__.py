"""The search vendors there is a driver for; a new one is a module here and its name in this list."""

from importlib import import_module
from typing import Final

from verbena.providers import Driver

NAMES: Final = (
    "brave",
    "tavily",
    "perplexity",
    "google_cse",
    "exa",
    "serper",
    "searxng",
    "linkup",
    "baidu",
    "duckduckgo",
)

DRIVERS: Final[tuple[Driver, ...]] = tuple(import_module(f"{__name__}.{name}").DRIVER for name in NAMES)
