"""Dates as vendors write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web_discover.dates import iso

TODAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("written", "understood"),
    [
        ("2026-03-04", "2026-03-04"),
        ("2026-03-04T09:12:00", "2026-03-04T09:12:00"),
        ("2026-03-04 09:12:00", "2026-03-04T09:12:00"),
        ("2026-03-04T09:12:00Z", "2026-03-04T09:12:00Z"),
        ("2026-03-04T09:12:00.000Z", "2026-03-04T09:12:00Z"),
        ("2026-03-04T09:12:00+08:00", "2026-03-04T09:12:00+08:00"),
        ("Tue, 03 Mar 2026 08:15:00 GMT", "2026-03-03T08:15:00Z"),
        ("Tue, 03 Mar 2026 08:15:00 +0200", "2026-03-03T06:15:00Z"),
        ("Tue, 03 Mar 2026 08:15:00 -0000", "2026-03-03T08:15:00"),
        ("Mar 4, 2026", "2026-03-04"),
        ("March 4, 2026", "2026-03-04"),
        ("4 Mar 2026", "2026-03-04"),
        ("2026/03/04", "2026-03-04"),
        ("5 minutes ago", "2026-12-01"),
        ("3 hours ago", "2026-12-01"),
        ("1 day ago", "2026-11-30"),
        ("2 Days Ago", "2026-11-29"),
        ("2 weeks ago", "2026-11-17"),
        ("1 month ago", "2026-11-01"),
        ("1 year ago", "2025-12-01"),
        (" 2026-03-04 ", "2026-03-04"),
    ],
)
def test_a_date_becomes_iso_and_gets_no_zone_it_did_not_have(written, understood):
    assert iso(written, TODAY) == understood


@pytest.mark.parametrize(
    "written",
    [None, "", "  ", "some time last spring", "2026-13-40", "31 Feb 2026", "9999 years ago", 1796072400, {}, ["2026"]],
)
def test_what_cannot_be_read_is_unknown(written):
    assert iso(written, TODAY) is None


MAIL = st.from_regex(r"(Mon|Xyz), \d\d (Mar|Foo) \d{4} \d\d:\d\d:\d\d( GMT| [+-]\d{4})?", fullmatch=True)
AGO = st.from_regex(r"\d{1,4} (minute|day|month|year)s? ago", fullmatch=True)


@given(st.text(max_size=40) | MAIL | AGO)
def test_nothing_that_is_written_breaks(written):
    assert isinstance(iso(written, TODAY), str | None)
