"""Written by `make generate` from the catalog: what a client's namespaces hold."""

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Literal, overload

from verbena.capability import Capability
from verbena.catalog.maps import Box, Circle
from verbena.catalog.places import MapsMeta, Place, Review
from verbena.catalog.web import DiscoverMeta, Hit, ScrapedPage
from verbena.envelope import Meta
from verbena.client.async_results import AsyncJob, AsyncResult
from verbena.client.results import Job, Result
from verbena.client.verbs import Start

class Web:
    """The verbs of `web`."""

    @overload
    def scrape(
        self,
        urls: Sequence[str],
        *,
        format: Literal["markdown", "text", "html"] = "markdown",
        only_main_content: bool = True,
        include: Sequence[Literal["links", "images", "html", "raw_html"]] = ...,
        max_chars: int | None = None,
        max_age_s: int = 0,
        respect_robots: bool = True,
        timeout_s: float = 15.0,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> Result[ScrapedPage, Meta]:
        """Read web pages and return clean markdown, one row per URL.

        Args:
            urls: The pages to read: 1 to 10,000 http(s) URLs.
            format: The form of `content`.
            only_main_content: Leave out navigation, sidebars, footers, banners.
            include: What each row carries beside its content.
            max_chars: Cut the content of each row to this length.
            max_age_s: Accept a page your organization read within so many seconds, at most 604,800 (7 days): it
                costs nothing. An older one is billed, even if the site says that it did not change. With 0,
                pages are always read anew and none is kept.
            respect_robots: Leave pages alone that the site's robots.txt forbids; their rows are free.
            timeout_s: Seconds one page may take in all: redirects, retries and download.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def scrape(
        self,
        urls: Sequence[str],
        *,
        format: Literal["markdown", "text", "html"] = "markdown",
        only_main_content: bool = True,
        include: Sequence[Literal["links", "images", "html", "raw_html"]] = ...,
        max_chars: int | None = None,
        max_age_s: int = 0,
        respect_robots: bool = True,
        timeout_s: float = 15.0,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Job[ScrapedPage, Meta]: ...

    @overload
    def discover(
        self,
        query: str,
        *,
        top_k: int = 10,
        answer: bool = False,
        include_domains: Sequence[str] = ...,
        exclude_domains: Sequence[str] = ...,
        freshness: Literal["day", "week", "month", "year"] | None = None,
        published_after: str | None = None,
        published_before: str | None = None,
        region: str | None = None,
        language: str | None = None,
        safe_search: Literal["off", "moderate", "strict"] | None = None,
        include: Sequence[Literal["content"]] = ...,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> Result[Hit, DiscoverMeta]:
        """Search the web and return hits with titles and snippets.

        Args:
            query: What to search for.
            top_k: How many hits; clamped to 1-50 and to the provider's own cap.
            answer: Also ask for a written answer with its sources.
            include_domains: Only hits of these sites.
            exclude_domains: No hits of these sites.
            freshness: Newest hits only.
            published_after: Earliest day of publication, YYYY-MM-DD.
            published_before: Latest day of publication, YYYY-MM-DD.
            region: ISO 3166 country, such as 'fi'.
            language: BCP 47 tag, such as 'en'.
            safe_search: Adult content filter.
            include: 'content' also reads each hit, billed as web.scrape.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def discover(
        self,
        query: str,
        *,
        top_k: int = 10,
        answer: bool = False,
        include_domains: Sequence[str] = ...,
        exclude_domains: Sequence[str] = ...,
        freshness: Literal["day", "week", "month", "year"] | None = None,
        published_after: str | None = None,
        published_before: str | None = None,
        region: str | None = None,
        language: str | None = None,
        safe_search: Literal["off", "moderate", "strict"] | None = None,
        include: Sequence[Literal["content"]] = ...,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Job[Hit, DiscoverMeta]: ...

class Maps:
    """The verbs of `maps`."""

    @overload
    def search(
        self,
        query: str,
        *,
        location: str | Circle | Mapping[str, Any] | Box,
        strict_area: bool = False,
        max_places: int = 20,
        open_now: bool = False,
        min_rating: float | None = None,
        price_levels: Sequence[int] = ...,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> Result[Place, MapsMeta]:
        """Find places of any kind in an area and return them as typed rows.

        Args:
            query: What to look for: a kind of place, or a name.
            location: A name, {lat, lng, radius_m} or {south, west, north, east}.
            strict_area: Drop places outside the location instead of biasing to it.
            max_places: How many places in all, over all pages.
            open_now: Only places open at this moment.
            min_rating: Least rating, on a scale of 5.
            price_levels: 0 free to 4.
            detail: How much to ask of a place. Sources that charge by field charge less for basic (name,
                address, position, status), more for full (also photos and attributes).
            language: BCP 47 tag, such as 'en'.
            region: ISO 3166 country, such as 'fi'.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def search(
        self,
        query: str,
        *,
        location: str | Circle | Mapping[str, Any] | Box,
        strict_area: bool = False,
        max_places: int = 20,
        open_now: bool = False,
        min_rating: float | None = None,
        price_levels: Sequence[int] = ...,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Job[Place, MapsMeta]: ...

    @overload
    def place(
        self,
        place_id: str | None = None,
        *,
        url: str | None = None,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> Result[Place, MapsMeta]:
        """Read one place by its id or map URL.

        Args:
            place_id: As source:id; a Google place id, feature id or cid is known without its source.
            url: Its URL at Google Maps or OpenStreetMap.
            detail: How much to ask of a place. Sources that charge by field charge less for basic (name,
                address, position, status), more for full (also photos and attributes).
            language: BCP 47 tag, such as 'en'.
            region: ISO 3166 country, such as 'fi'.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def place(
        self,
        place_id: str | None = None,
        *,
        url: str | None = None,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Job[Place, MapsMeta]: ...

    @overload
    def reviews(
        self,
        place: str,
        *,
        sort: Literal["newest", "relevant", "highest", "lowest"] = "newest",
        since: str | None = None,
        max_reviews: int = 20,
        language: str | None = None,
        personal_data: bool = False,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> Result[Review, MapsMeta]:
        """Read the reviews of a place, page by page.

        Args:
            place: A place id or a map service's URL.
            sort: Order.
            since: Earliest day of a review, YYYY-MM-DD.
            max_reviews: How many reviews in all, over all pages.
            language: BCP 47 tag, such as 'en'.
            personal_data: Include the names and pages of authors.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def reviews(
        self,
        place: str,
        *,
        sort: Literal["newest", "relevant", "highest", "lowest"] = "newest",
        since: str | None = None,
        max_reviews: int = 20,
        language: str | None = None,
        personal_data: bool = False,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Job[Review, MapsMeta]: ...

class Verbs:
    """One attribute a namespace."""

    web: Web
    maps: Maps

    def __init__(self, catalog: Sequence[Capability], start: Start) -> None: ...

class AsyncWeb:
    """The verbs of `web`."""

    @overload
    def scrape(
        self,
        urls: Sequence[str],
        *,
        format: Literal["markdown", "text", "html"] = "markdown",
        only_main_content: bool = True,
        include: Sequence[Literal["links", "images", "html", "raw_html"]] = ...,
        max_chars: int | None = None,
        max_age_s: int = 0,
        respect_robots: bool = True,
        timeout_s: float = 15.0,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> AsyncResult[ScrapedPage, Meta]:
        """Read web pages and return clean markdown, one row per URL.

        Args:
            urls: The pages to read: 1 to 10,000 http(s) URLs.
            format: The form of `content`.
            only_main_content: Leave out navigation, sidebars, footers, banners.
            include: What each row carries beside its content.
            max_chars: Cut the content of each row to this length.
            max_age_s: Accept a page your organization read within so many seconds, at most 604,800 (7 days): it
                costs nothing. An older one is billed, even if the site says that it did not change. With 0,
                pages are always read anew and none is kept.
            respect_robots: Leave pages alone that the site's robots.txt forbids; their rows are free.
            timeout_s: Seconds one page may take in all: redirects, retries and download.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def scrape(
        self,
        urls: Sequence[str],
        *,
        format: Literal["markdown", "text", "html"] = "markdown",
        only_main_content: bool = True,
        include: Sequence[Literal["links", "images", "html", "raw_html"]] = ...,
        max_chars: int | None = None,
        max_age_s: int = 0,
        respect_robots: bool = True,
        timeout_s: float = 15.0,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Coroutine[Any, Any, AsyncJob[ScrapedPage, Meta]]: ...

    @overload
    def discover(
        self,
        query: str,
        *,
        top_k: int = 10,
        answer: bool = False,
        include_domains: Sequence[str] = ...,
        exclude_domains: Sequence[str] = ...,
        freshness: Literal["day", "week", "month", "year"] | None = None,
        published_after: str | None = None,
        published_before: str | None = None,
        region: str | None = None,
        language: str | None = None,
        safe_search: Literal["off", "moderate", "strict"] | None = None,
        include: Sequence[Literal["content"]] = ...,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> AsyncResult[Hit, DiscoverMeta]:
        """Search the web and return hits with titles and snippets.

        Args:
            query: What to search for.
            top_k: How many hits; clamped to 1-50 and to the provider's own cap.
            answer: Also ask for a written answer with its sources.
            include_domains: Only hits of these sites.
            exclude_domains: No hits of these sites.
            freshness: Newest hits only.
            published_after: Earliest day of publication, YYYY-MM-DD.
            published_before: Latest day of publication, YYYY-MM-DD.
            region: ISO 3166 country, such as 'fi'.
            language: BCP 47 tag, such as 'en'.
            safe_search: Adult content filter.
            include: 'content' also reads each hit, billed as web.scrape.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def discover(
        self,
        query: str,
        *,
        top_k: int = 10,
        answer: bool = False,
        include_domains: Sequence[str] = ...,
        exclude_domains: Sequence[str] = ...,
        freshness: Literal["day", "week", "month", "year"] | None = None,
        published_after: str | None = None,
        published_before: str | None = None,
        region: str | None = None,
        language: str | None = None,
        safe_search: Literal["off", "moderate", "strict"] | None = None,
        include: Sequence[Literal["content"]] = ...,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Coroutine[Any, Any, AsyncJob[Hit, DiscoverMeta]]: ...

class AsyncMaps:
    """The verbs of `maps`."""

    @overload
    def search(
        self,
        query: str,
        *,
        location: str | Circle | Mapping[str, Any] | Box,
        strict_area: bool = False,
        max_places: int = 20,
        open_now: bool = False,
        min_rating: float | None = None,
        price_levels: Sequence[int] = ...,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> AsyncResult[Place, MapsMeta]:
        """Find places of any kind in an area and return them as typed rows.

        Args:
            query: What to look for: a kind of place, or a name.
            location: A name, {lat, lng, radius_m} or {south, west, north, east}.
            strict_area: Drop places outside the location instead of biasing to it.
            max_places: How many places in all, over all pages.
            open_now: Only places open at this moment.
            min_rating: Least rating, on a scale of 5.
            price_levels: 0 free to 4.
            detail: How much to ask of a place. Sources that charge by field charge less for basic (name,
                address, position, status), more for full (also photos and attributes).
            language: BCP 47 tag, such as 'en'.
            region: ISO 3166 country, such as 'fi'.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def search(
        self,
        query: str,
        *,
        location: str | Circle | Mapping[str, Any] | Box,
        strict_area: bool = False,
        max_places: int = 20,
        open_now: bool = False,
        min_rating: float | None = None,
        price_levels: Sequence[int] = ...,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Coroutine[Any, Any, AsyncJob[Place, MapsMeta]]: ...

    @overload
    def place(
        self,
        place_id: str | None = None,
        *,
        url: str | None = None,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> AsyncResult[Place, MapsMeta]:
        """Read one place by its id or map URL.

        Args:
            place_id: As source:id; a Google place id, feature id or cid is known without its source.
            url: Its URL at Google Maps or OpenStreetMap.
            detail: How much to ask of a place. Sources that charge by field charge less for basic (name,
                address, position, status), more for full (also photos and attributes).
            language: BCP 47 tag, such as 'en'.
            region: ISO 3166 country, such as 'fi'.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def place(
        self,
        place_id: str | None = None,
        *,
        url: str | None = None,
        detail: Literal["basic", "standard", "full"] = "standard",
        language: str | None = None,
        region: str | None = None,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Coroutine[Any, Any, AsyncJob[Place, MapsMeta]]: ...

    @overload
    def reviews(
        self,
        place: str,
        *,
        sort: Literal["newest", "relevant", "highest", "lowest"] = "newest",
        since: str | None = None,
        max_reviews: int = 20,
        language: str | None = None,
        personal_data: bool = False,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[True] = True,
        timeout: float | None = None,
    ) -> AsyncResult[Review, MapsMeta]:
        """Read the reviews of a place, page by page.

        Args:
            place: A place id or a map service's URL.
            sort: Order.
            since: Earliest day of a review, YYYY-MM-DD.
            max_reviews: How many reviews in all, over all pages.
            language: BCP 47 tag, such as 'en'.
            personal_data: Include the names and pages of authors.
            provider: Leave unset: the operator orders the providers. A pin needs the scope 'pin'.
            async_: Answer with a job at once, even for one item.
            dry_run: Only say what the call can cost at most, in meta.quote.
            max_charge_micros: Refuse the call if it could cost more than this, in micro-USD.
            partial: On a short balance run the items it covers instead of refusing the call.
            idempotency_key: Repeat a call with the same key and body and the same answer or job comes back,
                billed once.
            wait: False gives the job's handle at once.
            timeout: Seconds the whole call may take.
        """
    @overload
    def reviews(
        self,
        place: str,
        *,
        sort: Literal["newest", "relevant", "highest", "lowest"] = "newest",
        since: str | None = None,
        max_reviews: int = 20,
        language: str | None = None,
        personal_data: bool = False,
        provider: str | None = None,
        async_: bool = False,
        dry_run: bool = False,
        max_charge_micros: int | None = None,
        partial: bool = False,
        idempotency_key: str | None = None,
        wait: Literal[False],
        timeout: float | None = None,
    ) -> Coroutine[Any, Any, AsyncJob[Review, MapsMeta]]: ...

class AsyncVerbs:
    """One attribute a namespace."""

    web: AsyncWeb
    maps: AsyncMaps

    def __init__(self, catalog: Sequence[Capability], start: Start) -> None: ...
