"""Content codings, whole, cut off, corrupt and hostile."""

import gzip
import sys
import zlib

import brotli
import pytest

from verbena.errors import BadResponse, BodyTooLarge, TruncatedBody
from verbena.wire import ACCEPT_ENCODING, codings, decoded

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PAGE = b"<p>" + b"The ferry leaves at nine. " * 200 + b"</p>"
CAP = 100_000


def raw_deflate(page):
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(page) + stream.flush()


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZIP": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


def unpacked(body, content_encoding, cap=CAP):
    return decoded(body, codings(content_encoding), cap)


@pytest.mark.parametrize("name", PACKERS)
def test_a_packed_page_comes_out_as_it_went_in(name):
    assert unpacked(PACKERS[name](PAGE), name) == PAGE


def test_everything_that_is_offered_can_be_read():
    for name in ACCEPT_ENCODING.split(", "):
        assert unpacked(PACKERS[name](PAGE), name) == PAGE


def test_deflate_without_its_wrapper_is_read_too():
    assert unpacked(raw_deflate(PAGE), "deflate") == PAGE


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_all_members_of_a_body_are_read(name):
    assert unpacked(PACKERS[name](PAGE) * 3, name) == PAGE * 3


@pytest.mark.parametrize("rest", [b"\0" * 512, b"junk after the end"])
@pytest.mark.parametrize("name", ["gzip", "deflate", "zstd"])
def test_what_follows_the_last_member_is_ignored(name, rest):
    assert unpacked(PACKERS[name](PAGE) + rest, name) == PAGE


@pytest.mark.parametrize("content_encoding", ["gzip, gzip", "gzip,br", "deflate , zstd", "identity, gzip, utf-8"])
def test_codings_are_undone_in_reverse(content_encoding):
    body = PAGE
    for name in (part.strip() for part in content_encoding.split(",")):
        body = PACKERS.get(name, bytes)(body)

    assert unpacked(body, content_encoding) == PAGE


@pytest.mark.parametrize("content_encoding", ["", "identity", "none", "UTF-8", " , ", "binary"])
def test_a_header_that_names_no_coding_leaves_the_page_alone(content_encoding):
    assert unpacked(PAGE, content_encoding) == PAGE


@pytest.mark.parametrize("content_encoding", ["compress", "aes128gcm", "gzip, sdch", "gzip, gzip, gzip, gzip"])
def test_a_coding_that_was_not_offered_is_refused(content_encoding):
    with pytest.raises(BadResponse):
        codings(content_encoding)


@pytest.mark.parametrize("kept", [1, 5, 12, 0.5, -9, -1])
@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_a_stream_without_its_end_is_cut_off_wherever_it_stops(name, kept):
    body = PACKERS[name](PAGE)
    cut = body[: int(len(body) * kept)] if isinstance(kept, float) else body[:kept]

    with pytest.raises(TruncatedBody):
        unpacked(cut, name)


@pytest.mark.parametrize("name", PACKERS)
def test_an_empty_body_is_empty_in_every_coding(name):
    assert unpacked(b"", name) == b""
    assert unpacked(PACKERS[name](b""), name) == b""


def test_a_wrong_checksum_is_corrupt():
    body = bytearray(gzip.compress(PAGE))
    body[-8] ^= 0xFF

    with pytest.raises(BadResponse):
        unpacked(bytes(body), "gzip")


@pytest.mark.parametrize("name", ["gzip", "deflate", "zstd", "br"])
def test_binary_data_in_no_coding_is_corrupt(name):
    with pytest.raises(BadResponse):
        unpacked(b"\xff\xd8\xff\xe0" * 50, name)


@pytest.mark.parametrize("name", ["gzip", "zstd", "br"])
def test_plain_markup_under_the_label_of_a_coding_is_the_page(name):
    assert unpacked(PAGE, name) == PAGE


@pytest.mark.parametrize("content_encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_page_of_exactly_the_cap_passes_and_one_byte_more_does_not(content_encoding):
    pack = PACKERS[content_encoding]

    assert len(unpacked(pack(bytes(CAP)), content_encoding)) == CAP
    with pytest.raises(BodyTooLarge):
        unpacked(pack(bytes(CAP + 1)), content_encoding)


@pytest.mark.parametrize("content_encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "zstd, br"])
def test_a_bomb_is_given_up_at_the_cap(content_encoding):
    body = bytes(8_000_000)
    for name in content_encoding.split(", "):
        body = PACKERS[name](body)

    assert len(body) < CAP
    with pytest.raises(BodyTooLarge):
        unpacked(body, content_encoding)


def test_a_bomb_of_many_members_is_given_up_at_the_cap():
    with pytest.raises(BodyTooLarge):
        unpacked(gzip.compress(bytes(CAP // 10)) * 20, "gzip")


def test_a_body_of_countless_empty_members_is_refused():
    with pytest.raises(BadResponse):
        unpacked(gzip.compress(b"") * 5000, "gzip")


def test_a_zstd_window_beyond_what_a_server_may_ask_is_refused():
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.enable_long_distance_matching: 1}
    packer = zstd.ZstdCompressor(options=options)
    body = packer.compress(bytes(9_000_000)) + packer.flush()

    with pytest.raises(BadResponse):
        unpacked(body, "zstd", cap=50_000_000)
