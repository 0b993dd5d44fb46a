"""A walk over any source at all: it ends, ids come once, the limit holds, and every row is accounted for."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from maps.walks import Turn, coverage, digest_of, walked
from verbena import settings
from verbena.catalog.places import Walk


@dataclass(frozen=True)
class Row:
    name: str
    is_wanted: bool = True


def verdict(row):
    return None if row.is_wanted else "dropped_out_of_area"


ROWS = st.builds(Row, st.sampled_from("abcdefgh"), st.booleans())
MORE = st.none() | st.builds(lambda token: {"token": token}, st.sampled_from("1234567"))
PAGES = st.lists(st.tuples(st.lists(ROWS, max_size=5), MORE), min_size=1, max_size=12)


def begun(limit=500):
    return Walk(provider="p", limit=limit, more={})


def played(pages, limit):
    """Every page of a walk, over a source whose last page comes for ever."""
    walk, done = begun(limit), []
    for number in range(100):
        rows, more = pages[min(number, len(pages) - 1)]
        page = walked(Turn([(row.name, row) for row in rows], more), walk, verdict)
        done.append(page)
        walk = page.walk
        if not page.goes_on:
            break
    return done


@examples(deadline=None)
@given(PAGES, st.integers(1, 10))
def test_a_walk_ends_with_each_id_once_and_within_its_limit(pages, limit):
    done = played(pages, limit)

    rows = [row.name for page in done for row in page.rows]
    assert not done[-1].goes_on
    assert len(rows) == len(set(rows)) == done[-1].walk.returned <= limit
    assert all(row.is_wanted for page in done for row in page.rows)


@examples(deadline=None)
@given(PAGES)
def test_every_row_that_came_is_returned_or_told_as_dropped(pages):
    done = played(pages, limit=500)

    came = sum(len(pages[min(number, len(pages) - 1)][0]) for number in range(len(done)))
    told = coverage(done[-1].walk, 500, done[-1].capped_by)
    assert came == told.returned + told.dropped_out_of_area + told.dropped_duplicates


@examples(deadline=None)
@given(PAGES)
def test_a_walk_that_was_cut_short_says_by_what(pages):
    last = played(pages, limit=500)[-1]

    more = pages[min(len(last.walk.tokens), len(pages)) - 1][1]
    assert (last.capped_by is None) == (more is None)


def test_pages_without_a_row_to_return_end_a_walk_before_the_job_would_in_silence():
    pages = [([Row(str(number), is_wanted=False)], {"token": str(number)}) for number in range(9)]

    done = played(pages, limit=500)

    assert len(done) == settings.BARREN_LIMIT
    assert done[-1].capped_by == "barren_pages"


@pytest.mark.parametrize(
    ("returned", "limit", "requested", "cap", "told"),
    [
        (5, 5, 20, "limit", "source_limit"),
        (5, 5, 5, "limit", "limit"),
        (3, 5, 20, None, None),
        (5, 5, 20, None, "source_limit"),
    ],
)
def test_a_limit_below_the_one_asked_for_is_the_sources(returned, limit, requested, cap, told):
    walk = begun(limit).model_copy(update={"returned": returned})

    assert coverage(walk, requested, cap).capped_by == told


def test_five_thousand_ids_fit_in_the_message_of_a_part():
    digests = {digest_of(f"review {number}") for number in range(5000)}

    assert len(digests) == 5000
    assert len(begun().model_copy(update={"seen": sorted(digests)}).model_dump_json()) < 64 * 1024
