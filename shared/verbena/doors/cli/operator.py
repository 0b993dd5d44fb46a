"""The commands of operators: whoever has AWS credentials for a stack makes its keys and fills its wallets."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import click

from verbena.capability import MOST_MICROS
from verbena.catalog import SCOPES
from verbena.client.wire import Json
from verbena.doors.cli.command import Command, Ordered, loaded, query_options
from verbena.doors.cli.target import Stopped
from verbena.settings import KEY_CACHE_S
from verbena.views import UsageQuery

ACCOUNT = "verbena.doors.cli.account"
ACTS = "verbena.doors.cli.operate"
DEPLOYMENT = "verbena.doors.cli.deployment"
MICROS = 1_000_000
# What may stand in keys of tables and in URLs.
AMOUNT = re.compile(r"\d{1,10}(\.\d{1,6})?", re.ASCII)
OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
CREDENTIALS = "Credentials, region and endpoint are those of the AWS CLI: AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL."


class OperatorCommand(Command):
    """Talks with the stores of a stack, not with its API: no key opens this door, IAM does."""

    def connection(self) -> list[click.Option]:
        return [stack_option()]

    def connect(self, said: Json) -> Any:
        return loaded(f"{DEPLOYMENT}:Deployment")(said.pop("stack"))

    def work(self, said: Json) -> None:
        with _aws():
            super().work(said)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        formatter.write_paragraph()
        formatter.write_text(CREDENTIALS)


class OwnerCommand(Command):
    """Shows what is the key's owner's, by the API; with --owner what is anybody's, as an operator."""

    def __init__(self, name: str, summary: str, runs: str, operates: str, params: Sequence[click.Option] = ()) -> None:
        help_ = "An operator's question: about this owner, with AWS credentials instead of a key."
        super().__init__(name, summary, runs, [*params, owner_option(help_), stack_option()])
        self.as_operator = OperatorCommand(name, summary, operates, params)

    def work(self, said: Json) -> None:
        stack = said.pop("stack")
        if said["owner"] is None:
            del said["owner"]
            super().work(said)
        else:
            del said["url"], said["key"]
            self.as_operator.work({**said, "stack": stack})


class Wallet(Ordered):
    """`verbena wallet` alone shows it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


class Dollars(click.ParamType[int]):
    """US dollars, to the micro; the value is whole micro-USD."""

    name = "usd"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        micros = Decimal(value) * MICROS if AMOUNT.fullmatch(value) else Decimal(0)
        if not 0 < micros <= MOST_MICROS:
            self.fail(f"{value!r} is no amount of US dollars, such as 25 or 0.50", param, ctx)
        return int(micros)


def stack_option() -> click.Option:
    return click.Option(
        ["--stack"],
        envvar="VERBENA_STACK",
        default="verbena",
        show_default=True,
        show_envvar=True,
        help="Name of the CloudFormation stack.",
    )


def owner_option(text: str, **more: Any) -> click.Option:
    return click.Option(["--owner"], callback=_checked_owner, help=text, **more)


def _checked_owner(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not OWNER.fullmatch(value):
        message = f"{value!r}: an owner's name has up to 64 letters, digits, dots, hyphens and underscores"
        raise click.BadParameter(message)
    return value


@contextmanager
def _aws() -> Iterator[None]:
    """AWS's failures as ends of the command; boto3 comes with an extra, since callers need none."""
    try:
        failures = loaded(f"{DEPLOYMENT}:failures")
    except ModuleNotFoundError as missing:
        message = f"the module {missing.name!r} is not installed"
        raise Stopped(message, "pip install 'verbena[operator]'") from missing
    with failures():
        yield


def _amount(name: str, **more: Any) -> click.Option:
    return click.Option([name, "micros"], type=Dollars(), metavar="USD", **more)


init = OperatorCommand(
    "init",
    "Make the first owner of a fresh deploy: a key with every scope, and a wallet.",
    f"{ACTS}:init",
    [
        owner_option("Name of the owner.", default="main", show_default=True),
        _amount("--usd", default="10", show_default=True, help="What the wallet holds at first."),
    ],
)
keys = Ordered(
    "keys",
    help="Make, list and revoke API keys, as an operator.",
    commands=[
        OperatorCommand(
            "create",
            "Make a key. It is shown this once: only its hash is kept.",
            f"{ACTS}:create_key",
            [
                owner_option("Who pays for what is done with it.", required=True),
                click.Option(
                    ["--scope", "scopes"],
                    type=click.Choice(SCOPES),
                    multiple=True,
                    help="What it may do; again for more.  [default: every verb, and jobs]",
                ),
                click.Option(["--rate"], metavar="TEXT", help="Its own limit of calls, such as 60/m."),
            ],
        ),
        OperatorCommand("list", "List keys: their ids, never the keys themselves.", f"{ACTS}:list_keys"),
        OperatorCommand(
            "revoke",
            f"Revoke a key; every door refuses it within {KEY_CACHE_S:.0f} seconds.",
            f"{ACTS}:revoke_key",
            [click.Argument(["key_id"], metavar="KEY_ID")],
        ),
    ],
)
wallet = Wallet(
    "wallet",
    help="Show a wallet, or fill it as an operator. Without a command: show.",
    commands=[
        OwnerCommand("show", "Say what can be spent and what is held.", f"{ACCOUNT}:wallet", f"{ACTS}:wallet"),
        OperatorCommand(
            "top-up",
            "Add to a wallet, making it if there is none.",
            f"{ACTS}:top_up",
            [
                click.Argument(["micros"], type=Dollars(), metavar="USD"),
                owner_option("Whose wallet.", required=True),
            ],
        ),
    ],
)
usage = OwnerCommand(
    "usage", "Say what was billed, by day and verb.", f"{ACCOUNT}:usage", f"{ACTS}:usage", query_options(UsageQuery)
)
