"""The sources of places there is a driver for; a new one is a module here and its name in this list.

A vendor's module has one driver for each verb it serves, all of its name.
"""

from importlib import import_module
from typing import Final

from verbena.providers import Driver

NAMES: Final = ("google_places", "serpapi", "osm_extract", "osm")

DRIVERS: Final[tuple[Driver, ...]] = tuple(
    driver for name in NAMES for driver in import_module(f"{__name__}.{name}").DRIVERS
)
