"""Areas on the globe: circles and boxes, over the antimeridian and around the poles too. Angles are in degrees."""

from dataclasses import dataclass
from math import asin, cos, degrees, pi, radians, sin, sqrt
from typing import Final

from verbena.catalog.maps import Box, Circle

EARTH_M: Final = 6_371_008.8
"""The mean radius of the earth (IUGG)."""

Bounds = tuple[float, float, float, float]
"""South, west, north, east."""


@dataclass(frozen=True, slots=True)
class Area:
    """A box with its centre, or with `radius_m` the circle around it. West greater than east crosses 180 degrees."""

    south: float
    west: float
    north: float
    east: float
    lat: float
    lng: float
    radius_m: float | None = None

    def holds(self, lat: float, lng: float) -> bool:
        if self.radius_m is not None:
            return distance_m(self.lat, self.lng, lat, lng) <= self.radius_m
        if not self.south <= lat <= self.north:
            return False
        if self.west <= self.east:
            return self.west <= lng <= self.east
        return lng >= self.west or lng <= self.east

    @property
    def bounds(self) -> Bounds:
        return self.south, self.west, self.north, self.east

    def boxes(self) -> list[Bounds]:
        """Its bounds in boxes that cross nothing, for sources that know no others."""
        if self.west <= self.east:
            return [self.bounds]
        return [(self.south, self.west, self.north, 180.0), (self.south, -180.0, self.north, self.east)]


def area_of(location: str | Circle | Box) -> Area | None:
    """The area a caller drew; None for a name, which only a source can place."""
    if isinstance(location, Circle):
        return circle(location.lat, location.lng, location.radius_m)
    if isinstance(location, Box):
        return box(location.south, location.west, location.north, location.east)
    return None


def box(south: float, west: float, north: float, east: float) -> Area:
    width = (east - west) % 360 if west > east else east - west
    return Area(south, west, north, east, (south + north) / 2, wrapped(west + width / 2))


def circle(lat: float, lng: float, radius_m: float) -> Area:
    """A circle with the box around it: all longitudes where it holds a pole."""
    angle = radius_m / EARTH_M
    south, north = lat - degrees(angle), lat + degrees(angle)
    if south <= -90 or north >= 90:  # noqa: PLR2004 - the poles
        return Area(max(south, -90.0), -180.0, min(north, 90.0), 180.0, lat, lng, radius_m)
    reach = degrees(asin(min(1.0, sin(angle) / cos(radians(lat)))))
    return Area(south, wrapped(lng - reach), north, wrapped(lng + reach), lat, lng, radius_m)


def distance_m(lat: float, lng: float, other_lat: float, other_lng: float) -> float:
    """Metres along the great circle (haversine)."""
    phi, other_phi = radians(lat), radians(other_lat)
    across = sin((other_phi - phi) / 2) ** 2
    along = cos(phi) * cos(other_phi) * sin(radians(other_lng - lng) / 2) ** 2
    return 2 * EARTH_M * asin(min(1.0, sqrt(across + along)))


def wrapped(lng: float) -> float:
    """A longitude of -180 to 180; 180 itself stays."""
    return lng if -180 <= lng <= 180 else (lng + 180) % 360 - 180  # noqa: PLR2004 - half a turn


def height_m(area: Area) -> float:
    """From south to north."""
    return radians(area.north - area.south) * EARTH_M if area.radius_m is None else 2 * min(area.radius_m, pi * EARTH_M)
