"""What processes that still run have used, from Linux's /proc."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")


def of_family() -> float:
    """CPU seconds of this process and all that came of it, ended ones included."""
    stats = {int(entry.name): fields for entry in PROC.iterdir() if entry.name.isdigit() and (fields := _stat(entry))}
    family = {os.getpid()}
    while more := {pid for pid, fields in stats.items() if int(fields[1]) in family} - family:
        family |= more
    return sum(sum(map(int, stats[pid][11:15])) for pid in family) / TICKS


def resident_bytes(pid: int) -> int:
    """Memory a process holds now."""
    return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _stat(process: Path) -> list[str] | None:
    """The fields after the command's name, which may itself hold spaces: state, parent, ...; None once it is gone."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return None
