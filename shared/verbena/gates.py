"""The two gates of every connection: one for the answers of a name, one for the address dialled."""

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from verbena.errors import ForbiddenAddress
from verbena.guard import Guard

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]

# Answers of getaddrinfo that are numbers already, and not names again.
NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class GuardedResolver(AbstractResolver):
    """Refuses a name if any of its addresses is not allowed: which one is dialled is not ours to choose."""

    def __init__(self, guard: Guard, lookup: Lookup) -> None:
        self._guard = guard
        self._lookup = lookup

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_INET,  # noqa: ARG002 - both families are wanted, and the name is the connector's
    ) -> list[ResolveResult]:
        """Raises ForbiddenAddress, or OSError when the name has no address."""
        if not self._guard.permits_name(host, port):
            raise ForbiddenAddress
        addresses = await self._lookup(host, port)
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        if not all(self._guard.permits(address, port) for address in addresses):
            raise ForbiddenAddress
        return [_result(host, address, port) for address in addresses]

    async def close(self) -> None:
        """Nothing is held."""


def guarded_sockets(guard: Guard) -> Callable[[Any], socket.socket]:
    """The factory that sees each address right before it is dialled."""

    def opened(info: Any) -> socket.socket:
        family, kind, protocol, _, address = info
        if not guard.permits(address[0], address[1]):
            # The connector passes on OSErrors only; `refused` knows it again.
            raise PermissionError(errno.EACCES, "address not allowed")
        return socket.socket(family, kind, protocol)

    return opened


def refused(error: OSError) -> bool:
    """Whether a failed dial was refused by the second gate."""
    return error.errno == errno.EACCES


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """The addresses the system's resolver knows for a name."""
    # As bytes, or the idna codec of Python 2003 raises UnicodeError for labels the resolver itself may judge.
    name = host.encode("ascii")
    infos = await asyncio.get_running_loop().run_in_executor(
        _threads(),
        lambda: socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG),
    )
    return [str(address[0]) for *_, address in infos]


@cache
def _threads() -> ThreadPoolExecutor:
    """Threads for names alone: a slow name server must not hold up the stores and readers of the default ones."""
    return ThreadPoolExecutor(max_workers=16, thread_name_prefix="names")


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=NUMERIC)
