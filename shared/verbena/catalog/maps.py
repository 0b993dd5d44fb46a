"""The contracts of maps.search, maps.place and maps.reviews."""

from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from verbena.billing import Units
from verbena.capability import Capability, Mode
from verbena.catalog.fields import Day, Language, Pin, Region
from verbena.envelope import Meta, Model

Latitude = Annotated[float, Field(ge=-90, le=90)]
Longitude = Annotated[float, Field(ge=-180, le=180)]


class Circle(Model):
    """A point and a distance around it."""

    lat: Latitude
    lng: Longitude
    radius_m: float = Field(gt=0, le=50_000)


class Box(Model):
    """A rectangle; west greater than east crosses the antimeridian."""

    south: Latitude
    west: Longitude
    north: Latitude
    east: Longitude

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.south > self.north:
            raise ValueError("south is greater than north: swap them")
        return self


def _shape(value: object) -> str:
    """Which form a location has, so that a wrong one is told about that form alone."""
    if isinstance(value, str):
        return "name"
    keys = value.keys() if isinstance(value, dict) else vars(value).keys() if isinstance(value, Model) else set()
    return "box" if keys & {"south", "west", "north", "east"} else "circle"


Location = Annotated[
    Annotated[str, Field(min_length=1, max_length=500), Tag("name")]
    | Annotated[Circle, Tag("circle")]
    | Annotated[Box, Tag("box")],
    Discriminator(_shape),
]


Detail = Annotated[
    Literal["basic", "standard", "full"],
    Field(
        default="standard",
        description="How much to ask of a place. Sources that charge by field charge less for basic (name, address, "
        "position, status), more for full (also photos and attributes).",
    ),
]


class SearchInput(Model):
    """Which kind of place, and where."""

    query: str = Field(
        min_length=1, max_length=500, description="What to look for: a kind of place, or a name.", examples=["cafe"]
    )
    location: Location = Field(
        description="A name, {lat, lng, radius_m} or {south, west, north, east}.", examples=["Helsinki"]
    )
    strict_area: bool = Field(default=False, description="Drop places outside the location instead of biasing to it.")
    max_places: int = Field(default=20, ge=1, le=500, description="How many places in all, over all pages.")
    open_now: bool = Field(default=False, description="Only places open at this moment.")
    min_rating: float | None = Field(default=None, ge=0, le=5, description="Least rating, on a scale of 5.")
    price_levels: list[Annotated[int, Field(ge=0, le=4)]] = Field(
        default_factory=list, max_length=5, description="0 free to 4."
    )
    detail: Detail
    language: Language
    region: Region
    provider: Pin


class PlaceInput(Model):
    """One place, by id or by URL."""

    place_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=500,
        description="As source:id; a Google place id, feature id or cid is known without its source.",
        examples=["osm:node/123"],
    )
    url: str | None = Field(
        default=None, min_length=1, max_length=2_048, description="Its URL at Google Maps or OpenStreetMap."
    )
    detail: Detail
    language: Language
    region: Region
    provider: Pin

    @property
    def said(self) -> tuple[str, str]:
        """How the place is named, and the field that names it."""
        return (self.place_id, "place_id") if self.place_id is not None else (self.url or "", "url")

    @model_validator(mode="after")
    def _names_one_place(self) -> Self:
        if (self.place_id is None) == (self.url is None):
            message = "give either place_id or url"
            raise ValueError(message)
        return self


class ReviewsInput(Model):
    """Whose reviews, in which order, and how many."""

    place: str = Field(
        min_length=1, max_length=2_048, description="A place id or a map service's URL.", examples=["osm:node/123"]
    )
    sort: Literal["newest", "relevant", "highest", "lowest"] = Field(default="newest", description="Order.")
    since: Day | None = Field(default=None, description="Earliest day of a review, YYYY-MM-DD.")
    max_reviews: int = Field(default=20, ge=1, le=5_000, description="How many reviews in all, over all pages.")
    language: Language
    personal_data: bool = Field(default=False, description="Include the names and pages of authors.")
    provider: Pin

    @model_validator(mode="after")
    def _newest_since(self) -> Self:
        if self.since and self.sort != "newest":
            raise ValueError("since goes with sort 'newest' alone: leave sort unset")
        return self


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


class SearchWalk(SearchInput):
    """A search with where it stands."""

    walk: Walk | None = None


class ReviewsWalk(ReviewsInput):
    """A reading of reviews with where it stands."""

    walk: Walk | None = None


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


def _search_bound(arguments: SearchInput) -> Units:
    walk = getattr(arguments, "walk", None)
    return {"maps_place": arguments.max_places - (walk.returned if walk else 0)}


REVIEWS_PAGE_LEAST = 8
"""The fewest reviews a source returns on a page that is not its last (SerpApi's first page)."""


def pages_at_most(arguments: ReviewsInput) -> int:
    """How many pages of reviews are quoted and read."""
    return -(-arguments.max_reviews // REVIEWS_PAGE_LEAST)


def _reviews_bound(arguments: ReviewsInput) -> Units:
    walk = getattr(arguments, "walk", None)
    return {"maps_reviews_page": pages_at_most(arguments) - (walk.pages if walk else 0)}


MAPS_SEARCH = Capability(
    name="maps.search",
    summary="Find places of any kind in an area and return them as typed rows.",
    input=SearchInput,
    row=Place,
    mode=Mode(),
    executor="maps.executor:search",
    drivers="maps.drivers:DRIVERS",
    features="maps.features:of_search",
    walk=SearchWalk,
    unit="maps_place",
    id="maps_search",
    meta=MapsMeta,
    bound=_search_bound,
)

MAPS_PLACE = Capability(
    name="maps.place",
    summary="Read one place by its id or map URL.",
    input=PlaceInput,
    row=Place,
    mode=Mode(),
    executor="maps.executor:place",
    drivers="maps.drivers:DRIVERS",
    features="maps.features:of_place",
    unit="maps_place",
    id="maps_place",
    meta=MapsMeta,
)

MAPS_REVIEWS = Capability(
    name="maps.reviews",
    summary="Read the reviews of a place, page by page.",
    input=ReviewsInput,
    row=Review,
    mode=Mode(),
    executor="maps.executor:reviews",
    drivers="maps.drivers:DRIVERS",
    features="maps.features:of_reviews",
    walk=ReviewsWalk,
    unit="maps_reviews_page",
    id="maps_reviews",
    meta=MapsMeta,
    bound=_reviews_bound,
)
