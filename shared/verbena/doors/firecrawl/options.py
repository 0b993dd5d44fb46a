"""What a Firecrawl request may ask of a page, and what of it web.scrape can do."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from verbena import settings
from verbena.doors.foreign import Option, Terms
from verbena.envelope import Model

FORMATS: Final = {"markdown": None, "html": "html", "rawHtml": "raw_html", "links": "links", "images": "images"}
"""The formats that are served, with what web.scrape calls them beside its content."""

MOST_URLS: Final = 10_000


def format_among(served: Collection[str]) -> BeforeValidator:
    """A format by its name, which is also written as an object with more about it."""

    def name_of(value: object) -> object:
        name = value.get("type") if isinstance(value, dict) else value
        if isinstance(name, str) and name not in served:
            raise ValueError(f"the format {name[:40]!r} is not served here; served: {', '.join(served)}")
        return name

    return BeforeValidator(name_of)


class Page(Model):
    """How pages are read."""

    formats: list[Annotated[str, format_among(FORMATS)]] = Field(default_factory=lambda: ["markdown"], max_length=20)
    only_main_content: bool = Field(default=True, alias="onlyMainContent")
    timeout: int | None = Field(default=None, ge=1_000, le=300_000, description="Milliseconds.")
    max_age: int = Field(default=0, ge=0, alias="maxAge", description="Milliseconds.")
    store_in_cache: bool = Field(default=True, alias="storeInCache")

    def timeout_s(self, most: float) -> float:
        """Seconds one page may take; `most` when nothing is said."""
        return most if self.timeout is None else min(self.timeout / 1000, most)

    def scrape_options(self, most_s: float) -> dict[str, Any]:
        """The same in the words of web.scrape, whose content is Markdown unless only HTML is wanted."""
        only_html = "html" in self.formats and "markdown" not in self.formats
        beside = {FORMATS[name] for name in self.formats} - {None, "html" if only_html else None}
        return {
            "format": "html" if only_html else "markdown",
            "include": sorted(name for name in beside if name),
            "only_main_content": self.only_main_content,
            "timeout_s": self.timeout_s(most_s),
            # A page is kept for those who take it again; who wants none kept gets a new one, young enough for any age.
            "max_age_s": min(self.max_age // 1000, settings.PAGES_KEPT_S) if self.store_in_cache else 0,
        }


class ScrapeRequest(Page):
    """POST /v2/scrape."""

    url: str = Field(max_length=4_096)


class BatchRequest(Page):
    """POST /v2/batch/scrape."""

    urls: list[str] = Field(min_length=1, max_length=MOST_URLS)
    ignore_invalid_urls: bool = Field(default=True, alias="ignoreInvalidURLs")


def shown_by(arguments: Mapping[str, Any]) -> list[str]:
    """The formats in which the rows of a web.scrape with these arguments can be shown."""
    return [arguments["format"], *(name for name, ours in FORMATS.items() if ours in arguments["include"])]


def clamped(page: Page, most_s: float) -> list[str]:
    """The warning of a timeout that is shortened."""
    is_over = page.timeout is not None and page.timeout > most_s * 1000
    return [f"timeout: a page may take {most_s:.0f} seconds at most here"] if is_over else []


NO_DIFFERENCE: Final = frozenset({"origin", "integration", "fastMode", "blockAds", "maxConcurrency"})

SAID: Final = {
    "auditMetadata": Option("it is not recorded"),
    "location": Option("pages are read from where this service runs"),
    "mobile": Option("pages are read as a desktop browser gets them", (False,)),
    "parsers": Option(
        "files are read as web.scrape reads them",
        (["pdf"], [{"type": "pdf"}], ["pdf", "image"], [{"type": "pdf"}, {"type": "image"}]),
    ),
    "proxy": Option("no proxy is used", ("auto", "basic")),
    "removeBase64Images": Option("images written into a page are left out", (True,)),
    "skipTlsVerification": Option("a page without a valid certificate is not read", (False,)),
    "waitFor": Option("scripts of pages are not run, so there is nothing to wait for", (0,)),
}

REFUSED: Final = {
    "actions": Option("pages are read without a browser; remove it", ([],)),
    "alexandria": Option("there is no such data here; send a url"),
    "checkPromptInjection": Option("page text is not judged; remove it", (False,)),
    "domainTools": Option("there are none here; remove it", (False,)),
    "excludeTags": Option("use onlyMainContent; parts of a page cannot be chosen by selector", ([],)),
    "headers": Option("the service's own headers are sent; remove it", ({},)),
    "includeTags": Option("use onlyMainContent; parts of a page cannot be chosen by selector", ([],)),
    "lockdown": Option("a page that is not kept is asked for; use maxAge", (False,)),
    "minAge": Option("a page that is not kept is asked for; use maxAge"),
    "onlyCleanContent": Option("use onlyMainContent", (False,)),
    "profile": Option("pages are read without a browser; remove it"),
    "redactPII": Option("text is not redacted; remove it", (False,)),
    "threatProtection": Option("it is not offered; private addresses are always refused"),
    "toolDetail": Option("there are no tools here; remove it"),
    "useMock": Option("remove it"),
    "zeroDataRetention": Option("rows of jobs are kept for as long as the operator says", (False,)),
}

SCRAPE: Final = Terms(ScrapeRequest, NO_DIFFERENCE, SAID, REFUSED)

BATCH: Final = Terms(
    BatchRequest,
    NO_DIFFERENCE,
    SAID,
    {
        **REFUSED,
        "appendToId": Option("start another batch; a batch does not grow"),
        "webhook": Option("ask GET /v2/batch/scrape/{id} instead; nothing is called back"),
    },
)
