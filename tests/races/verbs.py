"""Verbs whose items say what becomes of them, so that the call path can be raced without any network."""

import asyncio
import itertools
import threading
import uuid
from collections import defaultdict
from dataclasses import replace

from pydantic import Field

from verbena.capability import Answer, Call, Capability, Mode, Portion, by_name
from verbena.envelope import ErrorInfo, ItemRow, Model
from verbena.errors import ConnectFailed, EmptyPage

CRAWL, CAPTCHA, PAGE = "web_crawl", "web_crawl_captcha", "maps_reviews_page"
# Between the inline budget and a part's: an item that takes this long is left over in the request.
LATE_S = 30.0

TURNS = itertools.count()
STARTED: defaultdict[str, threading.Event] = defaultdict(threading.Event)
GATES: defaultdict[str, threading.Event] = defaultdict(threading.Event)


class Listed(Model):
    """Items such as 'ok/1': a kind, and what makes it another item than the rest of its kind.

    captcha, greedy: a success that cost more · coin: success and failure in turns · late: left over in a request ·
    alone: left over beside others · boom: raises · wait: the first to run it waits for its gate.
    """

    items: list[str] = Field(min_length=1, max_length=10_000)


class Row(ItemRow):
    """Who made it is said by `attempt`: two executions never make equal rows."""

    item: str
    attempt: str | None = None


async def work(wanted: Listed, call: Call) -> Portion:
    """One row for each item, of the kind it names."""
    attempt = uuid.uuid4().hex
    kinds = [item.partition("/")[0] for item in wanted.items]
    answers = []
    for index, (item, kind) in enumerate(zip(wanted.items, kinds, strict=True)):
        await _suffer(item, kind)
        if not _is_left_over(kind, call, len(kinds)):
            answers.append(_answer(index, item, kind, attempt))
    return Portion(answers=tuple(answers))


async def _suffer(item: str, kind: str) -> None:
    if kind == "boom":
        message = f"{item} takes the worker down"
        raise RuntimeError(message)
    if kind == "wait" and not STARTED[item].is_set():
        STARTED[item].set()
        await asyncio.to_thread(GATES[item].wait, 20)


def _is_left_over(kind: str, call: Call, items: int) -> bool:
    return (kind == "late" and call.remaining() < LATE_S) or (kind == "alone" and items > 1)


def _answer(index: int, item: str, kind: str, attempt: str) -> Answer:
    units = {"captcha": {CAPTCHA: 1}, "greedy": {CAPTCHA: 9}}.get(kind, {})
    error = _error(kind)
    status = "success" if error is None else "empty" if kind == "empty" else "failed"
    row = Row(index=index, item=item, attempt=attempt, status=status)
    return Answer(row.model_copy(update={"error": error}) if error else row, index, units)


def _error(kind: str) -> ErrorInfo | None:
    if kind == "empty":
        return ErrorInfo.of(EmptyPage())
    unlucky = kind == "failed" or (kind == "coin" and next(TURNS) % 2 == 1)
    return ErrorInfo.of(ConnectFailed()) if unlucky else None


class Paged(Model):
    """Pages from one to another."""

    last: int = Field(ge=1)
    page: int = 1


class PageRow(Model):
    page: int


async def turn(wanted: Paged, _call: Call) -> Portion:
    """One page a time, and the input that continues; there is no page 0."""
    if wanted.page == 0:
        raise RuntimeError("page 0 takes the worker down")
    rest = wanted.model_copy(update={"page": wanted.page + 1}) if wanted.page < wanted.last else None
    return Portion(answers=(Answer(PageRow(page=wanted.page)),), units={PAGE: 1}, rest=rest)


LISTED = Capability(
    name="test.listed",
    summary="Do with each item what it says.",
    input=Listed,
    row=Row,
    mode=Mode(inline_limit=5, items="items", item="item"),
    executor="tests.races.verbs:work",
    unit=CRAWL,
    id="test_listed",
)

SOLVED = replace(
    LISTED,
    name="test.solved",
    id="test_solved",
    summary="The same, captchas paid.",
    bound=lambda _: {CRAWL: 1, CAPTCHA: 1},
)

PAGED = Capability(
    name="test.paged",
    summary="Turn pages.",
    input=Paged,
    row=PageRow,
    mode=Mode(),
    executor="tests.races.verbs:turn",
    unit=PAGE,
    id="test_paged",
    bound=lambda wanted: {PAGE: wanted.last},
)

VERBS = by_name((LISTED, SOLVED, PAGED))
