"""Failures that belong to no vendor: silence, slowness, broken connections, answers that are no answers."""

import json
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass

BEAT_S = 0.02
HUGE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Fault:
    act: Callable
    expected_class: str = "transient"
    expected_urls: tuple[str, ...] | None = None


def hang(exchange):
    """Nothing at all until the double is released, then the success."""
    exchange.released.wait()
    exchange.send(exchange.success())


def slow_headers(exchange):
    """A byte now and then, so that no pause is long, inside a header that ends when the double is released."""
    exchange.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not exchange.released.wait(BEAT_S):
        exchange.write(b"z")
    body = exchange.success().encoded()
    exchange.write(b"\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


def slow_body(exchange):
    """White space now and then, as long as nobody releases the double, then the success."""
    exchange.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
    while not exchange.released.wait(BEAT_S):
        exchange.write(b" ")
    exchange.write(exchange.success().encoded())
    exchange.close()


def reset(exchange):
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.close()


def short_body(exchange):
    """Half of what Content-Length promised."""
    body = exchange.success().encoded()
    exchange.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
    exchange.write(body[: len(body) // 2])
    exchange.close()


def truncated_json(exchange):
    """A complete answer whose JSON ends in the middle."""
    body = exchange.success().encoded()
    exchange.send_bytes(200, body[: len(body) // 2])


def huge_body(exchange):
    """White space beyond any cap, told in no Content-Length."""
    exchange.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
    for _ in range(HUGE_BYTES // 65536):
        exchange.write(b" " * 65536)
    exchange.close()


def invalid_utf8(exchange):
    exchange.send_bytes(200, json.dumps({"query": "caf\xe9 \xff"}, ensure_ascii=False).encode("latin-1"))


def status(code, body=b"", content_type="text/html"):
    return Fault(lambda exchange: exchange.send_bytes(code, body, content_type))


def json_200(body):
    return Fault(lambda exchange: exchange.send_bytes(200, body))


PAGE = b"<!doctype html><title>Just a moment</title><p>One moment please."

FAULTS = {
    "hang": Fault(hang),
    "slow_headers": Fault(slow_headers),
    "slow_body": Fault(slow_body),
    "closed": Fault(lambda exchange: exchange.close()),
    "reset": Fault(reset),
    "short_body": Fault(short_body),
    "html_200": status(200, PAGE),
    "empty_body": json_200(b""),
    "truncated_json": Fault(truncated_json),
    "json_list": json_200(b"[]"),
    "json_text": json_200(b'"ok"'),
    "json_null": json_200(b"null"),
    "huge_body": Fault(huge_body),
    "invalid_utf8": Fault(invalid_utf8),
    "redirected": Fault(lambda exchange: exchange.send_bytes(302, b"", Location="/moved")),
    "server_error": status(500, PAGE),
    "bad_gateway": status(502, PAGE),
    "unavailable": status(503, PAGE),
    "gateway_timeout": status(504),
}
