"""One request to a vendor's API over the guarded client: no redirect followed, no cookie kept, no proxy taken."""

from multidict import CIMultiDict

from verbena import net, settings
from verbena.bodies import body_of
from verbena.guard import configured
from verbena.providers import VendorRequest, VendorResponse
from verbena.wire import ACCEPT_ENCODING

USER_AGENT = "Verbena/0.1 (self-hosted; typed web data)"
PRIVATE = (
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::1/128",
    "fc00::/7",
)
"""What an operator's own row may reach beside public addresses; link-local ones, where clouds keep their metadata,
stay closed."""


async def send(request: VendorRequest, *, is_own: bool = False) -> VendorResponse:
    """Send, and read the answer whole. Failures are ReadErrors; `is_own` opens private networks."""
    current = settings.current()
    networks = (*current.allow_networks, *PRIVATE) if is_own else current.allow_networks
    return await sent(net.client(configured(networks, current.refuse_endpoints)), request)


async def sent(client: net.Client, request: VendorRequest) -> VendorResponse:
    """The same over a given client."""
    headers = CIMultiDict({"User-Agent": USER_AGENT, "Accept": "application/json"})
    headers.update(request.headers)
    headers["Accept-Encoding"] = ACCEPT_ENCODING
    response = await client.send(request.method, request.url, headers=headers, body=request.body)
    async with response:
        body, _ = await body_of(response)
    return VendorResponse(response.status, response.headers, body)
