"""Whether a place is open at a moment, in the time zone it lies in.

Finding a zone takes a map of the world, 110 MB and a second; so it is found when an index is built.
"""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from opening_hours import (  # type: ignore[attr-defined]  # its types leave the error out
    OpeningHours,
    UnknownCountryError,
    validate,
)

ANY_HOURS: Final = "Mo 10:00-11:00"
ANY_DAY: Final = datetime(2001, 1, 1)  # noqa: DTZ001 - the library says the zone
# No zone has the poles and the antimeridian themselves.
MOST_LAT, MOST_LNG = 89.9, 179.99


def zone_at(lat: float, lng: float) -> str:
    """The IANA name of the time zone of a point; of the sea an hour's, such as Etc/GMT+11."""
    where = max(-MOST_LAT, min(lat, MOST_LAT)), max(-MOST_LNG, min(lng, MOST_LNG))
    start, *_ = next(OpeningHours(ANY_HOURS, coords=where).intervals(ANY_DAY))
    return start.tzinfo.key if isinstance(start.tzinfo, ZoneInfo) else "UTC"


def is_open(expression: str, timezone: str, country: str | None, moment: datetime) -> bool:
    """Whether OSM `opening_hours` say so; what cannot be read does not. Holidays are those of `country`, if known."""
    if not validate(expression):
        return False
    zone = ZoneInfo(timezone)
    try:
        hours = OpeningHours(expression, timezone=zone, country=country)
    except UnknownCountryError:
        hours = OpeningHours(expression, timezone=zone)
    return hours.is_open(moment.astimezone(zone))
