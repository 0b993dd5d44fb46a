"""How far a job is, on a terminal, while somebody waits for it; nothing where standard error is no terminal."""

import sys
from typing import Protocol

from verbena.billing import dollars
from verbena.client.wire import Json

ERASE_LINE = "\r\x1b[K"


class Drawing(Protocol):
    """One way to draw; drawn again after it was erased, it goes on."""

    def draw(self, done: int, total: int | None, spent: str) -> None: ...
    def erase(self) -> None: ...


class Bar:
    """Drawn only once there is something to wait for; `hide` before anybody else writes."""

    def __init__(self, *, is_wanted: bool = True) -> None:
        self._is_wanted = is_wanted
        self._drawing: Drawing | None = None

    def show(self, view: Json) -> None:
        """The state of a job as its server tells it."""
        if not self._is_wanted or not sys.stderr.isatty():
            return
        self._drawing = self._drawing or _drawing()
        progress = view.get("progress") or {"done": 0, "total": None}
        charge = (view.get("usage") or {}).get("charge_micros", 0)
        self._drawing.draw(progress["done"], progress["total"], f"{dollars(charge)} spent" if charge else "")

    def hide(self) -> None:
        if self._drawing is not None:
            self._drawing.erase()


class Plain:
    """One line, written anew; what a terminal can do without rich."""

    def draw(self, done: int, total: int | None, spent: str) -> None:
        of = "" if total is None else f"/{total:,}"
        sys.stderr.write(f"{ERASE_LINE}{done:,}{of} rows {spent}".rstrip())
        sys.stderr.flush()

    def erase(self) -> None:
        sys.stderr.write(ERASE_LINE)
        sys.stderr.flush()


def _drawing() -> Drawing:
    try:
        from verbena.client.rich_bar import Rich  # noqa: PLC0415 - it is optional, and slow to import
    except ModuleNotFoundError:
        return Plain()
    return Rich()
