"""What the page says: how to begin, every verb, every route, prices and errors."""

import inspect
from collections.abc import Mapping
from typing import NamedTuple

from pydantic import BaseModel

from verbena.billing import UNITS, Prices
from verbena.capability import CallOptions, Capability
from verbena.doors.docs.examples import COMPLETED, PENDING, curl, shown
from verbena.doors.docs.fields import input_table, output_table, table
from verbena.doors.docs.markup import Markup, code, element, joined, link, prose
from verbena.doors.operation import Operation
from verbena.envelope import Answered, Envelope, Meta
from verbena.errors import VerbenaError, every_error
from verbena.validation import OPTION_FIELDS

LEAD = "Typed verbs that acquire data from the web and return it. One envelope for every call."
KEY = "`Authorization: Bearer KEY` or `X-API-Key: KEY`"
ENVELOPE = (
    "Every call answers with one envelope. `status` is `completed` or `pending`, nothing else; a call that failed is "
    "completed with an `error`. Every item of the input has exactly one row, in input order, whatever happened to it."
)
STATUSES = (
    "HTTP says 200 when a call is completed, 202 with `Location` while it is pending, and the error's own status when "
    "it failed. Every answer has an `X-Request-Id`; name it when you ask for help."
)
COMMON_META = tuple(Meta.model_fields)


def anchor(name: str) -> str:
    """`GET /v1/jobs/{job_id}` is found under `#get-v1-jobs-job_id`."""
    return "-".join(part for part in name.lower().replace("/", " ").split()).translate({ord(c): None for c in "{}"})


class Terms(NamedTuple):
    """What differs from one deployment to the next; `limits` are the inline limits the operator set, by verb id."""

    base_url: str
    prices: Prices
    limits: Mapping[str, int]


def start(first: Capability, base_url: str) -> Markup:
    facts = {
        "Base URL": code(base_url),
        "Key": prose(KEY),
        "Machines read": joined(link("/openapi.json", "openapi.json"), ", OpenAPI 3.1"),
    }
    return joined(element("p", LEAD, class_="lead"), _facts(facts), _heading("A first call"), curl(first, base_url))


def verb(capability: Capability, terms: Terms) -> Markup:
    facts = {
        "Scope": code(capability.namespace),
        "Billed": _billed(capability, terms.prices),
        "Runs": _runs(capability, terms.limits.get(capability.id, capability.mode.inline_limit)),
    }
    meta = output_table(capability.meta.model_json_schema(), without=COMMON_META)
    return element(
        "article",
        element("h3", capability.name),
        _route(f"POST {capability.path}"),
        element("p", prose(capability.summary)),
        _facts(facts),
        curl(capability, terms.base_url),
        _heading("Input"),
        _about(capability.input),
        input_table(capability.request_schema(), without=OPTION_FIELDS),
        element("p", "And the ", link("#options", "options of every call"), ".", class_="note"),
        _heading("Row"),
        _about(capability.row),
        output_table(capability.row.model_json_schema()),
        *([] if capability.meta is Meta else [_heading("Meta"), meta]),
        id=anchor(capability.name),
    )


def _about(model: type[BaseModel]) -> Markup:
    return element("p", prose(inspect.getdoc(model) or ""), class_="note")


def _billed(capability: Capability, prices: Prices) -> Markup:
    counts = next(unit.counts for unit in UNITS if unit.name == capability.unit)
    price = prices[capability.unit]
    cost = f"{price:,} micro-USD for {counts}" if price else "free"
    return joined(cost, " (", code(capability.unit), ")")


def _runs(capability: Capability, limit: int | None) -> Markup:
    items = capability.mode.items
    if items is None or limit is None:
        return prose("in the request; with `async` as a job")
    return prose(f"up to {limit} distinct `{items}` in the request; more, or with `async`, as a job")


def options() -> Markup:
    said = "Every verb takes these beside its own fields. The header `Idempotency-Key` wins over the field."
    return joined(element("p", prose(said)), input_table(CallOptions.model_json_schema(by_alias=True)))


def answers() -> Markup:
    return joined(
        element("p", prose(ENVELOPE)),
        element("p", prose(STATUSES)),
        output_table(Answered.model_json_schema()),
        _heading("A call that is completed"),
        shown(COMPLETED),
        _heading("A call that became a job"),
        shown(PENDING),
    )


def operation(served: Operation) -> Markup:
    key = {"": "any", None: "none"}.get(served.scope) or joined("one with the scope ", code(served.scope or ""))
    query = served.query.model_json_schema(by_alias=True)
    return element(
        "article",
        element("h3", _route(served.route)),
        element("p", prose(served.summary)),
        _facts({"Key": key}),
        *([_heading("Query"), input_table(query)] if query.get("properties") else []),
        *_answer(served),
        id=anchor(served.route),
    )


def _answer(served: Operation) -> list[Markup]:
    if served.answer is None:
        return []
    if issubclass(served.answer, Envelope):
        return [element("p", "Answers with the ", link("#answers", "envelope"), ".", class_="note")]
    return [_heading("Answer"), output_table(served.answer.model_json_schema())]


def prices(book: Prices) -> Markup:
    said = "Money is whole micro-USD: 1,000,000 are one dollar. Only what succeeded is billed."
    rows = (_cells(code(unit.name), f"{book[unit.name]:,}", f"{unit.micros:,}", unit.counts) for unit in UNITS)
    return joined(element("p", said), table("units", ("Unit", "Price", "Default", "Counts"), rows))


def errors() -> Markup:
    said = "A failed call or row says which of these it met; `message` says what happened, `details` holds the facts."
    return joined(
        element("p", prose(said)),
        table("errors", ("Code", "HTTP", "Retry", "What to do"), map(_error, every_error())),
    )


def _error(error: type[VerbenaError]) -> Markup:
    return _cells(code(error.code), str(error.status), "helps" if error.retryable else "", prose(error.fix))


def _cells(*cells: str) -> Markup:
    return element("tr", *(element("td", cell) for cell in cells))


def _facts(facts: Mapping[str, str]) -> Markup:
    return element("dl", *(joined(element("dt", name), element("dd", value)) for name, value in facts.items()))


def _heading(text: str) -> Markup:
    return element("h4", text)


def _route(route: str) -> Markup:
    method, path = route.split(" ")
    return element("span", element("b", method, class_=method.lower()), code(path), class_="route")
