"""Search through the operator's providers."""

from verbena.capability import Call, Portion
from verbena.catalog.web import DiscoverInput
from verbena.errors import NoProvidersConfigured


async def discover(_query: DiscoverInput, _call: Call) -> Portion:
    """Hits of the first provider that can serve the query; without any provider NoProvidersConfigured."""
    raise NoProvidersConfigured
