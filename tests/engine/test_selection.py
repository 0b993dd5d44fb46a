"""Who may serve a call, in what order, and the error that says why nobody does."""

from datetime import date, timedelta

import pytest

from tests.engine.vendors import market, ok, says, vendor
from verbena.errors import (
    NoEligibleProvider,
    NoProvidersConfigured,
    ProviderLacksCapability,
    ProviderLoadFailed,
    ProviderNotActive,
    ProviderNotFound,
    ProviderUnavailable,
)
from verbena.providers import ProviderRow


def test_lower_priority_is_asked_first_and_names_break_ties():
    """C04."""
    rows = [ProviderRow("b", "b", priority=5), ProviderRow("A", "a", priority=5), ProviderRow("c", "c", priority=1)]
    world = market([vendor(name) for name in "abc"], rows, a=says(500), b=ok("x"), c=says(500))

    world.serve()

    assert world.asked == ["c", "a", "b"]


def test_a_change_of_rows_changes_the_order_at_once():
    """C02: no deploy."""
    world = market(one=ok("a"), two=ok("b"))
    world.serve()

    world.rows.insert(0, ProviderRow("first", "two", priority=1))

    assert world.serve().row.name == "first"


@pytest.mark.parametrize("config", ["{", "[]", "7", '"text"', ""])
def test_a_broken_config_tunes_nothing_and_disables_nothing(config):
    """C02."""
    world = market([vendor("one")], [ProviderRow("one", "one", config=config)], one=ok("a"))

    assert world.serve().row.name == "one"


def test_a_requested_feature_is_a_requirement():
    """C05."""
    able = vendor("two", can=frozenset({"region", "freshness"}))
    world = market([vendor("one", can=frozenset({"region"})), able], one=ok("a"), two=ok("b"))

    served = world.serve(wanted=frozenset({"region", "freshness"}))

    assert served.row.name == "two"
    assert world.asked == ["two"]


def test_when_nobody_can_the_reason_of_each_is_told_and_nobody_is_asked():
    """A12, C14."""
    drivers = [vendor("one"), vendor("two", needs=("KEY",)), vendor("three")]
    rows = [
        ProviderRow("one", "one"),
        ProviderRow("two", "two"),
        ProviderRow("three", "three", status="pending"),
        ProviderRow("lost", "gone"),
    ]
    world = market(drivers, rows, one=ok())

    with pytest.raises(NoEligibleProvider) as caught:
        world.serve(wanted=frozenset({"region"}))

    assert world.asked == []
    reasons = caught.value.details["providers"]
    assert "cannot honour region" in reasons["one"]
    assert "it needs KEY" in reasons["two"]
    assert "three is pending" in reasons["three"]
    assert "'gone'" in reasons["lost"]


def test_an_empty_table_is_another_error_than_one_that_cannot_be_read():
    """C15: repeated while it lasts, gone when it is over."""
    world = market(one=ok("a"))
    rows, world.rows = world.rows, []
    with pytest.raises(NoProvidersConfigured):
        world.serve()

    world.rows, world.is_down = rows, True
    for _ in range(2):
        with pytest.raises(ProviderLoadFailed):
            world.serve()

    world.is_down = False
    assert world.serve().row.name == "one"


def test_a_vendor_that_has_ended_is_not_asked():
    yesterday = date.today() - timedelta(days=1)  # noqa: DTZ011 - a day, as the engine compares it
    world = market([vendor("one", ends=yesterday), vendor("two")], one=ok("a"), two=ok("b"))

    assert world.serve().row.name == "two"


# ---- pins


@pytest.mark.parametrize("pin", ["Second", "second", "TWO", "two"])
def test_a_pin_names_a_provider_or_a_driver_in_any_case(pin):
    """C11."""
    rows = [ProviderRow("one", "one"), ProviderRow("second", "two")]
    world = market([vendor("one"), vendor("two")], rows, one=ok("a"), two=ok("b"))

    assert world.serve(pin=pin).row.name == "second"


def test_a_pinned_provider_is_never_substituted():
    """C11."""
    world = market(one=ok("a"), two=says(500))

    with pytest.raises(Exception, match="tried") as caught:
        world.serve(pin="two")

    assert caught.value.code == "ALL_PROVIDERS_FAILED"
    assert world.asked == ["two"]


def test_a_pin_asks_a_resting_provider_once():
    world = market(one=[says(402), ok("a")], two=ok("b"))
    world.serve()

    served = world.serve(pin="one")

    assert served.row.name == "one"
    assert world.asked == ["one", "two", "one"]


PINS = {
    "a name nobody has": ("nobody", ProviderNotFound),
    "a pending one": ("pending", ProviderNotActive),
    "a terminated one": ("ended", ProviderNotActive),
    "one without its key": ("keyless", ProviderUnavailable),
    "one without a driver": ("lost", ProviderUnavailable),
    "one that cannot": ("plain", ProviderLacksCapability),
}


@pytest.mark.parametrize(("pin", "error"), PINS.values(), ids=PINS)
def test_each_pin_that_cannot_be_kept_has_its_own_error(pin, error):
    """C12."""
    rows = [
        ProviderRow("pending", "one", status="pending"),
        ProviderRow("ended", "one", status="terminated"),
        ProviderRow("keyless", "two"),
        ProviderRow("lost", "gone"),
        ProviderRow("plain", "one"),
        ProviderRow("able", "able"),
    ]
    drivers = [vendor("one"), vendor("two", needs=("KEY",)), vendor("able", can=frozenset({"region"}))]
    world = market(drivers, rows, able=ok("a"))

    with pytest.raises(error) as caught:
        world.serve(pin=pin, wanted=frozenset({"region"}))

    assert type(caught.value) is error
    assert pin in caught.value.message
    assert world.asked == []


def test_a_pin_finds_a_provider_made_in_this_moment():
    """The book is read again before a name counts as unknown."""
    world = market(one=ok("a"))
    kept = [ProviderRow("one", "one")]

    class Cached:
        """Knows a row only when asked for the rows of this moment."""

        def __getattr__(self, name):
            return getattr(stored, name)

        def rows(self, *, fresh=False):
            return [*kept, ProviderRow("new", "one")] if fresh else kept

    stored, world.book = world.book, Cached()

    assert world.serve(pin="new").row.name == "new"
