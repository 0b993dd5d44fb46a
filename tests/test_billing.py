"""Units and money: one predicate, one price book, whole numbers."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls.world import OWNER, World
from tests.fakes import LIST
from verbena.billing import UNITS, Unit, billable, capped, charge, price_book, times, total
from verbena.request import Caller

ROOT = Path(__file__).resolve().parent.parent
COUNTS = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(0, 50))
PRICES = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(0, 5000))


def test_only_success_is_billed():
    """A08"""
    assert [status for status in ("success", "empty", "failed") if billable(status)] == ["success"]
    assert not billable("success", from_cache=True)


def test_one_place_decides_what_is_billed():
    """A08"""
    deciding = [
        file.name
        for folder in ("shared", "functions")
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare) and any(_is_success(side) for side in (node.left, *node.comparators))
    ]

    assert deciding == ["billing.py"]


def _is_success(node):
    return isinstance(node, ast.Constant) and node.value == "success"


def test_every_unit_has_a_price_until_the_operator_sets_another():
    """A31"""
    assert price_book({}) == {unit.name: unit.micros for unit in UNITS}
    assert price_book({"web_crawl": 7})["web_crawl"] == 7


def test_a_price_of_an_unknown_unit_is_refused_by_name():
    with pytest.raises(ValueError, match="web_crawll"):
        price_book({"web_crawll": 7})


def test_a_new_unit_is_one_line_and_is_charged_without_touching_a_verb():
    """A32"""
    world = World(prices=price_book({}, [*UNITS, Unit("dance_step", 12, "one step danced")]))
    dance = replace(LIST, bound=lambda _: {LIST.unit: 1, "dance_step": 3})

    async def dancing(wanted, call):
        portion = await type(world.stage).work(world.stage, wanted, call)
        return replace(portion, units={"dance_step": 2})

    world.stage.work = dancing

    answer = world.run(world.calls.run(dance, {"items": ["ok/1"]}, Caller(OWNER, "key", "correlation")))

    assert answer.usage.units == {"dance_step": 2, "web_crawl": 1}
    assert world.charged() == 1000 + 2 * 12


@given(COUNTS, COUNTS, PRICES)
def test_a_charge_of_a_sum_is_the_sum_of_charges(first, second, prices):
    assert charge(total([first, second]), prices) == charge(first, prices) + charge(second, prices)


@given(COUNTS, COUNTS, PRICES)
def test_what_is_capped_never_costs_more_than_its_bound(units, bound, prices):
    assert charge(capped(units, bound), prices) <= charge(bound, prices)
    assert all(0 < capped(units, bound)[unit] <= units[unit] for unit in capped(units, bound))


@given(COUNTS, st.integers(1, 5))
def test_several_times_a_count_is_its_sum_so_often(units, factor):
    assert total([times(units, factor)]) == total([units] * factor)


def test_a_sum_leaves_out_what_came_to_nothing():
    assert total([{"a": 1, "b": 0}, {"c": 0}]) == {"a": 1}
