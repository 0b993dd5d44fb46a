"""The identity of a URL, where a redirect leads, and how a URL is shown without its secrets."""

import re
from functools import cache
from typing import TYPE_CHECKING

from verbena.errors import InvalidUrl

if TYPE_CHECKING:
    import ada_url

# What browsers, caches and servers of the field agree to carry.
MAX_LENGTH = 2048
# A redirect is the site's own wording, which is often longer: state and return addresses ride in it.
MAX_REDIRECT_LENGTH = 8192
SCHEMES = frozenset({"http:", "https:"})
MASK = "***"

_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]*:)?[/\\]+")


def normalise(url: str) -> str:
    """Two URLs are the same page if this is equal: WHATWG form, without the fragment.

    Raises InvalidUrl unless it is an absolute http(s) URL of at most 2,048 characters without user name
    or password. Applying it again changes nothing.
    """
    if len(url) > MAX_LENGTH:
        raise _too_long(len(url), MAX_LENGTH)
    return _page(url, None, MAX_LENGTH)


def joined(base: str, reference: str) -> str:
    """The page a `Location` value names, seen from `base`; raises InvalidUrl like `normalise`."""
    return _page(reference, base, MAX_REDIRECT_LENGTH)


def masked(url: str) -> str:
    """The URL as it was given, but for a user name and password; works on what is no URL at all."""
    parsed = _parsed(url, None)
    if parsed is None or parsed.protocol not in SCHEMES:
        return _masked_text(url)
    if not _has_userinfo(parsed):
        return url
    parsed.username, parsed.password = MASK, ""
    return str(parsed.href)


def host(url: str) -> str:
    """Host and port of a normalised URL: what politeness is counted by."""
    return url.split("/", 3)[2]


def _page(url: str, base: str | None, most: int) -> str:
    parsed = _parsed(url, base)
    if parsed is None:
        raise InvalidUrl("this is not an absolute URL; it must start with http:// or https:// and name a host")
    if fault := _fault(parsed):
        raise InvalidUrl(fault)
    parsed.hash = ""
    href = str(parsed.href)
    if len(href) > most:
        raise _too_long(len(href), most)
    return href


def _fault(parsed: "ada_url.URL") -> str | None:
    """What keeps a URL from being read."""
    if parsed.protocol not in SCHEMES:
        return f"only http and https URLs are read, not {parsed.protocol[:32]}"
    if not parsed.hostname:
        return "this URL names no host"
    return "a URL with a user name or password in it is not read; leave them out" if _has_userinfo(parsed) else None


def _too_long(length: int, most: int) -> InvalidUrl:
    return InvalidUrl(f"this URL has {length:,} characters, at most {most:,} are read", length=length)


def _parsed(url: str, base: str | None) -> "ada_url.URL | None":
    try:
        return _parser()(url, base=base)
    except ValueError:  # also a lone surrogate, which has no UTF-8 form
        return None


@cache
def _parser() -> "type[ada_url.URL]":
    import ada_url  # noqa: PLC0415 - 13 ms that importing the catalog need not cost

    return ada_url.URL


def _has_userinfo(parsed: "ada_url.URL") -> bool:
    return bool(parsed.username or parsed.password)


def _masked_text(text: str) -> str:
    """Hides all before the last `@`: where a password ends cannot be known in what is no web URL."""
    before, at, after = text.rpartition("@")
    if not at:
        return text
    prefix = _SCHEME.match(before)
    return f"{prefix.group() if prefix else ''}{MASK}@{after}"
