"""Areas hold what lies in them, over the antimeridian and around the poles too."""

import pytest
from pydantic import ValidationError

from maps.areas import area_of, box, circle, distance_m, height_m, wrapped
from verbena.catalog.maps import Box, SearchInput


def test_a_name_is_no_area():
    assert area_of("Helsinki") is None


def test_a_degree_of_latitude_is_a_hundred_and_eleven_kilometres():
    assert distance_m(60, 25, 61, 25) == pytest.approx(111_195, abs=1)
    assert distance_m(0, 179.5, 0, -179.5) == pytest.approx(111_195, abs=1)


@pytest.mark.parametrize(
    ("lat", "lng", "is_inside"),
    [(59.5, 22.5, True), (59.4, 22.3, True), (59.61, 22.5, False), (59.5, 22.71, False), (59.5, -157.5, False)],
)
def test_a_box_holds_its_inside_and_its_edges(lat, lng, is_inside):
    assert box(59.4, 22.3, 59.6, 22.7).holds(lat, lng) is is_inside


@pytest.mark.parametrize(("lng", "is_inside"), [(179, True), (-179, True), (180, True), (-180, True), (0, False)])
def test_a_box_over_the_antimeridian_holds_both_sides_and_nothing_else(lng, is_inside):
    pacific = box(-20, 170, -10, -170)

    assert pacific.holds(-15, lng) is is_inside
    assert abs(pacific.lng) == 180
    assert pacific.boxes() == [(-20, 170, -10, 180.0), (-20, -180.0, -10, -170)]


def test_a_box_of_the_whole_world_holds_everything():
    world = box(-90, -180, 90, 180)

    assert all(world.holds(lat, lng) for lat in (-90, 0, 90) for lng in (-180, 0, 180))
    assert (world.lat, world.lng) == (0, 0)


def test_a_circle_has_the_box_around_it():
    area = circle(60, 25, 1000)

    assert area.bounds == pytest.approx((59.991, 24.982, 60.009, 25.018), abs=0.001)
    assert area.holds(60.0089, 25)
    assert not area.holds(60.0089, 25.0179)
    assert height_m(area) == 2000


def test_a_circle_over_the_antimeridian_crosses_it():
    fiji = circle(-17, 179.99, 5000)

    assert fiji.holds(-17, -179.99)
    assert fiji.west > fiji.east
    assert len(fiji.boxes()) == 2


@pytest.mark.parametrize(("lat", "bounds"), [(89.99, (89.545, -180, 90, 180)), (-89.99, (-90, -180, -89.545, 180))])
def test_a_circle_around_a_pole_has_every_longitude(lat, bounds):
    polar = circle(lat, 10, 49_400)

    assert polar.bounds == pytest.approx(bounds, abs=0.01)
    assert polar.holds(lat, -170)


def test_longitudes_wrap_once_round():
    assert [wrapped(lng) for lng in (181, -181, 180, -180, 540)] == [-179, 179, 180, -180, -180]


def test_a_box_that_is_upside_down_is_refused_with_its_fix():
    with pytest.raises(ValidationError, match="swap them"):
        Box(south=60, west=20, north=59, east=21)


@pytest.mark.parametrize("location", [{"lat": 91, "lng": 0, "radius_m": 5}, {"lat": 1, "lng": 181, "radius_m": 5}])
def test_a_position_that_is_not_on_earth_is_refused(location):
    with pytest.raises(ValidationError, match=r"location\.circle"):
        SearchInput(query="cafe", location=location)
