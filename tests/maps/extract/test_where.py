"""Which area a name means."""

import pytest

from maps.extract.index import opened
from maps.extract.where import Unknown, locate

from .world import area, built

FINLAND = {"is_in:country": "Finland", "is_in:country_code": "FI"}


def located(folder, features, name, region=None):
    with opened(built(folder, features)) as index:
        return locate(index, name, region)


@pytest.mark.parametrize(
    "name", ["Helsinki", "helsinki", " HELSINKI ", "Helsingfors", "Helsinki, Finland", "Helsinki,FI"]
)
def test_a_city_is_a_circle_around_its_middle_by_any_of_its_names(tmp_path, name):
    city = area(1, "Helsinki", 60.17, 24.94, tags={**FINLAND, "name:sv": "Helsingfors"})

    where = located(tmp_path, [city], name).area

    assert (where.lat, where.lng, where.radius_m) == (60.17, 24.94, 8_896)


def test_a_shape_is_better_known_than_a_middle(tmp_path):
    shape = area(2, "Kallio", 60.18, 24.95, "suburb", bounds=(60.17, 24.94, 60.19, 24.96))

    where = located(tmp_path, [area(1, "Kallio", 60.18, 24.95, "suburb"), shape], "Kallio").area

    assert where.bounds == (60.17, 24.94, 60.19, 24.96)
    assert where.radius_m is None


def test_a_middle_is_better_known_than_part_of_a_shape(tmp_path):
    part = area(1, "Kallio", 60.18, 24.95, "suburb", bounds=(60.17, 24.94, 60.19, 24.96), is_whole=False)

    where = located(tmp_path, [part, area(2, "Kallio", 60.18, 24.95, "suburb")], "Kallio").area

    assert where.radius_m is not None


def test_who_says_no_more_means_the_city_and_not_the_state(tmp_path):
    state = area(1, "New York", 43, -75, "state", bounds=(40.5, -79.8, 45, -71.8))

    assert located(tmp_path, [state, area(2, "New York", 40.7, -74)], "New York").kind == "city"


def test_two_towns_of_a_name_are_told_apart_by_what_they_lie_in(tmp_path):
    towns = [area(1, "Springfield", 39.8, -89.6), area(2, "Springfield", 42.1, -72.5)]
    state = area(3, "Illinois", 40, -89, "state", bounds=(37, -91.5, 42.5, -87))

    assert located(tmp_path, [*towns, state], "Springfield, Illinois").place == 4
    with pytest.raises(Unknown, match="2 areas are called 'Springfield'"):
        located(tmp_path, [*towns, state], "Springfield")


@pytest.mark.parametrize(
    ("name", "region"), [("Atlantis", None), ("Helsinki, Sweden", None), ("Helsinki", "SE"), (",", None), ("?", None)]
)
def test_what_the_data_does_not_know_is_not_guessed(tmp_path, name, region):
    with pytest.raises(Unknown):
        located(tmp_path, [area(1, "Helsinki", 60.17, 24.94, tags=FINLAND)], name, region)


def test_a_region_that_fits_changes_nothing(tmp_path):
    assert located(tmp_path, [area(1, "Helsinki", 60.17, 24.94, tags=FINLAND)], "Helsinki", "FI").place == 4


def test_a_country_of_which_only_the_middle_is_known_is_no_area(tmp_path):
    with pytest.raises(Unknown):
        located(tmp_path, [area(1, "Suomi", 64, 26, "country")], "Suomi")
