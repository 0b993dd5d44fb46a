"""Parts, slices and their ids: what a plan is made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json, to_json

from verbena import settings
from verbena.jobs import INLINE, ROOT, Marker, Part, next_page_id, ranged, sequence, slice_id, slice_of, slices, written

INDEXES = st.sets(st.integers(0, 10_000), max_size=60).map(sorted)


@given(INDEXES)
def test_indexes_come_back_from_their_written_form(indexes):
    assert ranged(written(indexes)) == tuple(indexes)


def test_runs_are_written_by_their_ends():
    assert written((0, 1, 2, 7, 9, 10)) == "0-2,7,9-10"
    assert written(()) == ""


@given(st.lists(st.integers(1, 3 * settings.PART_BYTES // 2), max_size=60))
def test_slices_are_contiguous_whole_and_within_their_bounds(sizes):
    cut = slices(range(len(sizes)), sizes)

    assert [index for part in cut for index in part] == list(range(len(sizes)))
    for part in cut:
        assert 1 <= len(part) <= settings.PART_ITEMS
        assert len(part) == 1 or sum(sizes[index] for index in part) <= settings.PART_BYTES


def test_slices_of_what_is_left_keep_their_indexes():
    assert slices([3, 5, 8], [1] * 9) == [(3, 5, 8)]


def test_ids_sort_as_they_were_cut():
    ids = [slice_id(n) for n in range(1200)]

    assert ids == sorted(ids)


def test_a_slice_is_found_from_every_part_that_came_of_it():
    assert [slice_of(part_id) for part_id in ("0007", "0007.1", "0007.1.12")] == ["0007"] * 3


def test_pages_follow_each_other():
    assert [next_page_id(part_id) for part_id in (ROOT, "0000", "0009")] == ["0000", "0001", "0010"]


def test_the_root_comes_before_the_parts_it_planned():
    def marker(part_id):
        return Marker("call", part_id, "owner", "verb", "at", {}, 0)

    parts = [marker(part_id) for part_id in ("0001.1", "0000", ROOT, "0001")]

    assert [part.part_id for part in sorted(parts, key=sequence)] == [ROOT, "0000", "0001", "0001.1"]
    assert sequence(marker(INLINE)) < sequence(marker("0000"))


@pytest.mark.parametrize(
    "part",
    [
        Part("job", ROOT),
        Part("job", "0001", {"items": ["a", "b"]}, (4, 9), (1, 3), 2, 1),
        Part("job", "0002", {"page": 3}, left={"maps_reviews_page": 2}, depth=7),
    ],
)
def test_a_part_comes_back_from_its_message(part):
    assert Part.of(from_json(to_json(part.message()))) == part


@pytest.mark.parametrize("body", [{}, {"job_id": "j", "part_id": "p"}, [], "text", None])
def test_what_is_no_part_is_told_apart(body):
    with pytest.raises((KeyError, TypeError, ValueError)):
        Part.of(body)


def test_a_message_says_nothing_that_goes_without_saying():
    assert Part("job", "0001", {"items": ["a"]}, (4,), (1,)).message() == {
        "job_id": "job",
        "part_id": "0001",
        "depth": 0,
        "indexes": "4",
        "input": {"items": ["a"]},
    }


def test_an_index_weighs_the_positions_it_answers():
    part = Part("job", "0001", {}, (4, 9), (1, 3))

    assert (part.weight(4), part.weight(9), Part("job", "0001", {}, (4,)).weight(4)) == (1, 3, 1)
