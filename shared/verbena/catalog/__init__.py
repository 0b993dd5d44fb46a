"""The catalog: every verb there is, in the order doors show them."""

from verbena.capability import by_name
from verbena.catalog.maps import MAPS_PLACE, MAPS_REVIEWS, MAPS_SEARCH
from verbena.catalog.web import WEB_DISCOVER, WEB_SCRAPE

CATALOG = (WEB_SCRAPE, WEB_DISCOVER, MAPS_SEARCH, MAPS_PLACE, MAPS_REVIEWS)
VERBS = by_name(CATALOG)
SCOPES = (*dict.fromkeys(verb.namespace for verb in CATALOG), "jobs", "pin", "admin")
"""What a key may be allowed: a namespace each, jobs, to pin a provider, to administer."""

__all__ = ["CATALOG", "MAPS_PLACE", "MAPS_REVIEWS", "MAPS_SEARCH", "SCOPES", "VERBS", "WEB_DISCOVER", "WEB_SCRAPE"]
