#!/bin/sh
# Make a virtual environment from a lock file: venv.sh DIR LOCK PYTHON [--editable]
# DIR/ready is written last, so an interrupted install is done again.
# A lock names everything, so pip need not resolve (its 2023 releases break on an extra that is asked for twice).
set -eu
dir=$1 lock=$2 python=$3 editable=${4:-}

fail() {
    echo "verbena: $1" >&2
    exit 1
}

command -v "$python" >/dev/null || fail "$python not found: install Python 3.11 or newer, or say make PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old: Verbena needs Python 3.11 or newer (make PYTHON=python3.13 ...)"
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    fail "this Python cannot make virtual environments: on Debian and Ubuntu, apt-get install python3-venv"

rm -f "$dir/ready"
[ -x "$dir/bin/pip" ] || "$python" -m venv --clear "$dir"
echo "verbena: installing $lock into $dir (once, about a minute)" >&2
"$dir/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$lock"
if [ -n "$editable" ]; then
    "$dir/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
fi
touch "$dir/ready"
