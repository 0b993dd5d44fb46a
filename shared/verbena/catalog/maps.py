"""The contracts of maps.search, maps.place and maps.reviews."""

from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from verbena.billing import Units
from verbena.capability import Capability, Mode
from verbena.catalog.fields import Day, Language, Pin, Region
from verbena.catalog.places import MapsMeta, Place, Review, Walk
from verbena.envelope import Model

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


class SearchWalk(SearchInput):
    """A search with where it stands."""

    walk: Walk | None = None


class ReviewsWalk(ReviewsInput):
    """A reading of reviews with where it stands."""

    walk: Walk | None = None


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
