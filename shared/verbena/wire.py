"""Content codings: from the bytes on the wire to the bytes of the page, never more than a cap."""

import sys
import zlib
from collections.abc import Callable
from typing import Any, Final

import brotli  # type: ignore[import-untyped]  # ships no types

from verbena.errors import BadResponse, BodyTooLarge, TruncatedBody

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Exactly what `decoded` can read.
ACCEPT_ENCODING: Final = "gzip, deflate, br, zstd"
# Servers write these where a coding belongs; browsers show such pages as they are.
PLAIN: Final = frozenset({"", "identity", "none", "binary", "8bit", "utf-8", "utf8", "iso-8859-1"})
# Two are met in the field (a proxy packs what the server packed); more is an attack.
MOST_CODINGS: Final = 3
# Members are mostly 64 KiB and more, so this is beyond the cap on size; each costs a copy of what follows it.
MOST_MEMBERS: Final = 1024
GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
# RFC 9659: a server must not ask a client for a window over 8 MiB.
ZSTD_OPTIONS: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 23}
MARKUP: Final = (b"<", b"{", b"[")


def codings(content_encoding: str) -> tuple[str, ...]:
    """The codings of a Content-Encoding value, in the order they were applied; BadResponse if one is unknown."""
    if not content_encoding:
        return ()
    named = tuple(name for part in content_encoding.split(",") if (name := part.strip().lower()) not in PLAIN)
    if len(named) > MOST_CODINGS or not all(name in _DECODERS for name in named):
        raise BadResponse("The server used a content coding that was not offered.", content_encoding=content_encoding)
    return named


def decoded(body: bytes, names: tuple[str, ...], cap: int) -> bytes:
    """Undo `names`, last first.

    Raises BodyTooLarge once more than `cap` bytes come out, TruncatedBody when the stream has no end and
    BadResponse when it is corrupt. A body that is plain markup whatever its header says is left as it is.
    """
    for name in reversed(names):
        if not body:
            break
        try:
            body = _DECODERS[name](body, cap)
        except (zlib.error, brotli.error, zstd.ZstdError) as error:
            if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(MARKUP):
                raise BadResponse(f"The page's {name} data is corrupt.") from error
    return body


def packed(body: bytes) -> bytes:
    """A body as it is kept; `decoded` with "zstd" undoes it."""
    return zstd.compress(body)


def _gzip(body: bytes, cap: int) -> bytes:
    return _frames(lambda: zlib.decompressobj(16 + zlib.MAX_WBITS), GZIP_MAGIC, body, cap)


def _zstd(body: bytes, cap: int) -> bytes:
    return _frames(lambda: zstd.ZstdDecompressor(options=ZSTD_OPTIONS), ZSTD_MAGIC, body, cap)


def _deflate(body: bytes, cap: int) -> bytes:
    """With the zlib header the standard asks for, or without it, as many servers send it."""
    wrapped = body[0] & 0x0F == zlib.DEFLATED and int.from_bytes(body[:2]) % 31 == 0
    return _frames(lambda: zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS), None, body, cap)


def _frames(start: Callable[[], Any], magic: bytes | None, body: bytes, cap: int) -> bytes:
    """All members of a body, by decoders as zlib and zstd both have them.

    What follows the last is ignored, as browsers do.
    """
    page = bytearray()
    for _ in range(MOST_MEMBERS):
        frame = start()
        page += frame.decompress(body, cap + 1 - len(page))
        _check(len(page), cap, ended=frame.eof)
        body = frame.unused_data
        if magic is None or not body.startswith(magic):
            return bytes(page)
    raise BadResponse(f"The page is compressed in more than {MOST_MEMBERS} pieces.")


def _brotli(body: bytes, cap: int) -> bytes:
    stream = brotli.Decompressor()
    page = bytearray(stream.process(body, output_buffer_limit=cap + 1))
    while len(page) <= cap and not stream.is_finished() and not stream.can_accept_more_data():
        page += stream.process(b"", output_buffer_limit=cap + 1 - len(page))
    _check(len(page), cap, ended=stream.is_finished())
    return bytes(page)


def _check(size: int, cap: int, *, ended: bool) -> None:
    if size > cap:
        raise BodyTooLarge(decoded_cap_bytes=cap)
    if not ended:
        raise TruncatedBody("The compressed page ends before its end mark.")


_DECODERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
