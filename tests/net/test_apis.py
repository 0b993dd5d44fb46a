"""Requests to vendors over the guarded client."""

import asyncio
import gzip

import pytest

from tests.net.serving import LOOPBACK, moved, ok, serving
from verbena import apis
from verbena.errors import ReadError
from verbena.guard import Guard
from verbena.net import Client
from verbena.providers import VendorRequest


def ask(*scripts, guard=LOOPBACK, times=1, method="GET", **request):
    """The last response of some equal requests, and the heads the server saw."""

    async def talk():
        async with serving(*scripts) as served, Client(guard) as client:
            for _ in range(times):
                response = await apis.sent(client, VendorRequest(method, served.url("/v1?q=a%2Fb"), **request))
            return response, served.heads

    return asyncio.run(talk())


def test_a_request_goes_out_and_its_json_comes_back():
    response, heads = ask(ok(b'{"hits": [1]}'), method="POST", body=b'{"q":"pier"}', headers={"X-Key": "k"})

    assert response.json == {"hits": [1]}
    assert heads[0].startswith("POST /v1?q=a%2Fb HTTP/1.1\r\n")
    assert "content-length: 12" in heads[0].lower()
    assert "x-key: k" in heads[0].lower()


def test_all_members_of_a_packed_answer_are_read():
    packed = gzip.compress(b'{"hits":') + gzip.compress(b" []}")

    response, _ = ask(ok(packed, b"Content-Encoding: gzip"), method="GET")

    assert response.json == {"hits": []}


def test_a_redirect_is_not_followed():
    response, heads = ask(moved("/elsewhere"), ok(), method="GET")

    assert response.status == 302
    assert len(heads) == 1


def test_no_cookie_is_kept_for_the_next_caller():
    _, heads = ask(ok(b"{}", b"Set-Cookie: id=1"), method="GET", times=2)

    assert len(heads) == 2
    assert "cookie" not in heads[1].lower()


def test_an_inner_address_is_refused_here_too():
    with pytest.raises(ReadError) as caught:
        ask(ok(), guard=Guard(), method="GET")

    assert caught.value.code == "forbidden_address"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_one_request_is_one_request_on_the_wire(method):
    """The library under it would ask a second time when the first connection is dropped."""

    async def talk():
        async with serving(b"") as served, Client(LOOPBACK) as client:
            with pytest.raises(ReadError) as caught:
                await apis.sent(client, VendorRequest(method, served.url()))
            return caught.value.code, len(served.heads)

    assert asyncio.run(talk()) == ("connect_error", 1)


@pytest.mark.parametrize(("method", "ending"), [("GET", 200), ("POST", "connect_error")])
def test_a_kept_connection_that_was_closed_meanwhile_costs_no_try_if_asking_twice_is_harmless(method, ending):
    kept = ok(b"{}", b"Connection: keep-alive")

    async def talk():
        async with serving(kept, b"", kept) as served, Client(LOOPBACK) as client:
            await apis.sent(client, VendorRequest("GET", served.url()))
            try:
                return (await apis.sent(client, VendorRequest(method, served.url()))).status
            except ReadError as error:
                return error.code

    assert asyncio.run(talk()) == ending


def test_an_answer_cut_off_is_no_answer():
    with pytest.raises(ReadError) as caught:
        ask(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}", method="GET")

    assert caught.value.code == "truncated_body"
