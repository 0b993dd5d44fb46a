"""One page: through one tier after another, until it is read or none is left that could help."""

import logging
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from verbena import net
from verbena.catalog.web import ScrapeInput
from verbena.errors import Blocked, ReadError, UpstreamServerError
from verbena.net import Reply, Way
from verbena.urls import host, normalise
from web_scrape import robots
from web_scrape.cache import NOTHING, Cache, Seen
from web_scrape.fetch import Pace, Patience, fetch, verdict
from web_scrape.page import Page
from web_scrape.reading import onward, read
from web_scrape.tiers import Tier

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """A page that was read."""

    seen: Seen
    page: Page


@dataclass(frozen=True)
class Refused:
    """Why a page was not read; `seen` is what was received before that was clear, if anything was."""

    error: ReadError
    seen: Seen | None = None


@dataclass(frozen=True)
class Visit:
    """How the pages of one call are read."""

    tiers: Sequence[Tier]
    wanted: ScrapeInput
    pace: Pace
    kept: Cache

    async def of(self, url: str) -> Found | Refused:
        """The first page that could be read, or what is the truest to say of it."""
        try:
            address = normalise(url)
        except ReadError as error:
            return Refused(error)
        patience = Patience(self.wanted.timeout_s)
        first, *others = self.tiers
        outcome = await self._read(self.kept.visit(address, partial(self._ask, first, patience)))
        for tier in others:
            if isinstance(outcome, Refused) and tier.helps(outcome.error):
                outcome = await self._again(tier, patience, address, outcome)
        return outcome

    async def _again(self, tier: Tier, patience: Patience, url: str, known: Refused) -> Found | Refused:
        found = await self._read(self._fresh(tier, patience, url))
        then = found.error.code if isinstance(found, Refused) else "success"
        logger.info(
            "another tier", extra={"tier": tier.name, "host": host(url), "after": known.error.code, "then": then}
        )
        # A way that broke down says nothing about the page.
        return known if found.seen is None else found

    async def _ask(self, tier: Tier, patience: Patience, url: str, more: Mapping[str, str]) -> Reply:
        return await fetch(tier.getter, url, more, patience=patience, way=self._way, pace=self.pace)

    async def _fresh(self, tier: Tier, patience: Patience, url: str) -> Seen:
        return Seen(url, await self._ask(tier, patience, url, NOTHING), self.pace.wall())

    async def _read(self, seeing: Awaitable[Seen]) -> Found | Refused:
        seen: Seen | None = None
        try:
            seen = await seeing
            if (refusal := verdict(seen.reply)) is not None:
                raise await self._sharpened(refusal, seen.reply)
            return Found(seen, await read(seen.reply, self.wanted))
        except ReadError as error:
            return Refused(error, seen)

    @property
    def _way(self) -> Way:
        """robots.txt is asked for the way the first tier goes."""
        respectful = self.wanted.respect_robots
        enter = robots.gate(self.tiers[0].getter, self.pace) if respectful else net.anywhere
        return Way(enter=enter, onward=onward)

    async def _sharpened(self, refusal: ReadError, reply: Reply) -> ReadError:
        """A server's failure may be a bot wall in disguise, which its text tells."""
        if not isinstance(refusal, UpstreamServerError) or not reply.body:
            return refusal
        try:
            await read(reply, self.wanted)
        except Blocked as wall:
            return wall
        except ReadError:
            return refusal
        return refusal
