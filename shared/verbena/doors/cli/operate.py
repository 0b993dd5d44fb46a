"""What operators do: the first key, keys, wallets, and the bill of any owner."""

from dataclasses import asdict

import click
from pydantic import ValidationError

from verbena.aws.keys import ApiKey, new_key_id, new_secret
from verbena.billing import dollars
from verbena.catalog import CATALOG, SCOPES
from verbena.client.wire import Json
from verbena.doors.cli import say
from verbena.doors.cli.account import show_usage
from verbena.doors.cli.command import query_of
from verbena.doors.cli.deployment import Deployment, now
from verbena.doors.cli.table import show_facts, show_table
from verbena.doors.cli.target import Stopped
from verbena.doors.usage import report
from verbena.rates import Rate
from verbena.settings import KEY_CACHE_S
from verbena.validation import problems_of
from verbena.views import UsageQuery

# What a key is for unless more is asked: pins and administration are the operator's own.
USUAL = (*dict.fromkeys(verb.namespace for verb in CATALOG), "jobs")


def init(deployment: Deployment, *, owner: str, micros: int, output: str) -> None:
    if deployment.keys.every():
        raise Stopped(
            "this stack has keys already", "'verbena keys create' makes another, 'verbena keys list' lists them."
        )
    # The deposit has an id of its own, so that a second try after a failure does not add it again.
    deployment.deposit(owner, micros, deposit_id="init")
    made = _new_key(deployment, owner, SCOPES)
    if output == "json":
        say.json_line({"base_url": deployment.base_url, **made, "deposited_micros": micros})
        return
    _show_key({"base URL": deployment.base_url, "wallet": dollars(micros)}, made)
    say.note(f"Try it: VERBENA_URL={deployment.base_url} VERBENA_KEY=... verbena call web.scrape https://example.com")


def create_key(deployment: Deployment, *, owner: str, scopes: tuple[str, ...], rate: str | None, output: str) -> None:
    made = _new_key(deployment, owner, scopes or USUAL, _checked(rate))
    if output == "json":
        say.json_line(made)
    else:
        _show_key({}, made)


def list_keys(deployment: Deployment, *, output: str) -> None:
    keys = deployment.keys.every()
    if output == "json":
        say.json_line([asdict(key) for key in keys])
        return
    show_table(
        ("key", "owner", "scopes", "rate", "created"),
        (
            (key.key_id, key.owner, " ".join(key.scopes), key.rate_limit or "", f"{(key.created_at or '')[:19]}Z")
            for key in keys
        ),
    )


def revoke_key(deployment: Deployment, *, key_id: str, output: str) -> None:
    key = deployment.keys.revoke(key_id)
    if key is None:
        raise Stopped(f"there is no key {key_id!r}", "'verbena keys list' lists them.")
    if output == "json":
        say.json_line(asdict(key))
    else:
        say.note(f"{key_id} of {key.owner} is revoked; every door refuses it within {KEY_CACHE_S:.0f} seconds.")


def top_up(deployment: Deployment, *, micros: int, owner: str, output: str) -> None:
    deployment.deposit(owner, micros)
    wallet(deployment, owner=owner, output=output)


def wallet(deployment: Deployment, *, owner: str, output: str) -> None:
    found = deployment.ledger.wallet(owner)
    if found is None:
        raise Stopped(f"{owner} has no wallet", f"'verbena wallet top-up USD --owner {owner}' makes one.")
    deposited = sum(deposit.micros for deposit in deployment.ledger.deposits(owner))
    if output == "json":
        held = {"available_micros": found.available, "held_micros": found.held}
        say.json_line({"owner": owner, **held, "deposited_micros": deposited})
        return
    moneys = {"available": found.available, "held": found.held, "deposited": deposited}
    show_facts({"owner": owner, **{name: dollars(micros) for name, micros in moneys.items()}})


def usage(deployment: Deployment, *, owner: str, output: str, **query: str | None) -> None:
    try:
        asked = UsageQuery.model_validate_strings(query_of(UsageQuery, query), by_alias=True, by_name=False)
    except ValidationError as error:
        raise click.UsageError("\n  ".join(["", *say.problems(problems_of(error, ["from", "to"]))])) from error
    show_usage(report(deployment.ledger, owner, asked).model_dump(mode="json"), output)


def _new_key(deployment: Deployment, owner: str, scopes: tuple[str, ...], rate: str | None = None) -> Json:
    secret, key = new_secret(), ApiKey(new_key_id(), owner, scopes, rate, now())
    deployment.keys.put(secret, key)
    return {"key": secret, **asdict(key)}


def _checked(rate: str | None) -> str | None:
    if rate is not None:
        try:
            Rate.of(rate)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--rate") from error
    return rate


def _show_key(first: dict[str, str], made: Json) -> None:
    scopes = " ".join(made["scopes"])
    show_facts(
        {**first, "owner": made["owner"], "key id": made["key_id"], "scopes": scopes, "rate": made["rate_limit"]}
    )
    click.echo(made["key"])
    say.note("The key is shown this once: only its hash is kept.")
