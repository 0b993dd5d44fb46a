"""Places and reviews through the operator's providers."""

from verbena.capability import Call, Portion
from verbena.catalog.maps import PlaceInput, ReviewsInput, SearchInput
from verbena.errors import NoProvidersConfigured


async def search(_query: SearchInput, _call: Call) -> Portion:
    """Places of an area; without any provider NoProvidersConfigured."""
    raise NoProvidersConfigured


async def place(_query: PlaceInput, _call: Call) -> Portion:
    """One place; without any provider NoProvidersConfigured."""
    raise NoProvidersConfigured


async def reviews(_query: ReviewsInput, _call: Call) -> Portion:
    """Reviews of a place; without any provider NoProvidersConfigured."""
    raise NoProvidersConfigured
