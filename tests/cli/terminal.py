"""A terminal that a test reads."""

import os
import pty
import select
import time
from typing import Self


class Terminal:
    """`inside` is what a process writes to; `env` makes its programs believe in it."""

    def __enter__(self) -> Self:
        self._outside, self.inside = pty.openpty()
        self.env = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "VERBENA_ALLOW_NETWORKS": "127.0.0.1/32"}
        self._text = ""
        return self

    def __exit__(self, *_) -> None:
        os.close(self.inside)
        os.close(self._outside)

    def wait_for(self, words: str, within_s: float = 30) -> str:
        """All that was written until the words came."""
        deadline = time.monotonic() + within_s
        while words not in self._text:
            readable, _, _ = select.select([self._outside], [], [], max(0, deadline - time.monotonic()))
            assert readable, f"{words!r} never came after {self._text!r}"
            self._text += os.read(self._outside, 65_536).decode(errors="replace")
        return self._text
