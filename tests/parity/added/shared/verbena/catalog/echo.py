"""The contract of a verb that the tests add."""

from typing import Literal

from pydantic import Field

from verbena.capability import Capability, Mode
from verbena.envelope import ItemRow, Model


class Voice(Model):
    """How to say it."""

    pitch: Literal["low", "high"] = "low"
    times: int = Field(default=1, ge=1, le=3, description="How often.")


class EchoInput(Model):
    """What to say back, and how."""

    words: list[str] = Field(min_length=1, max_length=100, description="What to say.", examples=[["hello"]])
    voice: Voice | None = Field(default=None, description="Unset: low, and once.")


class EchoRow(ItemRow):
    """One word."""

    word: str = Field(description="As it was given.")
    echo: str | None = None


ECHO_BACK = Capability(
    name="echo.back",
    summary="Say words back.",
    input=EchoInput,
    row=EchoRow,
    mode=Mode(inline_limit=5, items="words", item="word"),
    executor="echo.executor:back",
    unit="web_crawl",
    id="echo_back",
)
