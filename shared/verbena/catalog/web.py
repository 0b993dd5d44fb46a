"""The contracts of web.scrape and web.discover."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, StrictStr, model_validator
from pydantic_core import from_json

from verbena import settings
from verbena.billing import Units
from verbena.capability import Capability, Mode
from verbena.catalog.fields import Day, Language, Pin, Region, Site
from verbena.envelope import ItemRow, Meta, Model
from verbena.urls import masked, normalise


def _unpacked(value: object) -> object:
    """Models often send a list as its JSON text; it is the same list."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return from_json(value)  # which refuses what is nested too deep, as it does for the body
        except ValueError:
            return value
    return value


class ScrapeInput(Model):
    """Which pages to read, and what to return of each."""

    urls: Annotated[
        list[StrictStr],
        BeforeValidator(_unpacked),
        Field(
            min_length=1,
            max_length=10_000,
            description="The pages to read: 1 to 10,000 http(s) URLs.",
            examples=[["https://example.com"]],
        ),
    ]
    format: Literal["markdown", "text", "html"] = Field(default="markdown", description="The form of `content`.")
    only_main_content: bool = Field(default=True, description="Leave out navigation, sidebars, footers, banners.")
    include: list[Literal["links", "images", "html", "raw_html"]] = Field(
        default_factory=list, max_length=4, description="What each row carries beside its content."
    )
    max_chars: int | None = Field(default=None, ge=1, description="Cut the content of each row to this length.")
    max_age_s: int = Field(
        default=0,
        ge=0,
        le=settings.PAGES_KEPT_S,
        description="Accept a page your organization read within so many seconds, at most 604,800 (7 days): it costs "
        "nothing. An older one is billed, even if the site says that it did not change. With 0, pages are always read "
        "anew and none is kept.",
    )
    respect_robots: bool = Field(
        default=True, description="Leave pages alone that the site's robots.txt forbids; their rows are free."
    )
    timeout_s: float = Field(
        default=settings.READ_TIMEOUT_S,
        ge=1,
        le=settings.READ_TIMEOUT_MAX_S,
        description="Seconds one page may take in all: redirects, retries and download.",
    )


class Link(Model):
    """A link of the page, absolute."""

    url: str
    text: str


class Image(Model):
    """An image of the page, absolute."""

    url: str
    alt: str


PageKind = Literal[
    "article", "documentation", "event", "forum", "job", "listing", "product", "profile", "recipe", "video"
]


class PageMetadata(Model):
    """What the page and its transfer say about it; null is unknown."""

    title: str | None
    description: str | None
    language: str | None = Field(description="BCP 47 tag, as the page declares it.")
    author: str | None
    published_at: str | None = Field(description="ISO 8601, with the zone the page gives.")
    modified_at: str | None = Field(description="ISO 8601, with the zone the page gives.")
    site_name: str | None
    canonical_url: str | None
    image: str | None = Field(description="The picture the page names for itself.")
    kind: PageKind | None = Field(description="What the page declares itself to be, in JSON-LD or OpenGraph.")
    pages: int | None = Field(description="How many pages a PDF has.")
    noindex: bool = Field(description="Whether the page asks search engines not to list it; said, not obeyed.")
    final_url: str = Field(description="Where the redirects ended.")
    http_status: int
    content_type: str | None = Field(description="As the server sent it.")
    charset: str | None
    charset_source: Literal["bom", "header", "meta", "detected", "default"] | None
    bytes: int = Field(description="Size of the body as it came over the wire.")
    redirects: list[str] = Field(description="The URLs that redirected, in order.")
    fetched_at: str = Field(description="When the site answered, or said that its page did not change; ISO 8601, UTC.")
    cache_age_s: int | None = Field(
        description="How many seconds ago that was; null for a page asked for in this call."
    )


class ScrapedPage(ItemRow):
    """One page. Absent fields were not asked for."""

    url: str = Field(description="The URL as it was given.")
    content: str | None = Field(default=None, description="The page in the asked format; absent unless success.")
    metadata: PageMetadata | None = Field(default=None, description="Absent when no page was received.")
    links: list[Link] | None = None
    images: list[Image] | None = None
    html: str | None = Field(default=None, description="What `content` shows, as clean HTML.")
    raw_html: str | None = None


class DiscoverInput(Model):
    """What to search for, and which filters every hit must have passed."""

    query: str = Field(max_length=2_000, description="What to search for.", examples=["harbour timetable"])
    top_k: int = Field(default=10, description="How many hits; clamped to 1-50 and to the provider's own cap.")
    answer: bool = Field(default=False, description="Also ask for a written answer with its sources.")
    include_domains: list[Site] = Field(default_factory=list, max_length=50, description="Only hits of these sites.")
    exclude_domains: list[Site] = Field(default_factory=list, max_length=50, description="No hits of these sites.")
    freshness: Literal["day", "week", "month", "year"] | None = Field(default=None, description="Newest hits only.")
    published_after: Day | None = Field(default=None, description="Earliest day of publication, YYYY-MM-DD.")
    published_before: Day | None = Field(default=None, description="Latest day of publication, YYYY-MM-DD.")
    region: Region
    language: Language
    safe_search: Literal["off", "moderate", "strict"] | None = Field(default=None, description="Adult content filter.")
    include: list[Literal["content"]] = Field(
        default_factory=list, max_length=1, description="'content' also reads each hit, billed as web.scrape."
    )
    provider: Pin

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.published_after and self.published_before and self.published_after > self.published_before:
            raise ValueError("published_after is later than published_before: swap them")
        return self


class Hit(Model):
    """One search result, in the provider's order."""

    url: str
    title: str
    snippet: str
    provider: str = Field(description="Which provider found it.")
    published_at: str | None = Field(default=None, description="ISO 8601; null when the provider does not say.")
    score: float | None = Field(default=None, description="The provider's own; not comparable between providers.")
    content: str | None = Field(default=None, description="With include 'content': the page as markdown.")
    content_error: str | None = Field(default=None, description="Why there is no content: the error code of its page.")
    extras: dict[str, Any] | None = Field(default=None, description="What only this provider says.")


class AnswerSource(Model):
    """Where a written answer comes from."""

    url: str
    title: str | None


class WrittenAnswer(Model):
    """The provider's answer to the query, in prose."""

    text: str
    sources: list[AnswerSource]


class DiscoverMeta(Meta):
    """What a search says beside its hits."""

    answer: WrittenAnswer | None = None


MOST_HITS = 50


def _discover_bound(arguments: DiscoverInput) -> Units:
    pages = min(max(arguments.top_k, 1), MOST_HITS) if "content" in arguments.include else 0
    return {"web_search": 1} | ({"web_crawl": pages} if pages else {})


WEB_SCRAPE = Capability(
    name="web.scrape",
    summary="Read web pages and return clean markdown, one row per URL.",
    input=ScrapeInput,
    row=ScrapedPage,
    mode=Mode(inline_limit=5, items="urls", item="url"),
    executor="web_scrape.executor:scrape",
    unit="web_crawl",
    id="web_scrape",
    identify=normalise,
    echo=masked,
)

WEB_DISCOVER = Capability(
    name="web.discover",
    summary="Search the web and return hits with titles and snippets.",
    input=DiscoverInput,
    row=Hit,
    mode=Mode(),
    executor="web_discover.executor:discover",
    drivers="web_discover.drivers:DRIVERS",
    features="web_discover.executor:features",
    unit="web_search",
    id="web_discover",
    meta=DiscoverMeta,
    bound=_discover_bound,
)
