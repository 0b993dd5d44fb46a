"""The shapes of REST's answers and query parameters beside the envelope."""

from datetime import date
from typing import Any, Literal

from pydantic import Field

from verbena import settings
from verbena.envelope import ErrorInfo, Model, Usage

EARLIEST = date(2000, 1, 1)
"""Nothing was billed before; a date near the year 1 has no month before it."""


class Query(Model):
    """Query parameters: strings that say what they mean, nothing unknown."""


class NoQuery(Query):
    """No parameters."""


class PageQuery(Query):
    """Which rows of a job."""

    limit: int | None = Field(
        default=None, ge=1, le=settings.PAGE_LIMIT, description="Rows of this page; none without it."
    )
    cursor: int = Field(default=0, ge=0, description="Input position of the first row.")


class ListQuery(Query):
    """Which jobs."""

    limit: int = Field(default=20, ge=1, le=100, description="Jobs of this page, newest first.")
    before: str | None = Field(
        default=None,
        pattern=r"^\d{4}-[\dT:.Z-]{1,20}(/[0-9a-f]{32})?$",
        description="Only jobs created before this ISO moment; `next` says after which job to go on.",
    )


class ToolsQuery(Query):
    """For whose models."""

    format: Literal["openai", "anthropic", "gemini", "mcp"] = Field(
        default="openai", description="The vendor whose requests the tools go into; `mcp` is the list of MCP's tools."
    )


class UsageQuery(Query):
    """Which days, in UTC."""

    first: date | None = Field(
        default=None, ge=EARLIEST, alias="from", description="Default: 30 days before `to`; 2000 or later."
    )
    last: date | None = Field(default=None, ge=EARLIEST, alias="to", description="Default: today; 2000 or later.")


class JobSummary(Model):
    """One job of a list."""

    job_id: str
    verb: str
    status: str
    created_at: str
    completed_at: str | None
    items: int | None = Field(description="Positions of the input; null for a verb without a list.")
    usage: Usage | None
    error: ErrorInfo | None
    resumed_from: str | None


class JobList(Model):
    """Jobs, newest first."""

    jobs: list[JobSummary]
    next: str | None = Field(description="Absolute URL of older jobs.")


class WalletView(Model):
    """What can be spent, in micro-USD."""

    available_micros: int
    held_micros: int


class UsageLine(Model):
    """What one verb was billed on one day."""

    day: str
    verb: str
    units: dict[str, int]
    charge_micros: int


class UsageReport(Model):
    """Sums of the ledger's facts."""

    days: list[UsageLine]
    charge_micros: int


class VerbView(Model):
    """One verb of the catalog."""

    name: str
    summary: str
    path: str
    scope: str
    unit: str
    price_micros: int
    inline_limit: int | None = Field(description="Distinct items answered within the request; null: no list.")
    input_schema: dict[str, Any]
    row_schema: dict[str, Any]


class UnitView(Model):
    """One unit of the price book."""

    unit: str
    price_micros: int = Field(description="What one costs here, in micro-USD.")
    default_micros: int = Field(description="What one costs unless the operator sets a price.")
    counts: str = Field(description="What is counted.")


class VerbList(Model):
    """The catalog and the price book."""

    verbs: list[VerbView]
    prices: list[UnitView]


class ToolList(Model):
    """The verbs, and what reads their jobs, as tools of a model."""

    tools: list[dict[str, Any]] = Field(description="What goes into `tools` of a request to the vendor, as it is.")


class Health(Model):
    """The service answers."""

    status: str
