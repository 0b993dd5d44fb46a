"""Rates: so many turns at once, then one as each comes free, and a wait that is exactly long enough."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import boto3
import pytest

from verbena.aws.slots import Slots
from verbena.aws.table import Table
from verbena.rates import Rate

NOW = 1_800_000_000.0


@pytest.fixture
def take(tables, new_id):
    """Takes a turn of a name that no other test uses."""
    return partial(Slots(tables["ConfigTable"]).take, new_id)


def taken(take, rate, moments):
    return [moment for moment in moments if take(rate, moment) == 0.0]


@pytest.mark.parametrize(
    ("text", "rate"), [("60/m", Rate(60, 60)), ("1/s", Rate(1, 1)), ("5/h", Rate(5, 3600)), ("9/d", Rate(9, 86_400))]
)
def test_a_rate_is_written_as_a_count_and_a_period(text, rate):
    assert Rate.of(text) == rate


@pytest.mark.parametrize("text", ["", "60", "0/m", "-1/m", "60/w", "60/m ", "1.5/s", "60 / m", "\u0661/s"])
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(ValueError, match="such as '60/m'"):
        Rate.of(text)


def test_all_turns_of_a_period_may_come_at_once_and_not_one_more(take):
    assert len(taken(take, Rate(5, 60), [NOW] * 8)) == 5


def test_a_wait_is_exactly_as_long_as_it_takes(take):
    rate = Rate(4, 60)
    taken(take, rate, [NOW] * 4)

    wait = take(rate, NOW + 1)

    assert wait == 14.0
    assert take(rate, NOW + 1 + wait - 0.001) == pytest.approx(0.001)
    assert take(rate, NOW + 1 + wait) == 0.0


def test_an_idle_name_has_all_its_turns_again_and_no_more(take):
    rate = Rate(3, 60)
    taken(take, rate, [NOW] * 3)

    assert len(taken(take, rate, [NOW + 86_400] * 9)) == 3


def test_one_turn_a_period_is_exact_over_any_window(take):
    moments = [NOW + 0.37 * number for number in range(60)]

    turns = taken(take, Rate(1, 1), moments)

    assert all(after - before >= 1 for before, after in pairwise(turns))
    assert len(turns) > 10


def test_over_a_long_time_the_rate_is_kept_to_the_turn(take):
    rate = Rate(6, 60)
    turns = taken(take, rate, [NOW + second for second in range(200)])

    assert len(turns) == 6 + 199 // 10
    windows = [sum(start <= turn < start + 60 for turn in turns) for start in turns]
    assert max(windows) < 2 * rate.turns


def test_names_do_not_share_turns(tables, new_id):
    slots = Slots(tables["ConfigTable"])

    assert slots.take(new_id, Rate(1, 60), NOW) == 0.0
    assert slots.take(f"{new_id} too", Rate(1, 60), NOW) == 0.0


def test_a_refused_turn_writes_nothing(tables, take, new_id):
    take(Rate(1, 60), NOW)
    before = tables["ConfigTable"].get(f"slot#{new_id}", "slot")

    take(Rate(1, 60), NOW + 1)

    assert before["ttl"] > NOW + 60
    assert tables["ConfigTable"].get(f"slot#{new_id}", "slot") == before


def test_callers_at_once_get_the_turns_there_are(ministack, new_id):
    dynamodb = boto3.client("dynamodb", endpoint_url=ministack.endpoint)
    slots = Slots(Table(dynamodb, ministack.deployment.outputs["ConfigTable"]))

    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: slots.take(new_id, Rate(5, 3600), NOW), range(40)))

    assert waits.count(0.0) == 5
