"""Write what follows from the catalog: docs/generated/, the client's stub, the README table; `--check` compares."""

import json
import sys
from pathlib import Path
from typing import Any

from stub import stub

from verbena.billing import UNITS
from verbena.catalog import CATALOG
from verbena.doors.openapi import document
from verbena.doors.operations import OPERATIONS
from verbena.errors import every_error
from verbena.tools.schema import FORMATS
from verbena.tools.tool import tools_of

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- verbs: written by `make generate` -->", "<!-- /verbs -->"


def verb_table() -> str:
    """The catalog as a Markdown table."""
    prices = {unit.name: unit.micros for unit in UNITS}
    lines = ["| Verb | What it does | Billed |", "|---|---|---|"]
    for verb in CATALOG:
        price = f"{prices[verb.unit]:,} micro-USD" if prices[verb.unit] else "free"
        lines.append(f"| `{verb.name}` | {verb.summary} | `{verb.unit}`, {price} |")
    return "\n".join(lines)


def error_table() -> str:
    """Every error code a caller can meet."""
    lines = [
        "# Error codes",
        "",
        "Written by `make generate` from `shared/verbena/errors.py`.",
        "",
        "| Code | HTTP status | Retry helps | What to do |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| `{error.code}` | {error.status} | {'yes' if error.retryable else 'no'} | {error.fix} |"
        for error in every_error()
    ]
    return "\n".join(lines) + "\n"


def _tools() -> dict[str, list[dict[str, Any]]]:
    """The catalog as tools, by vendor."""
    return {name: form(tools_of(CATALOG)) for name, form in FORMATS.items()}


def outputs() -> dict[Path, str]:
    """Every generated file and its text."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return {
        ROOT / "docs/generated/openapi.json": json.dumps(document(CATALOG, OPERATIONS), indent=1) + "\n",
        ROOT / "docs/generated/tools.json": json.dumps(_tools(), indent=1) + "\n",
        ROOT / "docs/generated/errors.md": error_table(),
        ROOT / "shared/verbena/client/namespaces.pyi": stub(CATALOG),
        ROOT / "README.md": f"{before}{BEGIN}\n{verb_table()}\n{END}{after}",
    }


def stale() -> list[Path]:
    """The generated files whose text is not what the catalog says now."""
    return [path for path, text in outputs().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main() -> int:
    """Exit status 1 with --check when something is stale."""
    if "--check" in sys.argv:
        names = [str(path.relative_to(ROOT)) for path in stale()]
        sys.stderr.write("".join(f"{name} is stale: run make generate\n" for name in names))
        return bool(names)
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
