"""Places and reviews through the operator's providers."""

from maps import reading
from maps import search as searching
from maps.serving import Desk
from verbena import apis, settings
from verbena.capability import Call, Capability, Portion
from verbena.catalog.maps import (
    MAPS_PLACE,
    MAPS_REVIEWS,
    MAPS_SEARCH,
    PlaceInput,
    ReviewsInput,
    SearchInput,
)
from verbena.engine import Engine
from verbena.kept import Kept


async def search(input: SearchInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """A page of the places of an area; a ProviderError says why there is none."""
    return await searching.page(input, _desk(MAPS_SEARCH, call))


async def place(input: PlaceInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """One place, or the candidates that a link without an id may mean."""
    return await reading.place(input, _desk(MAPS_PLACE, call), _desk(MAPS_SEARCH, call))


async def reviews(input: ReviewsInput, call: Call) -> Portion:  # noqa: A002 - the word of every executor
    """A page of the reviews of a place, or candidates for the place."""
    return await reading.reviews(input, _desk(MAPS_REVIEWS, call), _desk(MAPS_SEARCH, call))


def _desk(verb: Capability, call: Call) -> Desk:
    lent = call.services
    engine = Engine(lent.book, apis.send, settings.current().base_urls, Kept(lent.pages))
    return Desk(engine, verb, verb.load_drivers(), call)
