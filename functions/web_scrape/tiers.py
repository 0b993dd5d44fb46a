"""The ways to a page that an operator chose, in the order they are tried; no caller ever sees which one it was."""

import asyncio
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from weakref import WeakKeyDictionary

from verbena import net
from verbena.errors import Blocked, LoginRequired, NeedsRendering, ReadError
from verbena.guard import Guard, configured
from verbena.settings import Settings
from web_scrape import browser, remote
from web_scrape.fetch import Getter


@dataclass(frozen=True)
class Tier:
    """One way: its name, for the log, and what gets the page."""

    name: str
    getter: Getter

    def helps(self, refusal: ReadError) -> bool:
        """Whether a page that could not be read another way may be readable this way."""
        if isinstance(refusal, NeedsRendering):
            return self.name == "browser"
        return isinstance(refusal, Blocked) and not isinstance(refusal, LoginRequired)


def direct(client: Getter) -> tuple[Tier, ...]:
    """One way alone."""
    return (Tier("direct", client),)


def chosen(current: Settings) -> tuple[Tier, ...]:
    """The tiers of the running event loop; ValueError says what is missing for one."""
    guard = configured(current.allow_networks, current.refuse_endpoints)
    return tuple(Tier(name, _GETTERS[name](current, guard)) for name in current.tiers)


def _direct(_current: Settings, guard: Guard) -> Getter:
    return net.client(guard)


def _proxy(current: Settings, guard: Guard) -> Getter:
    if not current.proxies:
        raise ValueError("VERBENA_TIERS names proxy, but VERBENA_PROXIES names none")
    return net.client(guard, current.proxies)


def _browser(current: Settings, guard: Guard) -> Getter:
    known = _BROWSERS.setdefault(asyncio.get_running_loop(), {})
    key = (current.browser_function, guard)
    if key not in known:
        known[key] = _new_browser(current, guard)
    return known[key]


def _new_browser(current: Settings, guard: Guard) -> Getter:
    if current.browser_function:
        return remote.RemoteBrowser.of(current.browser_function)
    if browser.executable() is None or importlib.util.find_spec("playwright") is None:
        raise ValueError("VERBENA_TIERS names browser, but there is none here: `make extras` installs one")
    return browser.Browser(guard, sandbox=current.browser_sandbox)


# Per event loop, because the turns that a browser gives belong to one. Clients of HTTP are kept by `net`, which also
# closes them.
_BROWSERS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str | None, Guard], Getter]] = WeakKeyDictionary()
_GETTERS: Final[Mapping[str, Callable[[Settings, Guard], Getter]]] = MappingProxyType(
    {"direct": _direct, "proxy": _proxy, "browser": _browser}
)
