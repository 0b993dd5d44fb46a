"""Input fields that several verbs share, worded once."""

from typing import Annotated

from pydantic import Field

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]

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
