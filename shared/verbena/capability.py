"""What a verb is: one frozen value from which every door is made, and what its executor takes and gives."""

import importlib
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field

from verbena.billing import Units
from verbena.envelope import Attempt, Envelope, Meta, Model
from verbena.pages import NoPages, Pages
from verbena.providers import Book, Driver, EmptyBook

MOST_MICROS = 10**15
"""A billion USD: more than any wallet, and well within the 38 digits a store keeps of a number."""


class CallOptions(BaseModel):
    """What any call may say beside its input; merged flat into every door's schema."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    async_: bool = Field(default=False, alias="async", description="Answer with a job at once, even for one item.")
    dry_run: bool = Field(default=False, description="Only say what the call can cost at most, in meta.quote.")
    max_charge_micros: int | None = Field(
        default=None, ge=0, le=MOST_MICROS, description="Refuse the call if it could cost more than this, in micro-USD."
    )
    partial: bool = Field(
        default=False, description="On a short balance run the items it covers instead of refusing the call."
    )
    idempotency_key: str | None = Field(
        default=None,
        min_length=1,
        max_length=256,
        description="Repeat a call with the same key and body and the same answer or job comes back, billed once.",
    )


@dataclass(frozen=True, slots=True)
class Mode:
    """How a verb runs: how many items fit in a request, and which input field lists them.

    `items` names the list of the input, `item` the row field that echoes one of it. A verb without items
    runs in the request unless the caller says async.
    """

    inline_limit: int | None = None
    items: str | None = None
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One row an executor made; for item verbs with the position in its input, and units beside the row's own.

    One from a cache took no work, so the row itself costs nothing.
    """

    row: BaseModel
    position: int | None = None
    extra_units: Units = field(default_factory=dict)
    from_cache: bool = False


@dataclass(frozen=True, slots=True)
class Portion:
    """What one execution produced. A position without an answer is left for the rest of the work.

    `units` are those of verbs without items. `rest` is the input that continues a paged verb. `keep_s` is how long
    it may be stored, in seconds; None is as long as any answer.
    """

    answers: Sequence[Answer] = ()
    units: Units = field(default_factory=dict)
    vendor_cost_micros: int | None = None
    unknown_costs: int = 0
    attempts: Sequence[Attempt] = ()
    meta: Meta | None = None
    rest: BaseModel | None = None
    keep_s: int | None = None


@dataclass(frozen=True, slots=True)
class Services:
    """What a deployment lends its executors beside the network: the operator's providers, and pages read before."""

    book: Book = field(default_factory=EmptyBook)
    pages: Pages = field(default_factory=NoPages)


RunVerb = Callable[[str, BaseModel], Awaitable[Portion]]


@dataclass(frozen=True, slots=True)
class Call:
    """What an executor may know of its caller. `deadline` is a reading of `time.monotonic`."""

    owner: str
    correlation_id: str
    deadline: float
    run: RunVerb
    workspace: str | None = None
    services: Services = field(default_factory=Services)

    def remaining(self) -> float:
        """Seconds until the executor must have returned; never negative."""
        return max(0.0, self.deadline - time.monotonic())


Executor = Callable[[Any, Call], Awaitable[Portion]]


@dataclass(frozen=True)
class Capability:
    """A verb. `executor` is `module:function`, loaded on first use; `unit` is what a good row costs.

    `bound` says the most units one item (or a whole call without items) can bill; it is the quote.
    `drivers` is `module:TUPLE` of those its providers may use, `features` is `module:function` of what whoever
    serves an input must honour. `walk` is the input of a paged verb with what its parts remember, which no caller
    may send. `identify` turns an item into what makes it the same as another, or raises the error of its row; `echo`
    is how rows show an item, with nothing secret left in it.
    """

    name: str
    summary: str
    input: type[Model]
    row: type[Model]
    mode: Mode
    executor: str
    unit: str
    id: str
    meta: type[Meta] = Meta
    bound: Callable[[Any], Units] | None = None
    drivers: str | None = None
    features: str | None = None
    walk: type[Model] | None = None
    identify: Callable[[str], str] = str
    echo: Callable[[str], str] = str

    @property
    def namespace(self) -> str:
        return self.name.partition(".")[0]

    @property
    def path(self) -> str:
        """Where REST serves it: `web.scrape` is `/v1/web/scrape`."""
        return "/v1/" + self.name.replace(".", "/")

    @property
    def package(self) -> str:
        """The folder of functions/ that holds its executor; also names its queue."""
        return self.executor.partition(".")[0]

    def units_at_most(self, arguments: BaseModel) -> dict[str, int]:
        """The most one item, or one call without items, may bill."""
        return dict(self.bound(arguments)) if self.bound else {self.unit: 1}

    @cached_property
    def load(self) -> Executor:
        """The executor itself: the same object for every door and every direct caller."""
        function = _named(self.executor)
        if not inspect.iscoroutinefunction(function):
            message = f"{self.executor} is not an async function"
            raise TypeError(message)
        return cast("Executor", function)

    def load_drivers(self) -> Sequence[Driver]:
        """Every driver of this verb; none for a verb without providers."""
        every: Sequence[Driver] = _named(self.drivers) if self.drivers else ()
        return [driver for driver in every if driver.verb == self.name]

    def wanted(self, arguments: BaseModel) -> frozenset[str]:
        """What whoever serves this input must honour."""
        return frozenset(_named(self.features)(arguments)) if self.features else frozenset()

    @property
    def continued(self) -> type[Model]:
        """The input of a part: what a caller sends, and what a walk adds to it."""
        return self.walk or self.input

    @cached_property
    def request(self) -> type[BaseModel]:
        """The input and the call options in one model: the schema every door publishes."""
        name = "".join(part.capitalize() for part in self.name.split(".")) + "Request"
        return type(name, (CallOptions, self.input), {"__doc__": self.summary, "__module__": __name__})

    @cached_property
    def answer(self) -> type[BaseModel]:
        """The envelope of this verb, with its own rows and meta."""
        return Envelope[self.row, self.meta]  # type: ignore[name-defined]  # made at run time, per verb

    def request_schema(self) -> dict[str, Any]:
        return self.request.model_json_schema(by_alias=True)


def _named(path: str) -> Any:
    """What `module:name` names."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def by_name(capabilities: Sequence[Capability]) -> Mapping[str, Capability]:
    """Index a catalog; a name, id or route used twice is refused."""
    index = {capability.name: capability for capability in capabilities}
    ids = {capability.id for capability in capabilities}
    if len(index) != len(capabilities) or len(ids) != len(capabilities):
        message = "two capabilities share a name or an id"
        raise ValueError(message)
    return index
