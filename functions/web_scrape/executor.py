"""The executor of web.scrape: all pages at once, one row for each that came in time."""

import asyncio
import contextlib
from datetime import UTC, datetime
from functools import partial

from verbena import net, settings
from verbena.capability import Answer, Call, Portion
from verbena.catalog.web import PageMetadata, ScrapedPage, ScrapeInput
from verbena.envelope import ErrorInfo
from verbena.errors import EmptyPage, ReadError
from verbena.guard import configured
from verbena.urls import masked, normalise
from web_scrape.fetch import Pace, fetch
from web_scrape.page import Page, read_page


async def scrape(input: ScrapeInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """Read the pages; a URL without a row when the call must end is left unanswered."""
    current = settings.current()
    client = net.client(configured(current.allow_networks, current.refuse_endpoints))
    return await scrape_with(client, input, call)


async def scrape_with(client: net.Client, wanted: ScrapeInput, call: Call, pace: Pace | None = None) -> Portion:
    """The same over a given client."""
    rows: dict[int, ScrapedPage] = {}

    async def answer(position: int, url: str) -> None:
        rows[position] = await _row(client, position, url, wanted, pace)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(call.remaining()), asyncio.TaskGroup() as group:
            for position, url in enumerate(wanted.urls):
                group.create_task(answer(position, url))
    return Portion(answers=tuple(Answer(row=rows[position], position=position) for position in sorted(rows)))


async def _row(
    client: net.Client, position: int, url: str, wanted: ScrapeInput, pace: Pace | None
) -> ScrapedPage:
    reply: net.Reply | None = None
    try:
        reply = await fetch(client, normalise(url), timeout_s=wanted.timeout_s, pace=pace)
        page = await _read(reply, wanted)
    except ReadError as error:
        return ScrapedPage(
            url=masked(url),
            index=position,
            status="empty" if isinstance(error, EmptyPage) else "failed",
            error=ErrorInfo.of(error),
            metadata=_metadata(reply, None) if reply else None,
        )
    return ScrapedPage(
        url=masked(url),
        index=position,
        status="success",
        content=page.content,
        truncated=page.truncated or None,
        metadata=_metadata(reply, page),
        links=page.links,
        images=page.images,
        raw_html=page.raw_html,
    )


async def _read(reply: net.Reply, wanted: ScrapeInput) -> Page:
    """The text of a page, made in a thread: it can take longer than the event loop may stand still."""
    work = partial(
        read_page,
        reply.body,
        url=reply.url,
        content_type=reply.headers.get("Content-Type"),
        http_status=reply.status,
        format=wanted.format,
        only_main_content=wanted.only_main_content,
        include=frozenset(wanted.include),
        max_chars=wanted.max_chars,
    )
    return await asyncio.to_thread(work)


def _metadata(reply: net.Reply, page: Page | None) -> PageMetadata:
    return PageMetadata(
        title=page and page.title,
        description=page and page.description,
        language=page and page.language,
        author=page and page.author,
        published_at=page and page.published_at,
        site_name=page and page.site_name,
        canonical_url=page and page.canonical_url,
        final_url=reply.url,
        http_status=reply.status,
        content_type=reply.headers.get("Content-Type"),
        charset=page and page.charset,
        charset_source=page and page.charset_source,
        bytes=reply.wire_bytes,
        redirects=list(reply.redirects),
        fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
