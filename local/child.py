"""Run MiniStack until standard input closes, which it does however the parent ends."""

import os
import signal
import sys
import threading

from ministack.app import main


def end_with_parent() -> None:
    """End the whole process group, functions too: MiniStack alone would wait for one that still works."""
    sys.stdin.buffer.read()
    os.killpg(os.getpgrp(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    sys.argv = ["ministack"]
    main()
