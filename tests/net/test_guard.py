"""Which addresses may be dialled."""

import pytest

from verbena.guard import Guard, configured

PUBLIC = ["93.184.216.34", "8.8.8.8", "1.1.1.1", "2606:4700::6810:84e5", "2a00:1450:4001:82b::200e"]
CLOSED = [
    "0.0.0.0",  # noqa: S104 - refused, not bound
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_may_be_dialled(address):
    assert Guard().permits(address, 443)


@pytest.mark.parametrize("address", CLOSED)
def test_an_address_that_leads_inside_is_refused(address):
    assert not Guard().permits(address, 80)


def test_an_opened_network_opens_nothing_beside_it():
    guard = Guard.of(["127.0.0.1/32", "fd00::/8"], [])

    assert guard.permits("127.0.0.1", 80)
    assert guard.permits("fd00::1", 80)
    assert not guard.permits("127.0.0.2", 80)
    assert not guard.permits("::ffff:127.0.0.1", 80)
    assert not guard.permits("10.0.0.1", 80)


@pytest.mark.parametrize(
    "endpoint", ["127.0.0.1:9001", "http://127.0.0.1:9001", "http://localhost:9001/", "[::1]:9001"]
)
@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "::", "::ffff:127.0.0.1"])
def test_the_port_of_a_refused_local_endpoint_stays_closed_on_every_local_address(endpoint, address):
    guard = Guard.of(["0.0.0.0/0", "::/0"], [endpoint])

    assert not guard.permits(address, 9001)
    assert guard.permits(address, 9002)


def test_a_refused_endpoint_stays_closed_under_its_name_and_address():
    guard = Guard.of(["0.0.0.0/0"], ["http://10.9.8.7:4566", "https://stores.invalid"])

    assert not guard.permits("10.9.8.7", 4566)
    assert guard.permits("10.9.8.7", 80)
    assert not guard.permits_name("Stores.Invalid.", 443)
    assert guard.permits_name("stores.invalid", 8443)


@pytest.mark.parametrize(
    "wrapped",
    [
        "::ffff:10.9.8.7",
        "::10.9.8.7",
        "::ffff:0:10.9.8.7",
        "64:ff9b::10.9.8.7",
        "64:ff9b:1::10.9.8.7",
        "2002:a09:807::1",
    ],
)
def test_a_refused_endpoint_stays_closed_through_a_translator(wrapped):
    guard = Guard.of(["::/0"], ["http://10.9.8.7:4566"])

    assert not guard.permits(wrapped, 4566)
    assert guard.permits(wrapped, 80)


def test_what_is_no_network_is_an_error_of_the_operator():
    with pytest.raises(ValueError, match="example"):
        Guard.of(["example.com"], [])


def test_one_configuration_has_one_guard():
    assert configured(("127.0.0.1/32",), ()) is configured(("127.0.0.1/32",), ())
