"""The operator's door to providers: what there is, in what order it is asked, and with which credentials."""

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field
from pydantic_core import to_json

from verbena.aws.keys import ApiKey
from verbena.aws.providers import Providers
from verbena.capability import Capability
from verbena.doors.http import HttpAnswer, HttpRequest, json_answer
from verbena.doors.operation import Operation
from verbena.envelope import Model
from verbena.errors import InvalidInput, ProviderNotFound
from verbena.providers import Driver, ProviderRow, Status
from verbena.runtime import Runtime
from verbena.selection import ordered, unavailable, usual
from verbena.views import NoQuery

ADMIN = "admin"
Origin = Literal["stored", "environment"]
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What may stand in keys of tables and in URLs."""


class ProviderInput(Model):
    """A provider as its operator sets it; what is left out has its driver's default."""

    driver: str = Field(max_length=64, description="Which vendor's driver serves; GET /v1/admin/drivers lists them.")
    status: Status | None = Field(default=None, description="Only active providers are asked.")
    priority: int | None = Field(default=None, ge=0, le=10_000, description="Lower is asked first; ties by name.")
    config: dict[str, Any] | None = Field(default=None, description="What tunes the driver, such as base_url.")
    max_results: int | None = Field(default=None, ge=1, le=1_000, description="Never ask it for more than this.")
    allow_caching: bool = Field(default=False, description="Its terms allow answers to be kept longer than passing on.")
    display_name: str | None = Field(default=None, max_length=100)
    icon: str | None = Field(default=None, max_length=500)
    comments: str | None = Field(default=None, max_length=2_000)
    secrets: dict[str, str] | None = Field(
        default=None,
        max_length=10,
        description="The secrets its driver needs, all of them. Written, never read back; {} removes, absent keeps.",
    )


class ProviderView(Model):
    """A provider as it stands; its secrets are never shown."""

    name: str
    driver: str
    verbs: list[str]
    status: Status
    priority: int
    available: bool = Field(description="Whether it can be asked, were it active.")
    unavailable_reason: str | None
    resting_until: str | None = Field(description="It refused this account and is not asked before; ISO 8601.")
    can: list[str] = Field(description="The features it honours.")
    needs: list[str] = Field(description="Names of the secrets its driver needs.")
    credential: Origin | None = Field(description="Where its secrets come from.")
    config: dict[str, Any]
    config_is_broken: bool = Field(description="The stored config is no JSON object; the provider runs untuned.")
    max_results: int | None
    allow_caching: bool
    display_name: str | None
    icon: str | None
    comments: str | None


class ProviderList(Model):
    """Providers in the order they are asked."""

    providers: list[ProviderView]


class DriverView(Model):
    """One vendor's driver for one verb."""

    driver: str
    verb: str
    title: str
    can: list[str]
    needs: list[str]
    most: int | None = Field(description="The most items one call returns; null is unlimited.")
    home: str = Field(description="Base URL unless a provider's config or VERBENA_<DRIVER>_BASE_URL sets another.")
    ends: str | None = Field(description="The day the vendor stops.")
    available: bool
    unavailable_reason: str | None


class DriverList(Model):
    """Every driver there is."""

    drivers: list[DriverView]


def every_driver(verbs: Mapping[str, Capability]) -> list[Driver]:
    return [driver for capability in verbs.values() for driver in capability.load_drivers()]


def listed(book: Providers, drivers: Iterable[Driver]) -> ProviderList:
    """All providers as they stand in the store now."""
    known = _by_name(drivers)
    rows = ordered(book.rows(fresh=True))
    return ProviderList(providers=[_view(book, row, known.get(row.driver, ())) for row in rows])


def described(book: Providers, drivers: Iterable[Driver]) -> DriverList:
    """All drivers; one is available if some provider of it is, or the environment has its secrets."""
    rows = book.rows(fresh=True)
    return DriverList(drivers=[_described(book, rows, driver) for driver in drivers])


def put(book: Providers, drivers: Iterable[Driver], name: str, wanted: ProviderInput) -> ProviderView:
    """Make or replace a provider; InvalidInput if its name, driver or secrets are none."""
    known = _by_name(drivers)
    if problems := [*_problems(name, wanted, known)]:
        raise InvalidInput("; ".join(problem["problem"] for problem in problems), fields=problems)
    of_driver = known[wanted.driver]
    standing = find(book, name)
    row = ProviderRow(
        name=standing.name if standing else name,
        driver=wanted.driver,
        status=wanted.status or of_driver[0].status,
        priority=of_driver[0].priority if wanted.priority is None else wanted.priority,
        config=to_json(wanted.config).decode() if wanted.config else None,
        credential=standing.credential if standing else None,
        max_results=wanted.max_results,
        allow_caching=wanted.allow_caching,
        display_name=wanted.display_name,
        icon=wanted.icon,
        comments=wanted.comments,
    )
    return _view(book, book.put(row, wanted.secrets), of_driver)


def find(book: Providers, name: str) -> ProviderRow | None:
    """The row of a name in any case, as it stands in the store now."""
    return next((row for row in book.rows(fresh=True) if row.key == name.casefold()), None)


def seed(book: Providers, drivers: Iterable[Driver]) -> list[ProviderRow]:
    """Make the usual providers, leaving those that are there as they are; those made."""
    standing = {row.key for row in book.rows(fresh=True)}
    return [book.put(row) for row in usual(list(drivers)) if row.key not in standing]


def _by_name(drivers: Iterable[Driver]) -> dict[str, list[Driver]]:
    known: dict[str, list[Driver]] = {}
    for driver in drivers:
        known.setdefault(driver.name, []).append(driver)
    return known


def _problems(name: str, wanted: ProviderInput, known: Mapping[str, list[Driver]]) -> Iterable[dict[str, str]]:
    if not NAME.fullmatch(name):
        fix = "use up to 64 letters, digits, dots, hyphens and underscores"
        yield {"field": "name", "problem": "this is no name of a provider", "fix": fix}
    if wanted.driver not in known:
        yield {"field": "driver", "problem": "there is no such driver", "fix": f"use one of {', '.join(known)}"}
        return
    needs = known[wanted.driver][0].needs
    for secret in sorted(set(wanted.secrets or ()) - set(needs)):
        takes = f"takes {', '.join(needs)}" if needs else "takes no secrets"
        yield {"field": f"secrets.{secret[:100]}", "problem": "no such secret", "fix": f"{wanted.driver} {takes}"}


def _view(book: Providers, row: ProviderRow, drivers: Iterable[Driver]) -> ProviderView:
    drivers = list(drivers)
    driver = drivers[0] if drivers else None
    secrets = book.secrets(row, driver.needs) if driver else {}
    reason = unavailable(row, driver, secrets, datetime.now(UTC).date())
    until = book.resting().get(row.key, 0.0)
    told = {name: value for name, value in asdict(row).items() if name not in {"config", "credential"}}
    return ProviderView(
        **told,
        verbs=[each.verb for each in drivers],
        available=reason is None,
        unavailable_reason=reason,
        resting_until=datetime.fromtimestamp(until, UTC).isoformat(timespec="seconds") if until > time.time() else None,
        can=sorted({feature for each in drivers for feature in each.can}),
        needs=list(driver.needs) if driver else [],
        credential=_credential(book, row, secrets),
        config=dict(row.tuning),
        config_is_broken=bool(row.config) and not row.tuning,
    )


def _credential(book: Providers, row: ProviderRow, secrets: Mapping[str, str]) -> Origin | None:
    if set(book.stored(row)) & set(secrets):
        return "stored"
    return "environment" if secrets else None


def _described(book: Providers, rows: Iterable[ProviderRow], driver: Driver) -> DriverView:
    standing = [row for row in rows if row.driver == driver.name] or [ProviderRow(driver.name, driver.name)]
    today = datetime.now(UTC).date()
    reasons = [unavailable(row, driver, book.secrets(row, driver.needs), today) for row in standing]
    return DriverView(
        driver=driver.name,
        verb=driver.verb,
        title=driver.title,
        can=sorted(driver.can),
        needs=list(driver.needs),
        most=driver.most,
        home=driver.home,
        ends=driver.ends.isoformat() if driver.ends else None,
        available=None in reasons,
        unavailable_reason=None if None in reasons else reasons[0],
    )


def _list(_request: HttpRequest, here: Runtime, _key: ApiKey, _query: NoQuery) -> HttpAnswer:
    return json_answer(listed(here.providers, every_driver(here.verbs)).model_dump(mode="json"))


def _drivers(_request: HttpRequest, here: Runtime, _key: ApiKey, _query: NoQuery) -> HttpAnswer:
    return json_answer(described(here.providers, every_driver(here.verbs)).model_dump(mode="json"))


def _put(request: HttpRequest, here: Runtime, _key: ApiKey, wanted: ProviderInput) -> HttpAnswer:
    name = request.parameters.get("name", "")
    return json_answer(put(here.providers, every_driver(here.verbs), name, wanted).model_dump(mode="json"))


def _delete(request: HttpRequest, here: Runtime, _key: ApiKey, _query: NoQuery) -> HttpAnswer:
    name = request.parameters.get("name", "")
    row = find(here.providers, name)
    if row is None:
        raise ProviderNotFound(f"no provider is called {name[:64]!r}")
    here.providers.delete(row)
    return json_answer(listed(here.providers, every_driver(here.verbs)).model_dump(mode="json"))


OPERATIONS = (
    Operation("GET /v1/admin/providers", "List providers in the order they are asked.", ProviderList, _list, ADMIN),
    Operation(
        "PUT /v1/admin/providers/{name}",
        "Make or replace a provider.",
        ProviderView,
        _put,
        ADMIN,
        body=ProviderInput,
    ),
    Operation(
        "DELETE /v1/admin/providers/{name}", "Forget a provider and its credential.", ProviderList, _delete, ADMIN
    ),
    Operation("GET /v1/admin/drivers", "List what each driver can and needs.", DriverList, _drivers, ADMIN),
)
