"""What a body is, by its first bytes first, by its declared type second and by its address third."""

import re
from typing import Final, Literal

from verbena import settings, wire
from verbena.errors import UnsupportedType
from web_scrape.languages import is_code

Kind = Literal["html", "json", "xml", "text", "csv", "code", "pdf"]

_SNIFF_BYTES: Final = 2048
# First bytes of what is no text. `ftyp` of MP4 and the tag of WAV, AVI and WebP stand a few bytes in.
_SIGNATURES: Final = (
    (b"%PDF-", "application/pdf"), (b"\x89PNG\r\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"), (b"GIF89a", "image/gif"), (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"), (b"\x1f\x8b", "application/gzip"), (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"), (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"), (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"), (b"{\\rtf", "application/rtf"),
    (b"%!PS", "application/postscript"), (b"OggS", "application/ogg"), (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"), (b"RIFF", "audio-video/riff"), (b"\x1aE\xdf\xa3", "video/webm"),
    (b"II*\x00", "image/tiff"), (b"MM\x00*", "image/tiff"), (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"wOFF", "font/woff"), (b"wOF2", "font/woff2"), (b"\x7fELF", "application/x-elf"),
    (b"MZ\x90\x00", "application/x-msdownload"), (b"\x00asm", "application/wasm"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"), (b"\x00\x00\x00\x0cjP  ", "image/jp2"),
)  # fmt: skip
# What may stand before the first element. Possessive: of many comments a matcher that may come back to one tries
# every way to take some of them for one.
_PREAMBLE = rb"(?:\s++|<!--(?:(?!-->).)*+-->|<\?[^>]*+>)*+"
_HTML_START = re.compile(
    _PREAMBLE + rb"<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|p|h1|table|br|a|b|iframe|font)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_FEEDS = rb"(?:\w+:)?(?:rss|feed|rdf:RDF|RDF|urlset|sitemapindex|opml)[\s>]"
_XML_START = re.compile(rb"\s*<(?:\?xml\s|" + _FEEDS + rb")")
_XHTML_ROOT = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_JSON_START = re.compile(rb"\s*[\[{]")
_FEED_START = re.compile(_PREAMBLE + rb"<" + _FEEDS, re.DOTALL)
_TABLE_TYPES: Final = frozenset(
    {"text/csv", "application/csv", "text/x-csv", "text/comma-separated-values", "text/tab-separated-values"}
)
_TABLE_NAME = re.compile(r"\.(?:csv|tsv)(?:$|[?#])", re.IGNORECASE)
# What a server says of a file it knows nothing of.
_NO_TYPES: Final = frozenset(
    {"", "text/plain", "application/octet-stream", "binary/octet-stream", "application/unknown"}
)
_JSON_TYPES: Final = frozenset(
    {"application/json", "text/json", "application/x-ndjson", "application/jsonl", "application/ndjson"}
)
_MEDIA: Final = ("image/", "audio/", "video/", "font/", "model/")
# Control characters that no text in any charset of the web contains (ESC is ISO-2022's; NUL is UTF-16's).
_CONTROLS: Final = bytes({*range(32), 127} - {9, 10, 12, 13, 27})
_UTF16_STARTS: Final = (b"\xff\xfe", b"\xfe\xff", b"<\x00", b"\x00<")
_MAX_CONTROL_SHARE: Final = 0.02


def unpacked(body: bytes, content_type: str | None) -> tuple[bytes, str | None]:
    """What a gzip file holds, its type still to be found, or the body as it is.

    A site's map is often such a file; Content-Encoding is another matter, undone before. Raises as `wire.decoded`.
    """
    if not body.startswith(wire.GZIP_MAGIC):
        return body, content_type
    return wire.decoded(body, ("gzip",), settings.DECODED_CAP_BYTES), None


def kind_of(body: bytes, content_type: str | None, url: str = "") -> tuple[Kind, str]:
    """How to read the body, and its media type. Raises UnsupportedType for everything that is not text."""
    declared = (content_type or "").partition(";")[0].strip().lower()
    head = body[:_SNIFF_BYTES].removeprefix(b"\xef\xbb\xbf")
    binary = None if _says_utf16(content_type) else _binary_type(body, head)
    if binary == "application/pdf":
        return "pdf", binary
    if binary:
        raise UnsupportedType(f"The body is {binary}, which this verb cannot turn into text.", media_type=binary)
    kind = _text_kind(body, head, declared, url)
    if kind is None:
        raise UnsupportedType(f"The body is {declared}, which this verb cannot turn into text.", media_type=declared)
    return kind, declared or _DEFAULT_TYPES[kind]


_DEFAULT_TYPES: Final[dict[Kind, str]] = {
    "html": "text/html",
    "json": "application/json",
    "xml": "application/xml",
    "text": "text/plain",
    "csv": "text/csv",
    "code": "text/plain",
    "pdf": "application/pdf",
}


def _binary_type(body: bytes, head: bytes) -> str | None:
    start = head.lstrip(b"\r\n\t \x00")[:16] if head[:1] in b"\r\n\t " else head
    for signature, name in _SIGNATURES:
        if start.startswith(signature) and not _is_prose(signature, head):
            return name
    if head[4:8] == b"ftyp":
        return "video/mp4"
    if b"%PDF-" in head[:1024] and not _HTML_START.match(head):
        return "application/pdf"
    if body.startswith(_UTF16_STARTS):  # every other byte is a control
        return None
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return (
        "application/octet-stream"
        if controls > _MAX_CONTROL_SHARE * len(head) and not _HTML_START.match(head)
        else None
    )


def _is_prose(signature: bytes, head: bytes) -> bool:
    """Signatures made of letters can begin a sentence; a binary file has control characters soon after."""
    return signature.isalnum() and not any(byte in _CONTROLS for byte in head[:64])


def _says_utf16(content_type: str | None) -> bool:
    """Every other byte of such a text is a control; only a declared one has no mark to tell it by."""
    return "utf-16" in (content_type or "").lower()


def _text_kind(body: bytes, head: bytes, declared: str, url: str) -> Kind | None:
    if declared in _JSON_TYPES or declared.endswith("+json"):
        return "json"
    looks = _looks_like(head)
    if declared.startswith(_MEDIA):
        return "html" if looks == "html" else None
    if declared in {"text/html", "application/xhtml+xml"}:
        return _markup_kind(body, looks)
    return _plain_kind(head, declared, url, looks)


def _markup_kind(body: bytes, looks: Kind | None) -> Kind:
    """What calls itself HTML. Without a single tag it is text, whose lines a parser would run together."""
    if looks in {"xml", "json"}:
        return looks
    return "html" if b"<" in body or body.startswith(_UTF16_STARTS) else "text"


def _plain_kind(head: bytes, declared: str, url: str, looks: Kind | None) -> Kind:
    if declared in _TABLE_TYPES or (declared in _NO_TYPES and _TABLE_NAME.search(url)):
        return "csv"
    if is_code(declared, url if declared in _NO_TYPES else ""):
        return "code"
    if declared.endswith(("/xml", "+xml")):
        return looks or "xml"
    if declared.startswith("text/"):
        return "xml" if _FEED_START.match(head) else "text"
    return looks or "text"


def _looks_like(head: bytes) -> Kind | None:
    if _XML_START.match(head):
        return "html" if _XHTML_ROOT.search(head) else "xml"
    if _HTML_START.match(head):
        return "html"
    return "json" if _JSON_START.match(head) else None
