"""The rows of the maps verbs, what stands beside them, and what a walk over their pages remembers."""

from typing import Any, Literal

from pydantic import Field

from verbena.envelope import Meta, Model


class Period(Model):
    """One span of opening in local time. A null close is never closing: a place that is always open has one of it."""

    day: int = Field(ge=1, le=7, description="ISO weekday, 1 is Monday.")
    open: str = Field(description="HH:MM.")
    close_day: int | None = Field(ge=1, le=7, description="Another day than `day` when it is open over night.")
    close: str | None = Field(description="HH:MM, 24:00 for the end of a day.")


class Hours(Model):
    """When a place is regularly open; holidays and single days left out."""

    periods: list[Period] | None = Field(
        description="All of a week in order; a day without one is closed. null: not known, or not the same each week."
    )
    always_open: bool | None
    text: list[str] | None = Field(description="The source's own words.")


class Photo(Model):
    """A picture of a place and whom to name beside it."""

    url: str
    attribution: str | None


class Address(Model):
    """The parts of an address."""

    street: str | None
    house_number: str | None
    postal_code: str | None
    city: str | None
    state: str | None
    country: str | None = Field(description="ISO 3166 code where the source has it.")


Status = Literal["open", "temporarily_closed", "permanently_closed", "moved", "planned"]


class Place(Model):
    """One place. Every field is present: null is unknown and listed in `missing`, zero is the source's zero."""

    place_id: str = Field(description="Canonical, as source:id, such as 'osm:node/123'. maps.place takes it.")
    ids: dict[str, str] = Field(description="Every id the source gives, by its kind.")
    name: str | None
    categories: list[str] | None = Field(
        description="The source's words for what it is, such as 'coffee_shop'; the main one first."
    )
    address: str | None
    address_parts: Address | None
    lat: float | None
    lng: float | None
    distance_m: float | None = Field(description="Metres from the centre of the area searched.")
    phone: str | None
    website: str | None
    rating: float | None = Field(description="On a scale of 5.")
    review_count: int | None
    rating_histogram: dict[str, int] | None = Field(description="Reviews by rating, '1' to '5'.")
    price_level: int | None = Field(description="0 free to 4 very expensive.")
    price_text: str | None = Field(description="Prices in the source's own words.")
    hours: Hours | None
    status: Status | None = Field(description="'open' is in business, whatever the hour.")
    timezone: str | None = Field(description="IANA name.")
    attributes: dict[str, Any] | None = Field(description="What it offers, in the source's words.")
    photos: list[Photo] | None
    maps_url: str | None
    provider: str = Field(description="Which provider found it.")
    attribution: str | None = Field(description="Whom to name wherever the row is shown.")
    terms: str | None = Field(description="What the source allows to be stored.")
    as_of: str | None = Field(description="The day of the data, YYYY-MM-DD; null when it is of the moment.")
    fetched_at: str = Field(description="ISO 8601, UTC. The one field that differs between two equal answers.")
    missing: list[str] = Field(description="The names of the fields the source does not know.")
    extras: dict[str, Any] = Field(description="What only this source says.")


class OwnerReply(Model):
    """What the place answered."""

    text: str
    at: str | None


class Review(Model):
    """One review of a place. Every field is present: null is unknown, and listed in `missing`."""

    review_id: str
    place_id: str
    rating: float | None = Field(description="On a scale of 5.")
    text: str | None = Field(description="In the language it was written in.")
    language: str | None
    translation: str | None
    published_at: str | None = Field(description="ISO 8601, UTC.")
    relative_time: str | None = Field(description="The source's words, such as 'a month ago', at `fetched_at`.")
    likes: int | None
    author: dict[str, str] | None = Field(description="null unless personal_data is true.")
    images: list[str] | None
    owner_reply: OwnerReply | None
    source: str = Field(description="Where it was published.")
    provider: str = Field(description="Which provider found it.")
    attribution: str | None = Field(description="Whom to name wherever the review is shown.")
    terms: str | None = Field(description="What the source allows to be stored.")
    fetched_at: str = Field(description="ISO 8601, UTC.")
    missing: list[str] = Field(description="The names of the fields the source does not know.")


Cap = Literal["limit", "source_limit", "quoted_pages", "empty_page", "repeated_page", "repeated_token", "barren_pages"]


class Coverage(Model):
    """What was asked, what came, and where the difference went; over all pages so far."""

    requested: int
    returned: int
    dropped_out_of_area: int
    dropped_duplicates: int
    dropped_by_filter: int
    capped_by: Cap | None = Field(
        default=None,
        description="Why there is no more: 'limit' is the one asked for, 'source_limit' the provider's, 'quoted_pages' "
        "the quote's; the others are pages that led nowhere. null: the source had no more, or the walk goes on.",
    )


class Candidate(Model):
    """A place that an ambiguous link may mean."""

    place_id: str
    name: str | None = None
    address: str | None = None


class MapsMeta(Meta):
    """What a maps call says beside its rows."""

    coverage: Coverage | None = None
    candidates: list[Candidate] | None = None


class Walk(Model):
    """What a walk over a source's pages remembers from one part of a job to the next. No caller can send it.

    `provider` began and goes on, `more` is what continues there; `seen` and `tokens` are digests of the ids and of
    the `more` there were. `limit` is the most rows in all, `pages` counts those that brought some, `barren` how often
    since then there was none: a page without, or one that failed.
    """

    provider: str
    limit: int
    more: dict[str, Any]
    seen: list[str] = Field(default_factory=list)
    tokens: list[str] = Field(default_factory=list)
    returned: int = 0
    dropped_out_of_area: int = 0
    dropped_duplicates: int = 0
    dropped_by_filter: int = 0
    pages: int = 0
    barren: int = 0
