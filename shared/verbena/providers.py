"""What a provider and its driver are, what a vendor's refusal means, and which providers can serve a call.

A driver is data and pure functions: `request` writes what is sent, `read` understands what came back. All I/O is
the engine's.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Literal, Protocol
from urllib.parse import urlencode

from pydantic_core import from_json, to_json

from verbena.rates import Rate

Kind = Literal["transient", "quota", "auth", "config", "vendor_param", "bad_request", "no_results"]
"""Why a vendor did not serve: `bad_request` is wrong everywhere and stops, `no_results` is a success with nothing
found, any other lets the next provider try."""

Status = Literal["pending", "active", "terminated"]
Json = Any

MESSAGE_CHARS = 300
"""How much of a vendor's message is kept: enough for a sentence, too little for an echoed page."""


@dataclass(frozen=True, slots=True)
class VendorRequest:
    """One HTTP request as it is sent. `keep_s` is for how many seconds its answer is good, None if it is not kept."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    keep_s: float | None = None

    @classmethod
    def get(cls, url: str, query: Mapping[str, object], headers: Mapping[str, str] | None = None) -> "VendorRequest":
        """A GET whose query leaves out what is None and writes True as `true`."""
        written = {name: _written(value) for name, value in query.items() if value is not None}
        return cls("GET", f"{url}?{urlencode(written, doseq=True)}", headers or {})

    @classmethod
    def post(cls, url: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None) -> "VendorRequest":
        """A POST of JSON that leaves out what is None."""
        told = {name: value for name, value in body.items() if value is not None}
        return cls("POST", url, {"Content-Type": "application/json", **(headers or {})}, to_json(told))


@dataclass(frozen=True)
class VendorResponse:
    """What a vendor answered; header names in any case find their value."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def json(self) -> Json:
        """The body as JSON, whatever its type says; a ValueError if it is none."""
        return from_json(self.body)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a provider did not serve. `retry_after_s` is how long it asks to be left alone."""

    kind: Kind
    message: str
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a vendor found, in its order. `beside` is what it said beside the items, such as a written answer.

    `cost_micros` is the vendor's own price of the call in micro-USD, None when it does not say. `more` continues
    a paged search at this provider.
    """

    items: Sequence[Any] = ()
    beside: Any = None
    cost_micros: int | None = None
    more: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """What the operator lends a driver for one call. `limit` is the most items to ask for."""

    base_url: str
    secrets: Mapping[str, str]
    tuning: Mapping[str, Any]
    limit: int
    today: date


@dataclass(frozen=True, slots=True)
class Step:
    """A second call of the same provider. What it fails at is a warning and what was found stays, unless
    `is_essential`: then the provider has failed.

    `read` returns all that was found, with the cost of this call alone.
    """

    name: str
    needed: Callable[[Any], bool]
    request: Callable[[Any, Setup, Found], "VendorRequest | Failure"]
    read: Callable[[VendorResponse, Found], "Found | Failure"]
    is_essential: bool = False


def vendor_codes(body: Json) -> Iterator[str]:
    """The codes an error body holds in the usual places, the innermost first."""
    if isinstance(body, list):
        for entry in body:
            yield from vendor_codes(entry)
    if isinstance(body, Mapping):
        for name in ("error", "errors"):
            yield from vendor_codes(body.get(name))
        names = ("code", "type", "tag", "error_code")
        yield from (str(body[name]) for name in names if isinstance(body.get(name), str | int))


def _unread(_response: VendorResponse, _setup: Setup) -> Failure:
    """What an embedded driver makes of an answer: it asks for none."""
    return Failure("config", "this driver sends no request")


@dataclass(frozen=True)
class Driver:
    """One vendor's way to serve one verb. Making one has no effect.

    `home` is its address, or the name of the secret that holds it. `can` names the features it honours, `needs` the
    secrets without which it stays off, `most` the items one call returns at most. `faults` maps a vendor's code, a
    status, or both ("429 QUOTA_LIMITED") to a kind; `codes` finds the codes in an error body. `advice` is what an
    operator can do about a kind. `ends` is the day the vendor stops. `is_last_resort` says that its finding nothing
    means little, so that the next provider is asked too. An embedded driver needs no vendor: its `request` finds by
    itself, in a thread.
    """

    name: str
    verb: str
    title: str
    home: str
    request: Callable[[Any, Setup], VendorRequest | Found | Failure]
    read: Callable[[VendorResponse, Setup], Found | Failure] = _unread
    is_embedded: bool = False
    can: frozenset[str] = frozenset()
    needs: tuple[str, ...] = ()
    most: int | None = None
    faults: Mapping[str, Kind] = field(default_factory=dict)
    codes: Callable[[Json], Iterable[str]] = vendor_codes
    advice: Mapping[Kind, str] = field(default_factory=dict)
    then: Step | None = None
    rate: Rate | None = None
    priority: int = 100
    status: Status = "active"
    ends: date | None = None
    is_last_resort: bool = False


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """An operator's row: which driver serves, and in what order. Names are unique whatever their case.

    `config` is a JSON object that tunes the driver; broken JSON tunes nothing and disables nothing. `credential` is
    the connection that holds its secrets. `allow_caching`: its answers may be kept as long as any.
    """

    name: str
    driver: str
    status: Status = "active"
    priority: int = 100
    config: str | None = None
    credential: str | None = None
    max_results: int | None = None
    allow_caching: bool = False
    display_name: str | None = None
    icon: str | None = None
    comments: str | None = None

    @property
    def key(self) -> str:
        return self.name.casefold()

    @property
    def tuning(self) -> Mapping[str, Any]:
        try:
            tuning = from_json(self.config) if self.config else {}
        except ValueError:
            return {}
        return tuning if isinstance(tuning, dict) else {}


class Book(Protocol):
    """The operator's providers, as the engine looks them up. A store that cannot be read is ProviderLoadFailed."""

    def rows(self, *, fresh: bool = False) -> Sequence[ProviderRow]:
        """Every row, in no order; `fresh` for those of this moment, not those of a short while ago."""
        ...

    def secrets(self, row: ProviderRow, names: Sequence[str]) -> Mapping[str, str]:
        """What is known of the named secrets: the row's own credential first, then the environment."""
        ...

    def resting(self) -> Mapping[str, float]:
        """Until when (seconds of the epoch) which row, by its key, is not to be asked."""
        ...

    def rest(self, row: ProviderRow, until: float) -> None:
        """Leave a provider alone until then."""
        ...

    def turn(self, row: ProviderRow, rate: Rate) -> float:
        """Take a turn of a vendor's rate: 0.0 if it was free, else the seconds until one is."""
        ...


class EmptyBook:
    """No providers: what a deployment without a book lends."""

    def rows(self, *, fresh: bool = False) -> Sequence[ProviderRow]:  # noqa: ARG002 - the port's words
        return ()

    def secrets(self, row: ProviderRow, names: Sequence[str]) -> Mapping[str, str]:  # noqa: ARG002 - the port's words
        return {}

    def resting(self) -> Mapping[str, float]:
        return {}

    def rest(self, row: ProviderRow, until: float) -> None: ...

    def turn(self, row: ProviderRow, rate: Rate) -> float:  # noqa: ARG002 - the port's words
        return 0.0


STATUSES: Mapping[int, Kind] = {
    400: "bad_request",
    401: "auth",
    402: "quota",
    403: "auth",
    404: "config",
    405: "config",
    410: "config",
    422: "bad_request",
}
"""What a status means when the vendor's driver does not know better; any other is `transient`."""

SUCCESS = range(200, 300)


def classify(driver: Driver, response: VendorResponse) -> Failure | None:
    """What an answer that is no success means; None for one that is to be read."""
    try:
        body = response.json
    except ValueError:
        body = None
    codes = [code for code in driver.codes(body) if code]
    known = _known(driver.faults, response.status, codes)
    if known is None and response.status in SUCCESS:
        return None
    kind = known or STATUSES.get(response.status, "transient")
    told = [text for text in (said(body), driver.advice.get(kind)) if text]
    message = ": ".join([f"HTTP {response.status}{_named(codes)}", *told])
    return Failure(kind, message, retry_after(response.headers))


def _known(faults: Mapping[str, Kind], status: int, codes: Sequence[str]) -> Kind | None:
    names = [name for code in codes for name in (f"{status} {code}", code)]
    return next((faults[name] for name in [*names, str(status)] if name in faults), None)


def _named(codes: Sequence[str]) -> str:
    """The first code worth repeating: many vendors only repeat the status."""
    return next((f" {code}" for code in codes if not code.isdigit()), "")


def said(body: Json) -> str | None:
    """A vendor's message, from the usual places of an error body."""
    if isinstance(body, str):
        return body or None
    if isinstance(body, list):
        return next((text for text in map(said, body) if text), None)
    if isinstance(body, Mapping):
        names = ("message", "detail", "error", "msg", "error_msg", "error_message", "errors")
        return next((text for name in names if (text := said(body.get(name)))), None)
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds a Retry-After asks for; a date or nonsense is none."""
    value = headers.get("Retry-After", "").strip()
    return float(value) if re.fullmatch(r"\d{1,6}(\.\d{1,3})?", value, re.ASCII) else None


def hidden(text: str, secrets: Iterable[str]) -> str:
    """A text without secrets, in their URL form too; the longest first, for one may be part of another."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        for form in (secret, urlencode({"": secret})[1:]):
            text = text.replace(form, "[secret]")
    return text


def shown(text: str, secrets: Iterable[str]) -> str:
    """A message a caller may see: without secrets, on one line, cut."""
    return re.sub(r"[\s\x00-\x1f\x7f]+", " ", hidden(text, secrets)).strip()[:MESSAGE_CHARS]


def _written(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
