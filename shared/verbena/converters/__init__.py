"""Files as documents: bytes in, plain HTML out, which the reader renders like the HTML of a page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. `body` is HTML of a few tags; dates are ISO 8601; null is what the file does not say.

    `truncated` says that its end was left unread.
    """

    body: str
    pages: int | None = None
    title: str | None = None
    author: str | None = None
    created: str | None = None
    modified: str | None = None
    truncated: bool = False
