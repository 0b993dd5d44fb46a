"""From what a source said of a review to its row: authors only if asked for, what is unknown is null and named."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from maps.places import Origin
from maps.said import between, count, known, prose, text, texts
from verbena.catalog.places import OwnerReply, Review

UNASKED: Final = frozenset({"attribution", "terms"})
"""Fields that speak of the source, not of the review."""


@dataclass(frozen=True, slots=True)
class SaidReview:
    """A review in a source's words. None is unknown."""

    review_id: object
    rating: object = None
    text: object = None
    language: object = None
    translation: object = None
    published_at: object = None
    relative_time: object = None
    likes: object = None
    author: Mapping[str, object] | None = None
    images: Sequence[object] | None = None
    reply: object = None
    reply_at: object = None
    source: object = None


def reviews(found: Sequence[SaidReview], place_id: str, origin: Origin, *, personal_data: bool) -> list[Review]:
    """A row each; what has no id cannot be told from another, and is left out."""
    return [
        _row(said, (key, place_id), origin, personal_data=personal_data)
        for said in found
        if (key := text(said.review_id))
    ]


def _row(said: SaidReview, ids: tuple[str, str], origin: Origin, *, personal_data: bool) -> Review:
    author = {name: written for name, value in (said.author or {}).items() if (written := text(value))}
    reply = prose(said.reply)
    row = Review(
        review_id=ids[0],
        place_id=ids[1],
        rating=between(said.rating, 0, 5),
        text=prose(said.text),
        language=text(said.language),
        translation=prose(said.translation),
        published_at=moment(said.published_at),
        relative_time=text(said.relative_time),
        likes=count(said.likes),
        author=known(author) or None if personal_data else None,
        images=None if said.images is None else texts(list(said.images)),
        owner_reply=OwnerReply(text=reply, at=moment(said.reply_at)) if reply else None,
        source=text(said.source) or "Google",
        provider=origin.provider,
        attribution=origin.terms.attribution,
        terms=origin.terms.storage,
        fetched_at=origin.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        missing=[],
    )
    unasked = UNASKED if personal_data else UNASKED | {"author"}
    missing = [name for name in type(row).model_fields if name not in unasked and getattr(row, name) is None]
    return row.model_copy(update={"missing": missing})


def moment(value: object) -> str | None:
    """An ISO 8601 time as one of UTC, to the second; relative words and days without a time zone are none."""
    said = text(value)
    if said is None or not re.match(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}", said):
        return None
    try:
        read = datetime.fromisoformat(re.sub(r"(\.\d{1,6})\d*", r"\1", said))
    except ValueError:
        return None
    return read.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if read.tzinfo else None
