"""What `verbena wallet`, `usage`, `prices` and `verbs` show: what a server says about money and about itself."""

from verbena.billing import dollars
from verbena.client.wire import Json
from verbena.doors.cli import say
from verbena.doors.cli.command import query_of
from verbena.doors.cli.server import Server
from verbena.doors.cli.table import show_facts, show_table
from verbena.views import UsageQuery, UsageReport, VerbList, WalletView


def wallet(server: Server, *, output: str) -> None:
    answer = server.read("/v1/wallet")
    if output == "json":
        say.json_line(answer)
        return
    view = WalletView.model_validate(answer)
    show_facts({"available": dollars(view.available_micros), "held": dollars(view.held_micros)})


def usage(server: Server, *, output: str, **query: str | None) -> None:
    show_usage(server.read("/v1/usage", query_of(UsageQuery, query)), output)


def show_usage(answer: Json, output: str) -> None:
    if output == "json":
        say.json_line(answer)
        return
    report = UsageReport.model_validate(answer)
    lines = [(line.day, line.verb, say.counted(line.units), dollars(line.charge_micros)) for line in report.days]
    show_table(("day", "verb", "billed", "charged"), [*lines, ("total", "", "", dollars(report.charge_micros))])


def verbs(server: Server, *, output: str) -> None:
    answer = server.read("/v1/verbs")
    if output == "json":
        say.json_line(answer)
        return
    catalog = VerbList.model_validate(answer)
    show_table(
        ("verb", "what it does", "unit", "price"),
        ((verb.name, verb.summary, verb.unit, _price(verb.price_micros)) for verb in catalog.verbs),
    )
    say.note("'verbena call VERB --help' explains a verb.")


def prices(server: Server, *, output: str) -> None:
    answer = server.read("/v1/verbs")
    if output == "json":
        say.json_line(answer["prices"])
        return
    show_table(
        ("unit", "price", "default", "counts"),
        (
            (unit.unit, _price(unit.price_micros), _price(unit.default_micros), unit.counts)
            for unit in VerbList.model_validate(answer).prices
        ),
    )


def _price(micros: int) -> str:
    return dollars(micros) if micros else "free"
