"""What every command that talks to a Verbena has: where it is, the key, the form of the output, and failing well."""

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

import click
from pydantic import BaseModel

from verbena import settings
from verbena.client.wire import Json, Refused, Unreachable, checked_key, checked_url
from verbena.doors.cli import say
from verbena.doors.cli.target import Stopped

FAILED = 1
TABLE_FORMS = ("text", "json")
ROW_FORMS = ("text", "json", "jsonl")
NO_SERVER = "Start a server with 'make run', name another with --url or VERBENA_URL, or call with --local."
SERVER = "verbena.doors.cli.server:Server"


class Command(click.Command):
    """`runs` is `module:function`, loaded when the command runs: httpx and rich cost 0.2 s, which help need not pay.

    It gets the target, what was bound, and the options. A refusal is shown with its fix and ends with exit code 1.
    """

    def __init__(
        self,
        name: str,
        summary: str,
        runs: str,
        params: Sequence[click.Parameter] = (),
        *,
        forms: Sequence[str] = TABLE_FORMS,
        bound: Mapping[str, Any] | None = None,
    ) -> None:
        options = [*params, *self.connection(), _output(forms)]
        super().__init__(name, help=summary, short_help=summary, params=options, callback=self._run)
        self.runs = runs
        self.bound = bound or {}

    def connection(self) -> list[click.Option]:
        """The options that say with what the command talks, and by what right."""
        return server_options()

    def connect(self, said: Json) -> Any:
        """What those options name; they are taken out."""
        return loaded(SERVER)(said.pop("url"), said.pop("key"))

    def work(self, said: Json) -> None:
        with closing(self.connect(said)) as target:
            loaded(self.runs)(target, **self.bound, **said)

    def _run(self, **said: Any) -> None:
        output = said["output"]
        say.never_fail_at_a_letter()
        try:
            self.work(said)
        except Refused as refused:
            if output == "json":
                say.json_line(refused.answer)
            say.failure(refused.error, refused.request_id)
            raise click.exceptions.Exit(FAILED) from refused
        except Unreachable as error:
            say.stopped(str(error), NO_SERVER)
            raise click.exceptions.Exit(FAILED) from error
        except Stopped as error:
            say.stopped(str(error), error.fix)
            raise click.exceptions.Exit(FAILED) from error


class Ordered(click.Group):
    """A group whose help lists its commands as they were given."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.commands)


def query_options(model: type[BaseModel]) -> list[click.Option]:
    """The query parameters of a route as options; the server checks their values."""
    return [
        click.Option([f"--{info.alias or name}", name], help=info.description, metavar="TEXT")
        for name, info in model.model_fields.items()
    ]


def query_of(model: type[BaseModel], said: Mapping[str, Any]) -> Json:
    """The query that the options made by `query_options` ask for."""
    named = {info.alias or name: said.get(name) for name, info in model.model_fields.items()}
    return {name: value for name, value in named.items() if value is not None}


def loaded(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def server_options() -> list[click.Option]:
    return [
        click.Option(
            ["--url"],
            envvar="VERBENA_URL",
            default=settings.SERVER_URL,
            callback=_checked_url,
            show_default=True,
            show_envvar=True,
            help="Base URL of the server.",
        ),
        click.Option(
            ["--key"],
            envvar="VERBENA_KEY",
            callback=_checked_key,
            show_envvar=True,
            help="API key; in the variable it stays out of the process list.",
        ),
    ]


def _output(forms: Iterable[str]) -> click.Option:
    return click.Option(
        ["-o", "--output"],
        type=click.Choice(list(forms)),
        callback=lambda _ctx, _param, value: value or ("text" if sys.stdout.isatty() else "json"),
        help="Form of the output.  [default: text on a terminal, else json]",
    )


def _checked_url(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    try:
        return checked_url(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _checked_key(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    try:
        return checked_key(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
