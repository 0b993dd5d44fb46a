"""Lists sorted out: what is the same, what is no item, what is paid for."""

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import LIST
from verbena.items import Items, listed, unworked_row, verdict_before_work

INPUTS = st.lists(st.sampled_from(["ok/1", "ok/1#x", "ok/2", "javascript:1", "ok/3", "ok/secret"]), max_size=12)


@given(INPUTS)
def test_every_position_is_answered_by_the_item_it_is_the_same_as_or_by_its_own_error(inputs):
    items = listed(LIST, inputs)

    for position, item in enumerate(inputs):
        index = items.order[position]
        if item.startswith("javascript:"):
            assert (index, items.invalid[position].code) == (None, "invalid_url")
        else:
            assert items.unique[index] == item.partition("#")[0]
            assert position not in items.invalid
    assert len(set(items.unique)) == len(items.unique)


@given(INPUTS, st.integers(0, 4))
def test_positions_are_either_worked_for_or_have_their_verdict_before(inputs, funded):
    items = listed(LIST, inputs).funding(funded)

    verdicts = [verdict_before_work(items, position) for position in range(len(inputs))]

    assert sum(verdict is not None for verdict in verdicts) == items.unanswerable
    worked_for = sum(items.weights[index] for index in range(items.funded))
    assert worked_for + items.unanswerable == len(inputs)


@given(INPUTS, st.integers(0, 4))
def test_a_list_comes_back_from_its_stored_form(inputs, funded):
    items = listed(LIST, inputs).funding(funded)

    assert Items.of_stored(items.stored()) == items


def test_a_list_is_stored_without_what_its_rows_would_not_show():
    items = listed(LIST, ["javascript:secret", "ok/1"])

    assert "secret" not in repr(items.stored())


def test_a_row_of_what_was_never_run_echoes_its_item_and_says_why():
    items = listed(LIST, ["ok/1", "javascript:secret"])

    row = unworked_row(LIST, items, 1, items.invalid[1])

    assert (row["item"], row["index"], row["status"]) == ("javascript:***", 1, "failed")
    assert row["error"]["code"] == "invalid_url"
