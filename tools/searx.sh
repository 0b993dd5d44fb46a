#!/bin/sh
# Install Debian's searx, a search server for tests, with an environment of its own: searx.sh DIR LOCK PYTHON
# It is a luxury: where it cannot be had, this says so, and the tests that want it say that they skip.
set -eu
dir=$1 lock=$2 python=$3

without() {
    echo "verbena: no searx: $1" >&2
    exit 0
}

for tool in apt-get dpkg; do
    command -v "$tool" >/dev/null || without "this machine has no $tool"
done
tools/venv.sh "$dir" "$lock" "$python" || without "$("$python" --version) cannot install $lock"
rm -rf "$dir/debian" "$dir/unpacked" "$dir/searx" && mkdir "$dir/debian"
# As root, apt-get would download as a user who may not write here.
(cd "$dir/debian" && apt-get -qq -o APT::Sandbox::User=root download searx python3-searx) ||
    without "apt-get does not know it (apt-get update first?)"
for package in "$dir"/debian/*.deb; do
    dpkg -x "$package" "$dir/unpacked"
done
mv "$dir/unpacked" "$dir/searx"
touch "$dir/searx"
