"""What the executors of a simulation do: the tape decides, and each row says what it should have cost."""

import asyncio
import json
from collections import defaultdict

from tests.fakes import CAPTCHA, PAGE, PLACE, Listed, ListedRow, PageRow, ThingRow
from verbena.capability import Answer, Portion
from verbena.envelope import ErrorInfo
from verbena.errors import Blocked, ConnectFailed, EmptyPage

BIG = "x" * 1_450_000
"""Three such rows are more than an answer may hold, and each is more than a row may be."""


class Boom(Exception):
    """An executor broke in a way nobody foresaw."""


class Acting:
    """A stage whose every execution may end differently. `bills` is what the portions of each claimed."""

    def __init__(self, tape, pause, kill, *, is_big):
        self._tape = tape
        self._pause = pause
        self._kill = kill
        self._is_big = is_big
        self.shared = defaultdict(int)
        self._made = 0

    async def work(self, wanted, _call):
        self._made += 1
        made = self._made
        await self._pause()
        answers = [answer for place, item in enumerate(wanted.items) if (answer := await self._item(place, item, made))]
        await self._pause()
        if self._tape.below(16) == 15:
            raise Blocked
        self.shared[made] = max(0, self._tape.below(16) - 13)
        return Portion(answers=answers, units={CAPTCHA: self.shared[made]})

    async def _item(self, place, item, made):
        kind = item.partition("/")[0]
        if kind == "boom":
            raise Boom
        if kind == "kill":
            self._kill()
        if kind in {"kill", "hang"}:
            await asyncio.Event().wait()
        fate = self._tape.below(16)
        if fate >= 13:
            return None
        captchas = self._tape.pick((0, 0, 0, 1, 5))
        told = json.dumps({"made": made, "captchas": captchas, "text": BIG if self._is_big else ""})
        return Answer(_row(place, item, fate, told), place, {CAPTCHA: captchas})

    async def turn(self, wanted, _call):
        self._made += 1
        made = self._made
        await self._pause()
        fate = self._tape.below(16)
        if fate == 15:
            raise Boom
        if fate == 14:
            raise Blocked
        if fate >= 12:
            return Portion(rest=wanted)
        self.shared[made] = self._tape.pick((1, 1, 1, 4))
        rows = tuple(Answer(PageRow(page=wanted.page, text=f"{made} {line}")) for line in range(2))
        rest = wanted.model_copy(update={"page": wanted.page + 1}) if wanted.page < wanted.pages else None
        return Portion(rows, {PAGE: self.shared[made]}, rest=rest)

    async def find(self, wanted, call):
        await self._pause()
        fate = self._tape.below(8)
        if fate == 7:
            raise Boom
        if fate == 6:
            raise Blocked
        if wanted.items:
            await call.run("test.list", Listed(items=wanted.items))
        return Portion((Answer(ThingRow(thing=wanted.thing)),), {PLACE: 1})


def _row(place, item, fate, told):
    if fate < 9:
        return ListedRow(index=place, item=item, status="success", content=told)
    status, error = ("empty", EmptyPage()) if fate < 11 else ("failed", ConnectFailed())
    return ListedRow(index=place, item=item, status=status, content=told, error=ErrorInfo.of(error))
