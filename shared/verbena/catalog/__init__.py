"""The catalog: every verb there is, in the order doors show them."""

from verbena.capability import by_name
from verbena.catalog.maps import MAPS_PLACE, MAPS_REVIEWS, MAPS_SEARCH
from verbena.catalog.web import WEB_DISCOVER, WEB_SCRAPE

CATALOG = (WEB_SCRAPE, WEB_DISCOVER, MAPS_SEARCH, MAPS_PLACE, MAPS_REVIEWS)
VERBS = by_name(CATALOG)

__all__ = ["CATALOG", "MAPS_PLACE", "MAPS_REVIEWS", "MAPS_SEARCH", "VERBS", "WEB_DISCOVER", "WEB_SCRAPE"]
