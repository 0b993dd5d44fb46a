"""`verbena maps`: makes the index that maps.search reads where no vendor is asked, and says what one holds."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from verbena.doors.cli import say
from verbena.doors.cli.command import FAILED, Ordered, loaded
from verbena.doors.cli.target import Stopped

# The work is a function's, which this layer may not import.
WORK = "maps.extract.build"
READABLE = click.Path(exists=True, dir_okay=False, path_type=Path)
WRITABLE = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.group(cls=Ordered, help="Make places of any OpenStreetMap extract available to maps.search, without a vendor.")
def maps() -> None: ...


@maps.command("build", short_help="Make an index of an OpenStreetMap extract.")
@click.argument("extract", type=READABLE)
@click.option("-o", "--output", type=WRITABLE, required=True, help="Where the index shall be.")
@click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="The day of the data, where the extract does not say it."
)
def build(extract: Path, output: Path, day: Any) -> None:
    """Make an index of EXTRACT: .osm.pbf, .osm (.gz, .bz2), Overpass JSON (of 'out center') or GeoJSON.

    The server finds it by VERBENA_OSM_EXTRACT.
    """
    with _stopping(), _counting(extract.name) as note:
        told = loaded(f"{WORK}:build")(extract, output, day and day.date().isoformat(), note)
    say.note(f"{told['places']:,} places and {told['areas']:,} areas of {told['date']}")
    if told["unplaced"]:
        say.note(f"  {told['unplaced']:,} elements had no position and were left out")
    say.note(f"  export VERBENA_OSM_EXTRACT={output.resolve()}")


@maps.command("info", short_help="Say what an index holds.")
@click.argument("index", type=READABLE)
def info(index: Path) -> None:
    """Say what INDEX holds, from which day, and under which licence."""
    with _stopping():
        told = loaded(f"{WORK}:about")(index)
    say.json_line(asdict(told))


@contextmanager
def _stopping() -> Iterator[None]:
    """What cannot go on is told with its fix."""
    say.never_fail_at_a_letter()
    try:
        yield
    except Stopped as stopped:
        say.stopped(str(stopped), stopped.fix)
        raise click.exceptions.Exit(FAILED) from stopped


@contextmanager
def _counting(name: str) -> Iterator[Callable[[int], None]]:
    """Shows how many places there are so far, on a terminal; an extract does not say how many come."""
    with click.progressbar(_unending(), label=name, show_pos=True, file=sys.stderr, update_min_steps=100) as bar:
        yield lambda count: bar.update(count - bar.pos)


def _unending() -> Iterator[int]:
    yield from ()
