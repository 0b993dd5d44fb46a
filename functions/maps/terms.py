"""What each source asks of those who use its data: whom to name, and what may be kept. Not legal advice."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Terms:
    """`attribution` is to be shown beside the data, `storage` says what may be kept; `is_open` if all of it may."""

    attribution: str
    storage: str
    is_open: bool = False


OSM: Final = Terms(
    attribution="© OpenStreetMap contributors",
    storage="ODbL 1.0: may be stored and shared with the attribution; a database made from it stays under the ODbL.",
    is_open=True,
)
GOOGLE: Final = Terms(
    attribution="Google Maps",
    storage="Google Maps Platform terms: only place ids may be stored for long; show the attribution and the authors.",
)
SERPAPI: Final = Terms(
    attribution="Google Maps, through SerpApi",
    storage="A reseller's copy of Google's data: what may be stored follows from its terms and Google's.",
)

SOURCES: Final = {"google_places": GOOGLE, "serpapi": SERPAPI, "osm": OSM, "osm_extract": OSM}
"""By driver."""
