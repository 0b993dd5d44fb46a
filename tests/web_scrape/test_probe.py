"""The probe of deep readiness reads its page as any page is read."""

import asyncio

import pytest

from verbena.errors import InternalError
from web_scrape.probe import PAGE, read_a_page


def test_the_page_is_read():
    assert asyncio.run(read_a_page()) is None


@pytest.mark.parametrize("page", [PAGE.replace("second", "first"), PAGE.replace("<main>", "<div>Home"), ""])
def test_a_page_that_reads_otherwise_is_noticed(page):
    with pytest.raises(InternalError):
        asyncio.run(read_a_page(page))
