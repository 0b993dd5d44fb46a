"""Part messages in memory, and the loop that works them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from verbena import settings
from verbena.jobs import Part
from verbena.parts import Parts

logger = logging.getLogger(__name__)

AT_ONCE = 4
"""How many parts a process works at once, as the template's worker concurrency does locally."""


@dataclass(frozen=True, slots=True)
class Message:
    """A part on its way: not before `due`, received so often without being worked."""

    due: float
    part: Part
    receives: int = 0


@dataclass(frozen=True, slots=True)
class QueueMemory:
    """Parts waiting for `drain`, which is their worker and the consumer of those that fail too often."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    messages: list[Message] = field(default_factory=list)

    def send(self, verb: str, owner: str, parts: Iterable[tuple[Part, int]]) -> None:  # noqa: ARG002 - one queue serves all verbs and owners
        self.messages.extend(Message(self.now() + delay, part) for part, delay in parts)

    async def drain(self, parts: Parts) -> None:
        """Work messages, and those that their work sends, until none is left: then every job has ended.

        Raises what broke the burial of a part, after as many tries as its work had.
        """
        working: dict[asyncio.Task[Any], Message] = {}
        while self.messages or working:
            working |= {asyncio.ensure_future(_worked(parts, m)): m for m in self._due(AT_ONCE - len(working))}
            if not working:
                await self.sleep(max(0.0, min(message.due for message in self.messages) - self.now()))
                continue
            finished, _ = await asyncio.wait(working, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                self._failed(working.pop(task), task.exception())

    def _due(self, most: int) -> list[Message]:
        due = [message for message in self.messages if message.due <= self.now()][:most]
        for message in due:
            self.messages.remove(message)
        return due

    def _failed(self, message: Message, error: BaseException | None) -> None:
        """What the worker raised is logged, and its message comes again."""
        if error is None:
            return
        if message.receives >= 2 * settings.MAX_RECEIVES:
            raise error
        logger.warning("part %s of job %s failed", message.part.part_id, message.part.job_id, exc_info=error)
        due = self.now() + settings.RETRY_VISIBILITY_S
        self.messages.append(Message(due, message.part, message.receives + 1))


async def _worked(parts: Parts, message: Message) -> None:
    if message.receives < settings.MAX_RECEIVES:
        await parts.work(message.part)
    else:
        await parts.bury(message.part)
