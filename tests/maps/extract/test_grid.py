"""Cells of the globe: nothing that lies in an area may be missed, wherever on earth it is."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from maps.areas import box, circle
from maps.extract import grid

from .world import areas, points


@given(areas, points)
@example(box(-10, 170, 10, -170), (0.0, 180.0))
@example(circle(90, 0, 50_000), (89.9, 120.0))
@example(circle(0, 179.99, 5_000), (0.0, -179.99))
def test_every_point_of_an_area_lies_in_its_ranges_and_its_units(area, point):
    if area.holds(*point):
        assert any(_reads(bounds, point) for bounds in area.boxes())


def _reads(bounds, point):
    lat, lng = (round(value * grid.UNITS) for value in point)
    south, west, north, east = grid.units(bounds)
    number = grid.cell(*point)
    is_in_range = any(first <= number <= last for first, last in grid.ranges(bounds))
    return is_in_range and south <= lat <= north and west <= lng <= east


@given(areas)
def test_ranges_are_few_in_order_and_apart(area):
    for bounds in area.boxes():
        ranges = grid.ranges(bounds)

        assert len(ranges) <= grid.MOST_ROWS
        assert all(first <= last for first, last in ranges)
        assert all(one[1] < other[0] for one, other in pairwise(ranges))


@given(st.lists(points, min_size=1))
def test_the_bounds_of_points_hold_them_all(known):
    around = box(*grid.enclosing(known))

    assert all(around.holds(*point) for point in known)


def test_the_bounds_of_points_on_both_sides_of_the_antimeridian_cross_it():
    assert grid.enclosing([(1.0, 179.0), (2.0, -178.0), (0.0, 179.5)]) == (0.0, 179.0, 2.0, -178.0)


def test_no_points_have_no_bounds():
    assert grid.enclosing([]) is None


@given(areas, areas, points)
def test_areas_with_a_point_in_common_meet(one, other, point):
    if one.holds(*point) and other.holds(*point):
        assert grid.meet(one, other)
        assert grid.meet(other, one)


def test_areas_on_two_continents_do_not_meet():
    assert not grid.meet(circle(60.17, 24.94, 5_000), circle(52.5, 13.4, 50_000))
