"""A real piece of web.scrape's work without a network: one page, which this process answers itself."""

import time
from collections.abc import Mapping
from typing import Any, NoReturn

from verbena.capability import Call
from verbena.catalog.web import ScrapeInput
from verbena.errors import InternalError
from verbena.lanes import Lanes
from verbena.net import STRAIGHT, Reply, Way
from web_scrape.executor import scrape_with
from web_scrape.tiers import direct

BUDGET_S = 5.0
URL = "https://probe.invalid/"
TEXT = (
    "This page is read to see that pages can be read: that a connection's answer becomes a row of clean text. "
    "It is long enough to be told from the navigation around it, which must not be in the row. "
    "Letters of several scripts, such as ä, ж and 電, show that its charset was understood."
)
PAGE = f"""\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Readiness</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>
<main><h1>Readiness</h1><p>{TEXT}</p>
<p>And a <em>second</em> paragraph, with a <a href="/next">link</a> in it.</p></main>
<footer><p>All rights reserved.</p></footer></body></html>
"""
CONTENT = f"# Readiness\n\n{TEXT}\n\nAnd a *second* paragraph, with a [link]({URL}next) in it."


class InProcess:
    """Stands where the guarded client does, and answers with a page."""

    def __init__(self, page: str) -> None:
        self.lanes = Lanes(overall=1, per_host=1)
        self._body = page.encode()

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str],  # noqa: ARG002 - as the client's
        deadline: float,  # noqa: ARG002 - as the client's
        way: Way = STRAIGHT,  # noqa: ARG002 - as the client's
    ) -> Reply:
        return Reply(url, 200, {"Content-Type": "text/html"}, self._body, len(self._body))


async def read_a_page(page: str = PAGE) -> None:
    """Everything between the answer and the row: tries, verdict, charset, main content, Markdown.

    InternalError if the row is not what the page says.
    """
    call = Call("", "", time.monotonic() + BUDGET_S, _alone)
    portion = await scrape_with(direct(InProcess(page)), ScrapeInput(urls=[URL]), call)
    contents = [getattr(answer.row, "content", None) for answer in portion.answers]
    if contents != [CONTENT]:
        raise InternalError("the page was not read as it should be")


async def _alone(verb: str, _arguments: Any) -> NoReturn:
    raise InternalError(f"reading a page takes no {verb}")
