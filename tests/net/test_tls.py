"""TLS: verified, or a typed refusal that says why."""

import asyncio
import datetime as dt
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.net.serving import HOLD, LOOPBACK, Served, get, ok, serving
from verbena.errors import ReadError

NOW = dt.datetime.now(dt.UTC)


@pytest.fixture(scope="module")
def issued(tmp_path_factory):
    """Paths of a certificate for harbour.test and of its key."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "harbour.test")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(NOW - dt.timedelta(days=1))
        .not_valid_after(NOW + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("harbour.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "cert.pem", folder / "key.pem"


async def here(_host, _port):
    return ["127.0.0.1"]


async def visit(issued, name, **options):
    """Read https://name/ from a server that holds the issued certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*issued)
    served = Served([[ok(b"safe")]])
    server = await asyncio.start_server(served.answer, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    try:
        return await get(f"https://{name}:{port}/", lookup=here, **options)
    finally:
        server.close()


def test_a_page_behind_a_trusted_certificate_is_read(issued):
    trusting = ssl.create_default_context(cafile=issued[0])

    assert asyncio.run(visit(issued, "harbour.test", tls=trusting)).body == b"safe"


def test_a_certificate_nobody_vouches_for_is_refused_with_the_reason(issued):
    with pytest.raises(ReadError) as caught:
        asyncio.run(visit(issued, "harbour.test"))

    assert caught.value.code == "tls_error"
    assert "self" in caught.value.details["reason"]


def test_a_certificate_of_another_host_is_refused(issued):
    trusting = ssl.create_default_context(cafile=issued[0])

    with pytest.raises(ReadError) as caught:
        asyncio.run(visit(issued, "other.test", tls=trusting))

    assert caught.value.code == "tls_error"


def test_a_server_that_speaks_no_tls_is_a_tls_error():
    async def speak():
        async def plain(_, writer):
            writer.write(ok(b"plain"))
            writer.close()

        server = await asyncio.start_server(plain, "127.0.0.1", 0)
        try:
            await get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        finally:
            server.close()

    with pytest.raises(ReadError) as caught:
        asyncio.run(speak())
    assert caught.value.code == "tls_error"


def test_a_handshake_that_never_ends_meets_the_deadline():
    async def wait():
        async with serving(HOLD) as served:
            await get(served.url().replace("http:", "https:"), guard=LOOPBACK, seconds=0.3)

    with pytest.raises(ReadError) as caught:
        asyncio.run(wait())
    assert caught.value.code == "timeout"
