"""Opening hours of every source as the same periods; what is not regular, or not understood, stays text."""

import pytest

from maps.hours import of_expression, of_spans
from maps.weekdays import DAYS, of_days


def spans(hours):
    return None if hours.periods is None else [(p.day, p.open, p.close_day, p.close) for p in hours.periods]


ALWAYS = [(1, "00:00", None, None)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("Mo 08:00-18:30", [(1, "08:00", 1, "18:30")]),
        ("Mo 08:00-12:00,13:00-18:30", [(1, "08:00", 1, "12:00"), (1, "13:00", 1, "18:30")]),
        ("Fr 20:00-02:00", [(5, "20:00", 6, "02:00")]),
        ("Su 22:00-03:00", [(7, "22:00", 1, "03:00")]),
        ("Sa 20:00-26:00", [(6, "20:00", 7, "02:00")]),
        ("Mo 11:00-24:00", [(1, "11:00", 1, "24:00")]),
        ("Mo-Tu 00:00-24:00", [(1, "00:00", 2, "24:00")]),
        ("24/7", ALWAYS),
        ("Mo-Su", ALWAYS),
        ("off", []),
        ("Mo 09:00-17:00; PH off", [(1, "09:00", 1, "17:00")]),
        ('Mo 09:00-17:00 "by appointment"', [(1, "09:00", 1, "17:00")]),
        ('Mo 09:00-17:00 "closed in 2020, see [web]"', [(1, "09:00", 1, "17:00")]),
    ],
)
def test_an_expression_of_a_regular_week_is_its_periods(expression, expected):
    hours = of_expression(expression)

    assert spans(hours) == expected
    assert hours.always_open is (expected == ALWAYS)
    assert hours.text == [expression]


@pytest.mark.parametrize(
    "expression",
    [
        "Apr-Sep: Mo-Fr 10:00-18:00",
        "week 1-53/2 Mo 10:00-12:00",
        "Mo[1] 10:00-12:00",
        "2019 Jun 01-2019 Aug 31 10:00-12:00",
        "sunrise-sunset",
        "Mo-Fr 08:00+",
        "Seasonal, only summer time",
        "Mo–Fr 9–17 Uhr",
        "",
    ],
)
def test_what_is_not_the_same_each_week_or_no_expression_is_only_text(expression):
    hours = of_expression(expression)

    assert (hours.periods, hours.always_open, hours.text) == (None, None, [expression])


def test_spans_that_touch_are_one_and_a_week_of_them_never_closes():
    day = 24 * 60

    assert spans(of_spans([(60, 120), (120, 180)], None)) == [(1, "01:00", 1, "03:00")]
    assert spans(of_spans([(n * day, (n + 1) * day) for n in range(7)], None)) == ALWAYS


def week(words):
    return dict.fromkeys(DAYS, words)


@pytest.mark.parametrize(
    ("monday", "expected"),
    [
        ("8 AM–6 PM", [(1, "08:00", 1, "18:00")]),
        ("8\u202fAM – 6:30\u202fPM", [(1, "08:00", 1, "18:30")]),
        ("1–6 PM", [(1, "13:00", 1, "18:00")]),
        ("9 AM–12 PM, 1–6:30 PM", [(1, "09:00", 1, "12:00"), (1, "13:00", 1, "18:30")]),
        ("8 PM–2 AM", [(1, "20:00", 2, "02:00")]),
        ("5 PM–12 AM", [(1, "17:00", 1, "24:00")]),
        ("09:00–17:00", [(1, "09:00", 1, "17:00")]),
        ("Open 24 hours", [(1, "00:00", 1, "24:00")]),
        ("Closed", []),
    ],
)
def test_a_text_for_each_day_is_read_in_both_clocks(monday, expected):
    hours = of_days(week("Closed") | {"monday": monday})

    assert spans(hours) == expected
    assert hours.text[0] == f"monday: {monday}"


def test_a_week_of_whole_days_is_always_open():
    assert spans(of_days(week("Open 24 hours"))) == ALWAYS


@pytest.mark.parametrize(
    "said", [{"monday": "8 AM–6 PM"}, week("Hours might differ"), week("8 AM"), week("25:00–26:00"), week("8–30 AM–9")]
)
def test_a_week_that_cannot_be_read_whole_is_only_text(said):
    hours = of_days(said)

    assert (hours.periods, hours.always_open) == (None, None)
    assert len(hours.text) == len(said)


@pytest.mark.parametrize("said", [{}, {"monday": None}, {"monday": 5}])
def test_no_words_are_no_hours(said):
    assert of_days(said) is None
