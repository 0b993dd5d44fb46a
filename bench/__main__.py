"""`python -m bench [name ...]`: runs the benches named, or all of them, one after another."""

import argparse
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench import machine

FOLDER = Path(__file__).parent


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(BENCHES)}; all of them if none")
    options.add_argument(
        "--tiny", action="store_true", help="as little as shows that they run; the numbers mean nothing"
    )
    chosen = options.parse_args()
    if unknown := [name for name in chosen.names if name not in BENCHES]:
        options.error(f"no bench is called {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    return max(_run(name, tiny=chosen.tiny, asked=bool(chosen.names)) for name in chosen.names or BENCHES)


def _run(name: str, *, tiny: bool, asked: bool) -> int:
    """The exit code of one bench. Without labelled pages those of them are passed over, unless they were asked for."""
    if name in LABELLED and not os.environ.get("VERBENA_CORPUS"):
        if asked:
            print("VERBENA_CORPUS is not set: it names the folder of labelled pages this bench reads.", file=sys.stderr)
            return 2
        print(f"\n## {name}\n\nNot run: VERBENA_CORPUS names no folder of labelled pages.")
        return 0
    print(f"\n## {name}\n\n{machine.description()}", flush=True)
    return BENCHES[name](tiny)


def _script(name: str, few: tuple[str, ...], tiny: bool) -> int:  # noqa: FBT001 - as all benches
    """Run a bench that is a script with options of its own."""
    command = [sys.executable, "-P", str(FOLDER / name), *(few if tiny else ())]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - of this folder


def _module(name: str, tiny: bool) -> int:  # noqa: FBT001 - as all benches
    importlib.import_module(f"bench.{name}").run(tiny=tiny)
    return 0


BENCHES: dict[str, Callable[[bool], int]] = {
    "fetch": partial(_script, "fetch.py", ("--pages", "64")),
    "extract": partial(_script, "extract.py", ("--every", "500")),
    "endtoend": partial(_script, "endtoend.py", ("--every", "500", "--alone")),
    **{
        name: partial(_module, name)
        for name in ("mutations", "cold", "warm", "doors", "discover", "maps", "jobs", "memory", "cost", "proof")
    },
}
LABELLED = {"extract", "endtoend", "mutations"}

if __name__ == "__main__":
    sys.exit(main())
