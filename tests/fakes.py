"""Verbs that touch nothing outside: what becomes of each item is said by the item, or by the stage of the test."""

import asyncio
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, Protocol

from pydantic import Field

from verbena.billing import UNITS, Units, price_book
from verbena.capability import Answer, Call, Capability, Mode, Portion, by_name
from verbena.envelope import Attempt, ErrorInfo, ItemRow, Meta, Model
from verbena.errors import AllProvidersFailed, Blocked, ConnectFailed, EmptyPage, InvalidUrl

CRAWL, CAPTCHA, PLACE, PAGE = "web_crawl", "web_crawl_captcha", "maps_place", "maps_reviews_page"
PRICES = price_book({}, UNITS)
CAPTCHAS_MOST = 2
REFUSED = Attempt(provider="first", driver="fake", ok=False, kind="transient", ms=1)
SERVED = Attempt(provider="second", driver="fake", ok=True, ms=2, hits=1)


class Listed(Model):
    """Items such as 'ok/1': a kind, and what makes it another item than the rest of its kind."""

    items: list[str] = Field(min_length=1, max_length=10_000)
    look: Literal["plain", "loud"] = "plain"
    size: int = Field(default=0, ge=0)


class ListedRow(ItemRow):
    """`made` tells two executions apart."""

    item: str
    content: str | None = None
    made: str | None = None


class Paged(Model):
    """Pages `page` to `pages` of a source, of which at most `most` are paid for."""

    pages: int = Field(ge=0)
    page: int = 1
    most: int = Field(default=5, ge=1)


class PageRow(Model):
    page: int
    text: str | None = None


class Wanted(Model):
    """One thing, by a kind and a name; with `items`, what another verb is asked for it."""

    thing: str
    items: list[str] = Field(default_factory=list)
    provider: str | None = None


class ThingRow(Model):
    thing: str


class Stage(Protocol):
    """What the executors do."""

    async def work(self, wanted: Listed, call: Call) -> Portion: ...
    async def turn(self, wanted: Paged, call: Call) -> Portion: ...
    async def find(self, wanted: Wanted, call: Call) -> Portion: ...


@dataclass
class Spoken:
    """Does what kinds say, and remembers what it was asked for."""

    ran: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)

    async def work(self, wanted: Listed, call: Call) -> Portion:
        self.calls.append(call)
        self.ran += wanted.items
        made = str(len(self.ran))
        answers = [await self._answer(place, item, wanted, made) for place, item in enumerate(wanted.items)]
        return Portion(answers=tuple(answer for answer in answers if answer is not None), unknown_costs=1)

    async def _answer(self, place: int, item: str, wanted: Listed, made: str) -> Answer | None:
        kind, _, name = item.partition("/")
        if kind == "boom":
            message = f"{item} takes the worker down"
            raise RuntimeError(message)
        if kind == "hang":
            await asyncio.Event().wait()
        if kind == "blocked":
            raise Blocked
        # 'late/2/x' has no answer the first two times it is asked for.
        if kind == "late" and self.ran.count(item) <= int(name.partition("/")[0]):
            return None
        extra = {CAPTCHA: int(name)} if kind == "captcha" else {}
        return Answer(_row(place, item, made, wanted.size), place, extra, from_cache=kind == "kept")

    async def turn(self, wanted: Paged, call: Call) -> Portion:
        self.calls.append(call)
        self.ran.append(str(wanted.page))
        rest = wanted.model_copy(update={"page": wanted.page + 1}) if wanted.page < wanted.pages else None
        tried = Attempt(provider="source", driver="fake", ok=True, ms=1)
        rows = (Answer(PageRow(page=wanted.page)), Answer(PageRow(page=wanted.page)))
        return Portion(rows, {PAGE: 1}, vendor_cost_micros=7, attempts=(tried,), meta=Meta(warnings=["w"]), rest=rest)

    async def find(self, wanted: Wanted, call: Call) -> Portion:
        self.calls.append(call)
        self.ran.append(wanted.thing)
        if wanted.thing.startswith("blocked"):
            raise Blocked
        if wanted.thing.startswith("refused"):
            error = AllProvidersFailed()
            error.attempts = (REFUSED,)
            raise error
        if wanted.thing.startswith("brief"):
            row = Answer(ThingRow(thing=wanted.thing))
            return Portion((row,), {PLACE: 1}, unknown_costs=1, attempts=(REFUSED, SERVED), keep_s=900)
        if wanted.thing.startswith("boom"):
            raise RuntimeError(wanted.thing)
        if wanted.items:
            await call.run("test.list", Listed(items=wanted.items))
        return Portion((Answer(ThingRow(thing=wanted.thing)),), {PLACE: 1}, vendor_cost_micros=3)


STAGE: ContextVar[Stage] = ContextVar("STAGE")


async def work(wanted: Listed, call: Call) -> Portion:
    return await STAGE.get().work(wanted, call)


async def turn(wanted: Paged, call: Call) -> Portion:
    return await STAGE.get().turn(wanted, call)


async def find(wanted: Wanted, call: Call) -> Portion:
    return await STAGE.get().find(wanted, call)


def _row(place: int, item: str, made: str, size: int) -> ListedRow:
    errors = {"empty": EmptyPage(), "failed": ConnectFailed()}
    kind = item.partition("/")[0]
    if kind not in errors:
        return ListedRow(index=place, item=item, status="success", content="x" * size or item, made=made)
    status = "empty" if kind == "empty" else "failed"
    return ListedRow(index=place, item=item, status=status, made=made, error=ErrorInfo.of(errors[kind]))


def _identity(item: str) -> str:
    """As for URLs: a fragment makes no difference, a script is no item."""
    if item.startswith("javascript:"):
        raise InvalidUrl
    return item.partition("#")[0]


def _most(wanted: Listed | Wanted) -> Units:
    """For a list what one item may cost, for a thing all that is asked for it."""
    if isinstance(wanted, Listed):
        return {CRAWL: 1, CAPTCHA: CAPTCHAS_MOST}
    count = len(wanted.items)
    return {PLACE: 1, CRAWL: count, CAPTCHA: CAPTCHAS_MOST * count} if count else {PLACE: 1}


LIST = Capability(
    name="test.list",
    summary="Do with each item what it says.",
    input=Listed,
    row=ListedRow,
    mode=Mode(inline_limit=3, items="items", item="item"),
    executor="tests.fakes:work",
    unit=CRAWL,
    id="test_list",
    bound=_most,
    identify=_identity,
    echo=lambda item: item.replace("secret", "***"),
)

PAGES = Capability(
    name="test.pages",
    summary="Turn pages.",
    input=Paged,
    row=PageRow,
    mode=Mode(),
    executor="tests.fakes:turn",
    unit=PAGE,
    id="test_pages",
    bound=lambda wanted: {PAGE: wanted.most},
)

THING = Capability(
    name="test.thing",
    summary="Find one thing.",
    input=Wanted,
    row=ThingRow,
    mode=Mode(),
    executor="tests.fakes:find",
    unit=PLACE,
    id="test_thing",
    bound=_most,
)

FAKES: Sequence[Capability] = (LIST, PAGES, THING)
VERBS = by_name(FAKES)
