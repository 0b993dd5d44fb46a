"""Input fields that several verbs share, worded once."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field


def _existing(day: str) -> str:
    date.fromisoformat(day)
    return day


Day = Annotated[
    str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", json_schema_extra={"format": "date"}), AfterValidator(_existing)
]
"""A day that exists, YYYY-MM-DD."""

Site = Annotated[
    str,
    # As long as the DNS lets it be, and nothing in it that would be an operator in a query.
    Field(max_length=253, pattern=r"^[^\s/:@?#\"'(),|]+\.[^\s/:@?#\"'(),|]+$", examples=["example.com"]),
]
"""A host name."""

Language = Annotated[
    str | None,
    Field(
        default=None,
        max_length=35,  # what RFC 5646 asks software to make room for
        pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        description="BCP 47 tag, such as 'en'.",
    ),
]

Region = Annotated[
    str | None, Field(default=None, pattern=r"^[A-Za-z]{2}$", description="ISO 3166 country, such as 'fi'.")
]

Pin = Annotated[
    str | None,
    Field(
        default=None,
        max_length=100,
        description="Leave unset: the operator orders the providers. A pin needs the scope 'pin'.",
    ),
]
