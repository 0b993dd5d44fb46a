"""What the person who types `make run` may set, and which of it reaches the functions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from verbena import settings
from verbena.billing import price_book
from verbena.guard import Guard
from verbena.rates import Rate

DEFAULT_PORT = 3000
# VERBENA_* but what concerns this machine alone, the search providers' own names, and how much is logged.
# Never a pattern as wide as *_API_KEY: a developer's environment holds secrets that are not ours.
FOR_FUNCTIONS = re.compile(
    r"VERBENA_(?!DEV_KEY$|KEY$|CORPUS$|URL$)\w+"
    r"|(BRAVE_SEARCH|TAVILY|PERPLEXITY|GOOGLE_CUSTOM_SEARCH|LINKUP|BAIDU|EXA|SERPER|GOOGLE_MAPS|SERPAPI)_API_KEY"
    r"|GOOGLE_CUSTOM_SEARCH_CX|SEARXNG_URL|POWERTOOLS_LOG_LEVEL"
)


class BadOption(ValueError):
    """A variable has a value that cannot be used; the message names it."""


@dataclass(frozen=True)
class Options:
    """The choices of one `make run`."""

    port: int
    data: Path | None
    dev_key: str | None
    settings: Mapping[str, str]


def from_environment(environ: Mapping[str, str]) -> Options:
    """Raises BadOption."""
    data = environ.get("DATA")
    return Options(
        port=_port(environ.get("PORT") or str(DEFAULT_PORT)),
        data=Path(data).expanduser().resolve() if data else None,
        dev_key=environ.get("VERBENA_DEV_KEY") or None,
        settings={
            name: _usable(name, value) for name, value in environ.items() if FOR_FUNCTIONS.fullmatch(name) and value
        },
    )


def _usable(name: str, value: str) -> str:
    """The value, once everything that will read it has: in the functions it would fail every request."""
    try:
        chosen = settings.from_environment({name: value})
        price_book(chosen.prices)
        Guard.of(chosen.allow_networks, ())
        if chosen.rate_limit:
            Rate.of(chosen.rate_limit)
    except ValueError as error:
        message = str(error)
        raise BadOption(message if name in message else f"{name}: {message}") from error
    return value


def _port(value: str) -> int:
    highest = 65_535
    if not value.isascii() or not value.isdigit() or int(value) > highest:
        message = f"PORT must be a number from 0 (any free one) to {highest}, not {value!r}"
        raise BadOption(message)
    return int(value)
