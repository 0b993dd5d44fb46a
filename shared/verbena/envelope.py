"""The one answer of every call on every door, and the rows inside it."""

from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from verbena.errors import VerbenaError, by_code


class Model(BaseModel):
    """A published shape: unknown fields are refused, and its names are final."""

    # Built on first use: a function pays for the models of its own verbs only.
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


class ErrorInfo(Model):
    """Why a call or a row failed."""

    code: str = Field(description="Stable machine-readable code.")
    message: str = Field(description="What happened, and what to do about it.")
    retryable: bool = Field(description="Whether the same request may succeed later.")
    details: dict[str, Any] | None = Field(default=None, description="Facts a program can act on.")

    @classmethod
    def of(cls, error: VerbenaError) -> "ErrorInfo":
        """The published form of a typed error."""
        fields: dict[str, Any] = {"code": error.code, "message": error.message, "retryable": error.retryable}
        return cls(**fields, details=error.details) if error.details else cls(**fields)

    def raised(self) -> VerbenaError:
        """The typed error again, on the other side of a wire; a code that is not known here stays in the message."""
        kind = by_code(self.code)
        message = self.message if kind.code == self.code else f"{self.code}: {self.message}"
        return kind(message, **(self.details or {}))


RowStatus = Literal["success", "empty", "failed"]


class ItemRow(Model):
    """What every row of an item verb has: its place in the input and its outcome."""

    index: int = Field(description="Position of the item in the input list, from 0.")
    status: RowStatus = Field(description="'success' is billed; 'empty' and 'failed' are not and carry `error`.")
    error: ErrorInfo | None = Field(default=None, description="Present unless status is 'success'.")
    truncated: bool | None = Field(default=None, description="Present and true when the row was cut to fit.")
    content_ref: str | None = Field(default=None, description="Path that returns the whole row when it was cut.")


class Progress(Model):
    """How far a job is, counted in positions of the input."""

    done: int
    total: int | None = Field(description="null while a paged verb does not know its end.")


class Usage(Model):
    """What was counted and what it costs; the two moneys are never added."""

    units: dict[str, int] = Field(default_factory=dict, description="Billed quantity by unit.")
    charge_micros: int = Field(default=0, description="What the wallet pays, in micro-USD.")
    vendor_cost_micros: int | None = Field(
        default=None, description="What vendors say it cost them, in micro-USD; null is unknown, not free."
    )
    unknown_costs: int = Field(default=0, description="How many vendor calls did not say their cost.")


class Attempt(Model):
    """One try of one provider, recorded on success too."""

    provider: str
    driver: str
    ok: bool
    kind: str | None = Field(default=None, description="Failure class when not ok.")
    ms: int
    hits: int | None = None
    message: str | None = None


class Quote(Model):
    """The upper bound of a call, before it runs."""

    units: dict[str, int]
    max_charge_micros: int


class Meta(Model):
    """What a verb says beside its rows."""

    quote: Quote | None = Field(default=None, description="With dry_run: the most this call can cost.")
    warnings: list[str] | None = Field(default=None, description="What was adjusted, such as a clamped limit.")


class AnyMeta(Meta):
    """What any verb may say beside its rows, for readers that do not know which verb it was."""

    model_config = ConfigDict(extra="allow")


Row = TypeVar("Row")
M = TypeVar("M", bound=Meta)


class Envelope(BaseModel, Generic[Row, M]):
    """`completed` or `pending`; a failed call is `completed` with `error` and whatever rows exist."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    status: Literal["completed", "pending"]
    job_id: str | None = Field(default=None, description="Present when the call is a job.")
    progress: Progress | None = None
    results: list[Row] | None = Field(default=None, description="One row per item, in input order.")
    error: ErrorInfo | None = None
    usage: Usage | None = None
    attempts: list[Attempt] | None = None
    meta: M | None = None
    next: str | None = Field(default=None, description="Absolute URL of the next page of results.")

    def wire(self) -> dict[str, Any]:
        """The JSON form: absent fields are left out, nulls that mean "unknown" stay."""
        parts: dict[str, Any] = {
            "status": self.status,
            "job_id": self.job_id,
            "progress": self.progress and self.progress.model_dump(mode="json"),
            "results": self.results,
            "error": self.error and self.error.model_dump(mode="json", exclude_none=True),
            "usage": self.usage and self.usage.model_dump(mode="json"),
            "attempts": self.attempts and [made.model_dump(mode="json", exclude_none=True) for made in self.attempts],
            "meta": self.meta and self.meta.model_dump(mode="json", exclude_none=True),
            "next": self.next,
        }
        return {name: value for name, value in parts.items() if value is not None}


JsonRow = dict[str, Any]
Answered = Envelope[JsonRow, Meta]
"""An envelope whose rows are already JSON: what the call path makes and every door sends."""


AnyAnswer = Envelope[JsonRow, AnyMeta]
"""An envelope whose verb is not known beforehand: a job's."""


def failed(error: VerbenaError) -> Answered:
    """The envelope of a call that has nothing but its error."""
    return Answered(status="completed", error=ErrorInfo.of(error), attempts=list(error.attempts) or None)
