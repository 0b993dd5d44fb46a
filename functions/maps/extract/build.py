"""Makes an index of an extract, and says what an index holds: the work of `verbena maps`."""

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from maps.extract import jsonfile
from maps.extract.features import Feature, Source, is_place
from maps.extract.index import About, NotAnIndex, opened
from maps.extract.write import write
from maps.tags import KEYS
from verbena.doors.cli.target import Stopped

OSM: Final = re.compile(r".*\.(pbf|osm|osm\.(gz|bz2|xml))", re.IGNORECASE)
JSON: Final = re.compile(r".*\.(geo)?json(\.gz)?", re.IGNORECASE)
FORMS: Final = ".osm.pbf, .osm, .osm.gz, .osm.bz2, .json of Overpass, .geojson"


def build(extract: Path, to: Path, day: str | None, note: Callable[[int], None]) -> dict[str, object]:
    """What the new index says about itself; Stopped if none can be made, and then there is none.

    `day` is that of the data, YYYY-MM-DD, where the extract does not say it. `note` hears how many places there are.
    """
    source = Source(extract.name)
    with _explained(extract, to):
        found = _complete(_reader(extract)(extract, source), source, day)
        return write(to, source, found, note) | {"unplaced": source.unplaced}


def about(path: Path) -> About:
    """What an index says of itself; Stopped if it is none."""
    try:
        with opened(path) as index:
            return index.about
    except NotAnIndex as error:
        raise Stopped(str(error), "Make one with 'verbena maps build EXTRACT -o FILE'.") from error


def _reader(extract: Path) -> Callable[[Path, Source], Iterator[Feature]]:
    if JSON.fullmatch(extract.name):
        return jsonfile.features
    if not OSM.fullmatch(extract.name):
        raise Stopped(f"{extract.name} is of no known form", f"Give one of {FORMS}.")
    try:
        from maps.extract import osmfile  # noqa: PLC0415 - it needs an extra, and nothing else here does
    except ModuleNotFoundError as missing:
        message = f"the module {missing.name!r} is not installed"
        raise Stopped(message, "pip install 'verbena[maps-build]'; JSON can be read without it.") from missing
    return osmfile.features


def _complete(features: Iterator[Feature], source: Source, day: str | None) -> Iterator[Feature]:
    """The same features. At their end there must have been places, and a day, which every row will say."""
    is_empty = True
    for feature in features:
        is_empty = is_empty and not is_place(feature.tags)
        yield feature
    source.date = day or source.date
    if is_empty and source.unplaced:
        message = f"none of the {source.unplaced} places of {source.name} has a position"
        raise Stopped(message, "Ask Overpass for 'out center'.")
    if is_empty:
        raise Stopped(f"{source.name} has no place with a name", f"A place has one of the tags {', '.join(KEYS)}.")
    if source.date is None:
        raise Stopped(f"{source.name} does not say from which day it is", "Say it: --date YYYY-MM-DD.")


@contextlib.contextmanager
def _explained(extract: Path, to: Path) -> Iterator[None]:
    """What reading a file raises that is not what its name says, or writing where one may not."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise Stopped(f"{to} cannot be made of {extract}: {error}", "Look at both paths, and at the disk.") from error
    except (RuntimeError, ValueError, KeyError, TypeError) as error:
        message = f"{extract} cannot be read: {error}"
        raise Stopped(message, f"It must be what its name says: {FORMS}.") from error
