"""Where a short link of a map service leads: its redirects are followed by hand, within the map services alone."""

from typing import Final
from urllib.parse import urljoin

from maps.refs import Ref, of_url
from verbena.engine import Sender
from verbena.errors import InvalidUrl
from verbena.providers import VendorRequest

HOPS: Final = 4
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


async def followed(ref: Ref, send: Sender) -> Ref:
    """The place a short link means; InvalidUrl if it leads outside the map services, or nowhere."""
    for _ in range(HOPS):
        if ref.kind != "short":
            return ref
        response = await send(VendorRequest("GET", ref.value), is_own=False)
        location = response.headers.get("Location")
        if response.status not in REDIRECTS or not location:
            raise InvalidUrl("the short link leads to no place")
        target = of_url(urljoin(ref.value, location))
        if target is None:
            raise InvalidUrl("the short link leads away from the map services, or to no place of theirs")
        ref = target
    raise InvalidUrl("the short link leads to too many others")
