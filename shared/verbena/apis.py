"""The guarded client under the httpx API: what providers, webhooks and probes speak through."""

from http.cookiejar import CookieJar, DefaultCookiePolicy

import aiohttp
import httpx
from multidict import CIMultiDict

from verbena.bodies import body_of
from verbena.net import Client
from verbena.wire import ACCEPT_ENCODING

# The length and codings of a body that is read and decoded already describe nothing any more.
SPENT = frozenset({b"content-encoding", b"content-length", b"transfer-encoding"})


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends one request and reads its answer whole. Failures are ReadErrors, not httpx's."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        headers = CIMultiDict(request.headers.multi_items())
        headers["Accept-Encoding"] = ACCEPT_ENCODING
        response = await self._client.send(
            request.method,
            str(request.url),
            headers=headers,
            body=await request.aread() or None,
            limits=_limits(request),
        )
        async with response:
            body, _ = await body_of(response)
        kept = [(name, value) for name, value in response.raw_headers if name.lower() not in SPENT]
        return httpx.Response(response.status, headers=kept, content=body, request=request)


def over(client: Client) -> httpx.AsyncClient:
    """An httpx client that follows no redirect, keeps no cookie and reads no proxy from the environment."""
    forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx.AsyncClient(transport=GuardedTransport(client), cookies=forgetful, trust_env=False)


def _limits(request: httpx.Request) -> aiohttp.ClientTimeout:
    seconds = request.extensions.get("timeout", {})
    return aiohttp.ClientTimeout(
        total=None,
        connect=seconds.get("pool"),
        sock_connect=seconds.get("connect"),
        sock_read=seconds.get("read"),
    )
