"""Run smells.py: print everything it finds, fail only for what is never a matter of taste."""

import re
import subprocess
import sys
from pathlib import Path

SMELLS = Path(__file__).with_name("smells.py")
# Beyond twice the aim; smells.py prints from the aim on.
MOST_LINES = {"giant-file": 600, "giant-function": 80}
# A door turns any failure into an answer or a redelivery: the only place for a broad except.
MAY_SWALLOW = "shared/verbena/doors/"
FINDING = re.compile(r"(?P<path>[^:]+):\d+: (?P<rule>[a-z-]+): (?P<detail>.*)")


def fails(line: str) -> bool:
    """Whether one printed finding stops the build."""
    finding = FINDING.fullmatch(line)
    if finding is None:
        return bool(line)
    if most := MOST_LINES.get(finding["rule"]):
        return int(re.findall(r"(\d+) lines", finding["detail"])[0]) > most
    if finding["rule"] == "swallowed-error":
        return not finding["path"].startswith(MAY_SWALLOW)
    return finding["rule"] == "duplicated-model"


def main(arguments: list[str]) -> int:
    command = [sys.executable, str(SMELLS), *arguments]
    printed = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own script
    findings = (printed.stdout + printed.stderr).splitlines()
    failing = [line for line in findings if fails(line)]
    for line in findings:
        print(f"{'smell' if line in failing else 'look at'}: {line}")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
