"""No way inside: names, addresses, spellings, redirects and rebinding."""

import asyncio
import socket

import pytest

from tests.net.serving import get, moved, ok, outcome, serving
from verbena.errors import ReadError
from verbena.gates import guarded_sockets, refused
from verbena.guard import Guard
from verbena.urls import normalise

CLOSED = Guard()


def answers(*addresses):
    async def lookup(_host, _port):
        return addresses

    return lookup


async def code_of(url, **options):
    with pytest.raises(ReadError) as caught:
        await get(normalise(url), **options)
    return caught.value.code


@pytest.mark.parametrize(
    "name",
    [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
        "localhost",
        "LOCALHOST",
        "\uff11\uff12\uff17.0.0.1",
    ],
)
def test_no_spelling_of_loopback_is_dialled(name):
    async def visit():
        async with serving(ok()) as served:
            return await code_of(f"http://{name}:{served.port}/", guard=CLOSED), served.connections

    assert asyncio.run(visit()) == ("forbidden_address", 0)


@pytest.mark.parametrize(
    "target",
    [
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://0/",
        "http://0.0.0.0/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://10.0.0.1/",
        "http://224.0.0.1/",
        "http://[fe80::1]/",
        "http://2852039166/",
    ],
)
def test_an_inner_address_is_refused_at_first_hand_and_behind_a_redirect(target):
    assert asyncio.run(code_of(target)) == "forbidden_address"
    assert asyncio.run(outcome(moved(target), ok())) == "forbidden_address"


@pytest.mark.parametrize(
    "addresses",
    [
        ["93.184.216.34", "127.0.0.2"],
        ["10.1.2.3"],
        ["2606:4700::1", "::1"],
        ["127.0.0.1", "::ffff:127.0.0.1"],
        ["93.184.216.34", "64:ff9b::a00:1"],
    ],
)
def test_a_name_with_any_inner_address_is_refused_without_a_dial(addresses):
    code = asyncio.run(code_of("http://mixed.test/", guard=CLOSED, lookup=answers(*addresses), seconds=2))

    assert code == "forbidden_address"


def test_a_name_that_turns_inward_between_check_and_dial_reaches_nothing():
    """The checked answer is the one dialled; a second answer is checked anew and refused."""
    asked = []

    async def visit():
        async with serving(ok(b"first"), ok(b"canary")) as served:

            async def lookup(host, _port):
                asked.append(host)
                return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

            first = await get(f"http://rebind.test:{served.port}/", lookup=lookup)
            second = await code_of(f"http://rebind.test:{served.port}/", lookup=lookup)
            return first.body, second, served.connections

    assert asyncio.run(visit()) == (b"first", "forbidden_address", 1)


@pytest.mark.parametrize(
    ("family", "address"), [(socket.AF_INET, ("127.0.0.1", 80)), (socket.AF_INET6, ("::1", 80, 0, 0))]
)
def test_no_socket_is_made_for_an_inner_address_whoever_asks(family, address):
    with pytest.raises(PermissionError) as caught:
        guarded_sockets(CLOSED)((family, socket.SOCK_STREAM, 0, "", address))

    assert refused(caught.value)


def test_a_refused_endpoint_stays_closed_in_an_open_network():
    async def visit():
        async with serving(ok()) as served:
            guard = Guard.of(["127.0.0.0/8"], [f"http://localhost:{served.port}"])
            codes = [
                await code_of(f"http://{host}:{served.port}/", guard=guard)
                for host in ("127.0.0.1", "localhost", "127.0.0.2", "0x7f.1")
            ]
            return codes, served.connections

    assert asyncio.run(visit()) == (["forbidden_address"] * 4, 0)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b", "a" * 64 + ".test", "xn--.test"])
def test_a_name_that_does_not_resolve_is_a_dns_failure(host):
    assert asyncio.run(code_of(f"http://{host}/")) == "dns_failure"


def test_a_name_without_addresses_is_a_dns_failure():
    assert asyncio.run(code_of("http://empty.test/", lookup=answers())) == "dns_failure"


def test_a_name_server_that_does_not_answer_meets_the_deadline():
    async def lookup(_host, _port):
        await asyncio.Event().wait()

    assert asyncio.run(code_of("http://slow.test/", lookup=lookup, seconds=0.2)) == "timeout"


def test_a_name_is_dialled_at_its_next_address_when_the_first_is_dead():
    async def visit():
        async with serving(ok(b"alive")) as served:
            with socket.socket() as taken:  # bound, but not listening: refuses
                taken.bind(("127.0.0.3", served.port))
                guard = Guard.of(["127.0.0.0/8"], [])
                return await get(
                    f"http://two.test:{served.port}/", guard=guard, lookup=answers("127.0.0.3", "127.0.0.1")
                )

    assert asyncio.run(visit()).body == b"alive"
