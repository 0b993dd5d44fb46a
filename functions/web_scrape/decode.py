"""Turn bytes into text as a browser does, and say how the charset was found."""

import re
from dataclasses import dataclass
from typing import Final, Literal

CharsetSource = Literal["bom", "header", "meta", "detected", "default"]

# A prescan reads 1,024 bytes in the WHATWG algorithm; browsers re-parse on a later declaration, so more is read here.
_PRESCAN_BYTES: Final = 8192
# The share of a page's non-ASCII bytes that may be undecodable before its declared charset is taken for a lie.
# One cut character in a long text stays below it; a legacy page declared UTF-8 is far above.
_MAX_BROKEN_SHARE: Final = 0.05

_BOMS: Final = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe", "UTF-16LE"), (b"\xfe\xff", "UTF-16BE"))
# Markup without a mark whose every other byte is zero.
_UTF16_STARTS: Final = tuple(
    (start.encode(codec), charset)
    for start in ("<?", "<!", "<h", "<H")
    for codec, charset in (("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE"))
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*>", re.IGNORECASE)
# `charset=` stands alone or anywhere in a `content` value, with or without a media type before it.
_META_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"'/>;]+)""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""\A\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)
_NON_ASCII = bytes(range(128, 256))


@dataclass(frozen=True)
class Decoded:
    """Text without a byte order mark, the WHATWG name of its charset, and where that name came from."""

    text: str
    charset: str
    source: CharsetSource


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """The text of `body`: BOM, then header, then in-document declaration, then detection; never raises."""
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return Decoded(_text(body[len(mark) :], charset), charset, "bom")
    header = _known(_HEADER_CHARSET.search(content_type or ""))
    inside = _declared_inside(body)
    if header and inside == "UTF-8" and header != "UTF-8" and _is_multibyte_utf8(body):
        header = None  # a server's default label over a page that says, and is, UTF-8
    return _declared(body, header, inside) or _detected(body)


def _declared(body: bytes, header: str | None, inside: str | None) -> Decoded | None:
    candidates: tuple[tuple[str | None, CharsetSource], ...] = ((header, "header"), (inside, "meta"))
    for charset, source in candidates:
        if charset:
            text = _text(body, charset)
            if not _violates(body, text):
                return Decoded(text, charset, source)
    return None


def _detected(body: bytes) -> Decoded:
    for start, charset in _UTF16_STARTS:
        if body.startswith(start):
            return Decoded(_text(body, charset), charset, "detected")
    text = _text(body, "UTF-8")
    if not _violates(body, text):
        return Decoded(text, "UTF-8", "default" if body.isascii() else "detected")
    # Imported late: importing the executor must not pay for an engine it may never use.
    from turbohtml.detect import detect  # noqa: PLC0415

    # What the page declares was refused above, so the bytes are judged alone.
    match = detect(_META_CHARSET.sub(b"", body[:_PRESCAN_BYTES]) + body[_PRESCAN_BYTES:])
    charset = match.encoding or "windows-1252"
    return Decoded(_text(body, charset), charset, "detected" if match.confidence else "default")


def _declared_inside(body: bytes) -> str | None:
    head = body[:_PRESCAN_BYTES]
    for tag in _META.finditer(_COMMENT.sub(b"", head)):
        if charset := _known(_META_CHARSET.search(tag[0])):
            return _not_utf16(charset)
    charset = _known(_XML_ENCODING.match(head))
    return _not_utf16(charset) if charset else None


def _not_utf16(charset: str) -> str:
    """A declaration that could be read byte by byte cannot be UTF-16; the WHATWG prescan reads it as UTF-8."""
    return "UTF-8" if charset.startswith("UTF-16") else charset


def _known(label: re.Match[str] | re.Match[bytes] | None) -> str | None:
    """The WHATWG name for a label, or None for a label nobody knows (the next hint is asked then)."""
    if label is None:
        return None
    raw = label[1]
    name = raw.decode("latin-1") if isinstance(raw, bytes) else raw
    import turbohtml  # noqa: PLC0415

    try:
        encoding = turbohtml.parse(b"", encoding=name).encoding
    except LookupError:
        return None
    return None if encoding == "replacement" else encoding


def _text(body: bytes, charset: str) -> str:
    if charset == "UTF-8":
        text = body.decode("utf-8", "replace")
    else:
        import turbohtml.detect  # noqa: F401, PLC0415  (registers the whatwg-* codecs)

        text = body.decode(f"whatwg-{charset}", "replace")
    return text.removeprefix("\ufeff")


def _violates(body: bytes, text: str) -> bool:
    broken = text.count("\ufffd") - body.count("\ufffd".encode())
    if broken <= 0:
        return False
    non_ascii = len(body) - len(body.translate(None, _NON_ASCII))
    return broken > _MAX_BROKEN_SHARE * non_ascii


def _is_multibyte_utf8(body: bytes) -> bool:
    if body.isascii():
        return False
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
