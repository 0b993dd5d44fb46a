"""Which network addresses may be dialled: public ones, and what the operator opened."""

import contextlib
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

# All of IPv6 that IANA has given out as global unicast. Outside it lie the mapped, compatible and
# translated forms of IPv4 addresses (::ffff:0:0/96, ::/96, 64:ff9b::/96, 64:ff9b:1::/48).
GLOBAL_UNICAST = IPv6Network("2000::/3")
# IPv4 addresses in the last 32 bits of IPv6 ones: mapped, compatible, SIIT, and both prefixes of NAT64.
WRAPPINGS = tuple(map(IPv6Network, ("::ffff:0:0/96", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48")))
# Numbers `is_global` may call public that still lead inside: tunnels carry an IPv4 address of the
# sender's choice, the rest is newer than some supported Python's registry, or a cloud's own.
INWARD = tuple(
    map(
        ip_network,
        (
            "2001::/32",  # Teredo, RFC 4380
            "2002::/16",  # 6to4, RFC 3056
            "192.88.99.0/24",  # 6to4 relays, RFC 7526
            "3fff::/20",  # documentation, RFC 9637
            "192.0.0.0/24",  # protocol assignments, RFC 6890; Oracle's metadata among them
            "168.63.129.16/32",  # Azure's host agent
        ),
    )
)
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Guard:
    """`allow` opens networks beside the public ones; the host and port pairs of `refuse` stay closed even then."""

    allow: tuple[Network, ...] = ()
    refuse: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def of(cls, networks: Iterable[str], endpoints: Iterable[str]) -> "Guard":
        """CIDRs to open, and endpoints (`host:port` or URLs) to keep closed, under their addresses too.

        Looks names of endpoints up, once. Raises ValueError for what is no network.
        """
        return cls(tuple(map(ip_network, networks)), frozenset(pair for e in endpoints for pair in _pairs(e)))

    def permits(self, address: str, port: int) -> bool:
        """Whether this very address may be dialled."""
        ip = ip_address(address)
        if any(self._refuses(form, port) for form in _forms(ip)):
            return False
        return _public(ip) or any(ip in network for network in self.allow)

    def permits_name(self, host: str, port: int) -> bool:
        return (host.rstrip(".").lower(), port) not in self.refuse

    def _refuses(self, ip: Address, port: int) -> bool:
        if (str(ip), port) in self.refuse:
            return True
        # A local listener answers on every local number, if it is bound to all of them.
        return _local(ip) and any(port == closed and _local_name(host) for host, closed in self.refuse)


@cache
def configured(networks: tuple[str, ...], endpoints: tuple[str, ...]) -> Guard:
    """The guard of an operator's settings; the same one each time."""
    return Guard.of(networks, endpoints)


def _public(ip: Address) -> bool:
    if isinstance(ip, IPv6Address) and ip not in GLOBAL_UNICAST:
        return False
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in INWARD)


def _forms(ip: Address) -> Iterable[Address]:
    """The address, and the IPv4 one that a mapping or a translator makes of it."""
    yield ip
    if isinstance(ip, IPv6Address):
        if ip.sixtofour is not None:
            yield ip.sixtofour
        if any(ip in network for network in WRAPPINGS):
            yield IPv4Address(int(ip) & 0xFFFFFFFF)


def _local(ip: Address) -> bool:
    return ip.is_loopback or ip.is_unspecified


def _local_name(host: str) -> bool:
    try:
        return _local(ip_address(host))
    except ValueError:
        return host == "localhost"


def _pairs(endpoint: str) -> Iterable[tuple[str, int]]:
    parts = urlsplit(endpoint if "//" in endpoint else f"//{endpoint}")
    host, port = (parts.hostname or "").rstrip("."), parts.port or PORTS.get(parts.scheme, 80)
    yield host, port
    # A name that does not resolve has no address to keep closed; the name itself is.
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            yield str(address[0]), port
