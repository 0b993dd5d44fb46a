"""Search through the operator's providers."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from verbena import apis, settings
from verbena.capability import Answer, Call, Portion
from verbena.catalog.web import MOST_HITS, WEB_DISCOVER, DiscoverInput, DiscoverMeta, Hit, ScrapedPage, ScrapeInput
from verbena.engine import Engine, Served
from verbena.errors import MissingQuery
from verbena.providers import Driver
from verbena.selection import Ask
from web_discover.hits import rows

FEATURES = ("include_domains", "exclude_domains", "freshness", "region", "language", "safe_search", "answer")


async def discover(input: DiscoverInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """Hits of the first provider that can serve the query; a ProviderError says why none could."""
    if not input.query.strip():
        raise MissingQuery
    engine = Engine(call.services.book, apis.send, settings.current().base_urls)
    return await discover_with(engine, WEB_DISCOVER.load_drivers(), input, call)


async def discover_with(engine: Engine, drivers: Sequence[Driver], wanted: DiscoverInput, call: Call) -> Portion:
    """The same over a given engine and its drivers."""
    served = await engine.serve(
        Ask(
            verb=WEB_DISCOVER.name,
            drivers=drivers,
            input=wanted,
            limit=min(max(wanted.top_k, 1), MOST_HITS),
            deadline=min(call.deadline, time.monotonic() + settings.DISCOVER_DEADLINE_S),
            attempt_s=settings.ATTEMPT_S,
            wanted=features(wanted),
            pin=wanted.provider,
        )
    )
    hits = rows(served.found.items, served.row.name, datetime.now(UTC).date())[: served.limit]
    if "content" in wanted.include and hits:
        hits = await _with_content(hits, call)
    warnings = _warnings(served, wanted)
    costs = [cost for cost in served.costs if cost is not None]
    return Portion(
        answers=tuple(Answer(row=hit) for hit in hits),
        units={WEB_DISCOVER.unit: 1},
        vendor_cost_micros=sum(costs) if costs else None,
        unknown_costs=len(served.costs) - len(costs),
        attempts=served.attempts,
        meta=DiscoverMeta(answer=served.found.beside if wanted.answer else None, warnings=warnings or None),
        keep_s=None if served.row.allow_caching else settings.BRIEF_S,
    )


def features(wanted: DiscoverInput) -> frozenset[str]:
    """What whoever serves must honour: a filter that a vendor drops in silence would be a lie."""
    asked = {name for name in FEATURES if getattr(wanted, name)}
    return frozenset(asked | ({"date_range"} if wanted.published_after or wanted.published_before else set()))


def _warnings(served: Served, wanted: DiscoverInput) -> list[str]:
    keyless = not served.driver.needs and {attempt.driver for attempt in served.attempts} == {served.driver.name}
    unsaid = wanted.answer and served.found.beside is None and not served.warnings
    said = {
        f"truncated: a search returns at most {MOST_HITS} results": wanted.top_k > served.limit == MOST_HITS,
        f"answer_missing: {served.row.name} wrote none": unsaid,
        "no_keyed_provider: give a provider its key for real searches": keyless,
    }
    return [*served.warnings, *(warning for warning, is_said in said.items() if is_said)]


async def _with_content(hits: list[Hit], call: Call) -> list[Hit]:
    """Each hit with its page, or with why there is none; reading is billed as web.scrape."""
    portion = await call.run("web.scrape", ScrapeInput(urls=[hit.url for hit in hits]))
    pages = {answer.position: answer.row for answer in portion.answers}
    return [_with_page(hit, pages.get(position)) for position, hit in enumerate(hits)]


def _with_page(hit: Hit, page: object) -> Hit:
    if not isinstance(page, ScrapedPage):
        return hit.model_copy(update={"content": None, "content_error": "not_attempted"})
    if page.error is not None:
        return hit.model_copy(update={"content": None, "content_error": page.error.code})
    return hit.model_copy(update={"content": page.content})
