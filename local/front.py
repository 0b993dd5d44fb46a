"""The listener callers meet: it hands each request to the emulator as API Gateway would receive it."""

import asyncio
import io
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector, web
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

HOST = "127.0.0.1"
# API Gateway's own limits of an HTTP API.
BODY_CAP_BYTES = 10 * 1024 * 1024
TIMEOUT_S = 30.0
SHUTDOWN_S = 1.0
# Headers of one connection, and lengths and encodings that aiohttp writes anew.
HOP_BY_HOP = frozenset({"connection", "content-length", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"})
ADDED_BY_CLIENTS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")

UPSTREAM = web.AppKey("upstream", str)
SESSION = web.AppKey("session", ClientSession)


class PortTaken(OSError):
    """Somebody listens on the port already."""


def listen(port: int) -> socket.socket:
    """A listening socket on loopback; port 0 is any free one. Raises PortTaken."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise PortTaken(error.errno, f"port {port} of {HOST} cannot be used: {error.strerror}") from error
    listener.listen(128)
    return listener


@contextmanager
def serving(listener: socket.socket, upstream: str) -> Iterator[None]:
    """Serve in a thread of its own until the block ends; `upstream` is the API's URL in the emulator."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="front", daemon=True)
    thread.start()
    try:
        runner = asyncio.run_coroutine_threadsafe(_start(listener, upstream), loop).result()
        try:
            yield
        finally:
            asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _start(listener: socket.socket, upstream: str) -> web.AppRunner:
    app = web.Application(client_max_size=BODY_CAP_BYTES)
    app[UPSTREAM] = upstream
    app.cleanup_ctx.append(_session)
    app.router.add_route("*", r"/{path:[\s\S]*}", forward)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_S)
    await runner.setup()
    await web.SockSite(runner, listener).start()
    return runner


async def _session(app: web.Application) -> AsyncIterator[None]:
    async with ClientSession(
        connector=TCPConnector(limit=0),
        cookie_jar=DummyCookieJar(),
        timeout=ClientTimeout(total=TIMEOUT_S),
        auto_decompress=False,
        skip_auto_headers=ADDED_BY_CLIENTS,
    ) as session:
        app[SESSION] = session
        yield


async def forward(request: web.Request) -> web.Response:
    """The emulator's answer; 503 when there is none in time, as a gateway would say it."""
    body = await request.read()
    try:
        return await _relay(request, body)
    except (ClientError, TimeoutError):
        return web.json_response({"message": "Service Unavailable"}, status=503)


async def _relay(request: web.Request, body: bytes) -> web.Response:
    """`Host` stays the caller's: absolute URLs in answers are built from it."""
    headers = _end_to_end(request.headers)
    headers["X-Forwarded-Proto"] = "http"
    headers["X-Forwarded-For"] = request.remote or HOST
    async with request.app[SESSION].request(
        request.method,
        URL(request.app[UPSTREAM] + request.raw_path, encoded=True),
        headers=headers,
        data=io.BytesIO(body) if body else None,
        allow_redirects=False,
    ) as answer:
        return web.Response(status=answer.status, headers=_end_to_end(answer.headers), body=await answer.read())


def _end_to_end(headers: CIMultiDictProxy[str]) -> CIMultiDict[str]:
    return CIMultiDict((name, value) for name, value in headers.items() if name.lower() not in HOP_BY_HOP)
