"""What operators do with providers."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click
from pydantic import ValidationError
from pydantic_core import from_json

from verbena import net
from verbena.capability import Capability, Services
from verbena.catalog import VERBS
from verbena.client.wire import Json
from verbena.doors import providers as door
from verbena.doors.cli import say
from verbena.doors.cli.deployment import Deployment
from verbena.doors.cli.table import show_table
from verbena.doors.cli.target import Stopped
from verbena.doors.providers import ProviderInput, ProviderView
from verbena.doors.schema import example_of
from verbena.envelope import Attempt
from verbena.errors import InvalidInput, VerbenaError
from verbena.execution import execute
from verbena.providers import ProviderRow
from verbena.selection import ordered
from verbena.validation import problems_of

STEP = 10
"""Between priorities: room for a provider to be put in the middle by hand."""

KEPT = ("driver", "status", "priority", "max_results", "allow_caching", "display_name", "icon", "comments")


def show(deployment: Deployment, *, output: str) -> None:
    _show(door.listed(deployment.providers, door.every_driver(VERBS)).providers, output)


def drivers(deployment: Deployment, *, output: str) -> None:
    found = door.described(deployment.providers, door.every_driver(VERBS)).drivers
    if output == "json":
        say.json_line([driver.model_dump(mode="json") for driver in found])
        return
    show_table(
        ("driver", "verb", "can", "needs", "usable"),
        (
            (
                each.driver,
                each.verb,
                " ".join(each.can) or "-",
                " ".join(each.needs) or "-",
                "yes" if each.available else each.unavailable_reason or "no",
            )
            for each in found
        ),
    )


def seed(deployment: Deployment, *, output: str) -> None:
    made = door.seed(deployment.providers, door.every_driver(VERBS))
    say.note(f"{len(made)} made: {', '.join(row.name for row in made) or 'every driver has a provider'}")
    show(deployment, output=output)


def change(deployment: Deployment, *, name: str, output: str, **said: Any) -> None:
    standing = door.find(deployment.providers, name)
    try:
        wanted = ProviderInput.model_validate(_wanted(name, standing, said))
        view = door.put(deployment.providers, door.every_driver(VERBS), name, wanted)
    except ValidationError as error:
        problems = problems_of(error, list(ProviderInput.model_fields))
        raise click.UsageError("\n  ".join(["", *say.problems(problems)])) from error
    except InvalidInput as error:
        raise click.UsageError("\n  ".join(["", *say.problems(error.details["fields"])])) from error
    _show([view], output)


def order(deployment: Deployment, *, names: Sequence[str], output: str) -> None:
    book = deployment.providers
    first = [_standing(deployment, name) for name in dict.fromkeys(map(str.casefold, names))]
    others = [row for row in ordered(book.rows()) if row not in first]
    for place, row in enumerate([*first, *others], 1):
        if row.priority != place * STEP:
            book.put(replace(row, priority=place * STEP))
    show(deployment, output=output)


def delete(deployment: Deployment, *, name: str, output: str) -> None:
    deployment.providers.delete(_standing(deployment, name))
    show(deployment, output=output)


def test(deployment: Deployment, *, name: str, query: str, output: str) -> None:
    """A pinned call of the first verb the provider serves: it is made whether the provider rests or not."""
    row = _standing(deployment, name)
    verb = next((verb for verb in VERBS.values() if any(row.driver == each.name for each in verb.load_drivers())), None)
    if verb is None:
        raise Stopped(f"no driver is called {row.driver!r}", "'verbena providers drivers' lists them.")
    body = {**example_of(verb), "provider": row.name} | ({"query": query} if "query" in verb.input.model_fields else {})
    rows, attempts, failed = asyncio.run(_called(deployment, verb, body))
    if output == "json":
        error = {"code": failed.code, "message": failed.message} if failed else None
        told = {"verb": verb.name, "results": rows, "attempts": [each.model_dump(mode="json") for each in attempts]}
        say.json_line(told | {"error": error})
    else:
        _show_attempts(attempts)
        for found in rows:
            click.echo(say.plain(f"  {found.get('title') or found.get('name')}  {found.get('url') or ''}"))
    if failed is not None:
        raise Stopped(f"{failed.code}: {failed.message}", "" if failed.fix == failed.message else failed.fix)


async def _called(
    deployment: Deployment, verb: Capability, body: Json
) -> tuple[list[Json], Sequence[Attempt], VerbenaError | None]:
    try:
        portion = await execute(
            VERBS,
            verb,
            verb.input.model_validate(body),
            owner="operator",
            correlation_id="test",
            budget_s=30.0,
            services=Services(book=deployment.providers),
        )
    except VerbenaError as error:
        return [], error.attempts, error
    finally:
        await net.close()
    return [answer.row.model_dump(mode="json") for answer in portion.answers], portion.attempts, None


def _wanted(name: str, standing: ProviderRow | None, said: Json) -> Json:
    """The provider as it stands with what was said put over it."""
    config, secrets, none = said.pop("config"), said.pop("secrets"), said.pop("no_secrets")
    wanted: Json = {"driver": name.casefold()}
    if standing is not None:
        wanted = {field: getattr(standing, field) for field in KEPT} | {"config": dict(standing.tuning)}
    wanted |= {field: value for field, value in said.items() if value is not None}
    if config is not None:
        wanted["config"] = _object(config)
    if secrets or none:
        wanted["secrets"] = {secret: os.environ.get(secret) or _asked(secret) for secret in secrets}
    return wanted


def _object(text: str) -> Any:
    try:
        return from_json(text)
    except ValueError as error:
        raise click.BadParameter(f"this is not JSON: {error}", param_hint="--config") from error


def _asked(secret: str) -> str:
    value: str = click.prompt(secret, hide_input=True, err=True)
    return value


def _standing(deployment: Deployment, name: str) -> ProviderRow:
    row = door.find(deployment.providers, name)
    if row is None:
        raise Stopped(f"there is no provider {name!r}", "'verbena providers list' lists them.")
    return row


def _show(found: Sequence[ProviderView], output: str) -> None:
    if output == "json":
        say.json_line([provider.model_dump(mode="json") for provider in found])
        return
    show_table(
        ("provider", "driver", "status", "priority", "serves", "key", "usable"),
        (
            (
                each.name,
                each.driver,
                each.status,
                str(each.priority),
                " ".join(each.verbs),
                each.credential or "-",
                _usable(each),
            )
            for each in found
        ),
    )


def _usable(provider: ProviderView) -> str:
    if provider.resting_until:
        return f"rests until {provider.resting_until}"
    return "yes" if provider.available else provider.unavailable_reason or "no"


def _show_attempts(attempts: Sequence[Attempt]) -> None:
    for each in attempts:
        said = f"{each.hits} found" if each.ok else f"{each.kind}: {each.message}"
        click.echo(say.plain(f"{each.provider} ({each.driver}) in {each.ms} ms: {said}"))
