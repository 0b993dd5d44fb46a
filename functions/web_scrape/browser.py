"""A page as a browser shows it: one Chromium for one visit, without memory of another, behind a gatehouse."""

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from verbena import settings
from verbena.errors import (
    BadResponse,
    BodyTooLarge,
    ConnectFailed,
    ReadError,
    TimedOut,
    TlsFailure,
    TooManyRedirects,
    UnsupportedType,
)
from verbena.gates import Lookup, system_lookup
from verbena.guard import PORTS, Guard
from verbena.lanes import Lanes
from verbena.net import STRAIGHT, Reply, Way, headers_of
from verbena.urls import joined
from web_scrape.gatehouse import Gatehouse

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS: Final = (
    # Nothing is looked up or dialled but through the gatehouse: no name server, no QUIC, no UDP of WebRTC.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Pictures are not read.
    "--blink-settings=imagesEnabled=false",
    "--disable-gpu",
    f"--js-flags=--max-old-space-size={settings.BROWSER_HEAP_MB}",
)
# Chromium's own sandbox needs what neither root in a container nor Lambda has; the container is the sandbox there.
UNSANDBOXED: Final = ("--no-zygote",)
# What the browser says of a document it did not get, where that means something.
SAID: Final[Mapping[str, type[ReadError]]] = {
    "ERR_CERT": TlsFailure,
    "ERR_SSL": TlsFailure,
    "Download is starting": UnsupportedType,
    "ERR_ABORTED": UnsupportedType,
}
OF_BYTES: Final = frozenset({"content-type", "content-encoding", "content-length", "etag", "last-modified"})
# <-loopback>: without it, addresses of this machine are dialled directly.
BYPASS: Final = "<-loopback>"


def executable() -> str | None:
    """Where Chromium is on this machine, if it is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """Stands where the guarded client does; what it answers is the page after its scripts have run."""

    def __init__(self, guard: Guard, *, sandbox: bool, lookup: Lookup = system_lookup) -> None:
        self.lanes = Lanes(settings.BROWSER_PAGES, settings.BROWSER_PAGES)
        self._guard = guard
        self._lookup = lookup
        self._sandbox = sandbox and os.geteuid() != 0

    async def get(self, url: str, *, headers: Mapping[str, str], deadline: float, way: Way = STRAIGHT) -> Reply:
        """As the client's; of the headers only the agent is used, beside the browser's own name."""
        from playwright.async_api import Error  # noqa: PLC0415 - 150 ms that only this tier costs

        async with Gatehouse(self._guard, self._lookup) as gatehouse:
            visit = Visit(gatehouse, url, way, deadline)
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    return await self._visit(visit, headers["User-Agent"])
            except TimeoutError as error:
                raise TimedOut from error
            except Error as error:
                raise visit.failure(str(error)) from error

    async def _visit(self, visit: "Visit", agent: str) -> Reply:
        from playwright.async_api import async_playwright  # noqa: PLC0415

        async with async_playwright() as driver:
            chromium = await driver.chromium.launch(
                executable_path=executable(),
                args=[*ARGUMENTS, *(() if self._sandbox else UNSANDBOXED)],
                chromium_sandbox=self._sandbox,
                proxy={"server": visit.gatehouse.url, "bypass": BYPASS},
            )
            async with chromium:
                session = await chromium.new_browser_cdp_session()
                own = (await session.send("Browser.getVersion"))["userAgent"]
                context = await chromium.new_context(
                    user_agent=f"{own} {agent}", accept_downloads=False, service_workers="block"
                )
                return await visit.of(await context.new_page())


class Visit:
    """One page on its way: the documents its main frame asked for, and the last answer to them."""

    def __init__(self, gatehouse: Gatehouse, url: str, way: Way, deadline: float) -> None:
        self.gatehouse = gatehouse
        self._url = url
        self._way = way
        self._deadline = deadline
        self._hops: list[str] = []
        self._answer: Any = None
        self._refusal: ReadError | None = None

    async def of(self, page: Any) -> Reply:
        """The page once it is quiet, or nearly out of time."""
        page.on("response", self._note)
        page.on("popup", lambda opened: opened.close())
        await self._watch(page)
        await page.goto(self._url, wait_until="domcontentloaded", timeout=0)
        await self._settle(page)
        html = await page.content()
        if self._refusal is not None:
            raise self._refusal
        return self._reply(html.encode("utf-8", "replace"))

    def failure(self, message: str) -> ReadError:
        """What ended a visit that the browser gave up, in our words; it only knows of tunnels and empty answers."""
        if self._refusal is not None:
            return self._refusal
        if self.gatehouse.full:
            return BodyTooLarge()
        if (error := self.gatehouse.failures.get(_where(self._hops[-1] if self._hops else self._url))) is not None:
            return error
        return next((kind() for sign, kind in SAID.items() if sign in message), ConnectFailed())

    def _reply(self, body: bytes) -> Reply:
        if self.gatehouse.full or len(body) > settings.DECODED_CAP_BYTES:
            raise BodyTooLarge
        if self._answer is None:
            raise BadResponse
        *redirects, url = self._hops
        # What it says of its bytes, and of whether they changed, was said before the scripts ran.
        headers = {name: value for name, value in self._answer.headers.items() if name not in OF_BYTES}
        headers["Content-Type"] = "text/html; charset=utf-8"
        return Reply(url, self._answer.status, headers_of(headers), body, len(body), tuple(redirects))

    async def _settle(self, page: Any) -> None:
        from playwright.async_api import Error  # noqa: PLC0415

        left = self._deadline - time.monotonic() - settings.BROWSER_HANDOVER_S
        patience = max(0.1, min(settings.BROWSER_SETTLE_S, left))
        with contextlib.suppress(Error):  # a page that is never quiet, or went on meanwhile, is taken as it is
            await page.wait_for_load_state("networkidle", timeout=patience * 1000)

    def _note(self, response: Any) -> None:
        request = response.request
        if request.is_navigation_request() and request.frame.parent_frame is None:
            self._answer = response

    async def _watch(self, page: Any) -> None:
        """Every document that the main frame asks for stops at our door first."""
        from playwright.async_api import Error  # noqa: PLC0415

        session = await page.context.new_cdp_session(page)
        main = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]

        async def stopped(event: dict[str, Any]) -> None:
            known = {"requestId": event["requestId"]}
            with contextlib.suppress(Error):  # the page may be gone when the answer is there
                if event["frameId"] != main or await self._may_enter(event["request"]["url"]):
                    await session.send("Fetch.continueRequest", known)
                else:
                    await session.send("Fetch.failRequest", known | {"errorReason": "BlockedByClient"})

        session.on("Fetch.requestPaused", stopped)
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*", "resourceType": "Document"}]})

    async def _may_enter(self, address: str) -> bool:
        try:
            url = joined(address, address)
            if len(self._hops) > settings.REDIRECT_LIMIT:
                raise TooManyRedirects(redirects=len(self._hops))
            await self._way.enter(url)
        except ReadError as error:
            self._refusal = error
            return False
        self._hops.append(url)
        return True


def _where(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return (parts.hostname or "").strip("[]"), parts.port or PORTS[parts.scheme]
