"""The machine of a run, in one line: numbers say nothing without it."""

import os
import platform


def description() -> str:
    """Cores, Python, kernel, and how busy the machine was when asked."""
    load = " ".join(f"{average:.1f}" for average in os.getloadavg())
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} cores, {python}, {platform.system()} {platform.machine()}, load {load}"
