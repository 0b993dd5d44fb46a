"""`verbena call`: one command a verb, made from the catalog."""

from typing import Any

import click
from pydantic.fields import FieldInfo

from verbena.capability import CallOptions, Capability
from verbena.catalog import CATALOG
from verbena.client.wire import Json
from verbena.doors.cli import teach
from verbena.doors.cli.command import ROW_FORMS, Command, Ordered
from verbena.doors.cli.target import this_process


class VerbCommand(Command):
    """A verb on the command line; help teaches its fields."""

    def __init__(self, capability: Capability) -> None:
        self.capability = capability
        words = click.Argument(["words"], nargs=-1, metavar="[FIELD=VALUE]...", shell_complete=self._completions)
        super().__init__(
            capability.name,
            capability.summary,
            "verbena.doors.cli.call:run",
            [words, *_own_options(), *(_flag(*named) for named in CallOptions.model_fields.items())],
            forms=ROW_FORMS,
            bound={"capability": capability},
        )

    def connect(self, said: Json) -> Any:
        if not said.pop("local"):
            return super().connect(said)
        del said["url"], said["key"]
        return this_process()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, lines in (
            ("Fields", teach.field_lines(self.capability)),
            ("Lists", teach.list_lines(self.capability)),
        ):
            if lines:
                with formatter.section(title):
                    formatter.write_dl(lines)
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Example"):
            formatter.write_text(teach.example(self.capability))
        with formatter.section("Exit codes"):
            formatter.write_text("0 all is well, 1 the call or a row failed, 2 the command is wrong")

    def _completions(self, ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
        said = ctx.params.get("words") or ()
        return teach.completions(self.capability, said, begun)


def _own_options() -> list[click.Option]:
    return [
        click.Option(["--json", "json_from"], metavar="FILE", help="Input as a JSON object; - reads standard input."),
        click.Option(["--local"], is_flag=True, help="Run in this process: no server, no key, nothing billed or kept."),
    ]


def _flag(name: str, info: FieldInfo) -> click.Option:
    """A call option; the contract checks its value."""
    spelled = f"--{(info.alias or name).replace('_', '-')}"
    if info.annotation is bool:
        return click.Option([spelled, name], help=info.description, is_flag=True, flag_value=True, default=None)
    kind: Any = "TEXT" if info.annotation == str | None else "INTEGER"
    return click.Option([spelled, name], help=info.description, metavar=kind)


call = Ordered(
    "call",
    {capability.name: VerbCommand(capability) for capability in CATALOG},
    help="Call a verb and show its rows. A call that becomes a job is waited for.",
    epilog="'verbena call VERB --help' explains the fields of a verb.",
    subcommand_metavar="VERB [FIELD=VALUE]...",
)
