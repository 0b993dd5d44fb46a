#!/bin/sh
# Install the distribution's Chromium where that is possible; say what to do where it is not.
set -eu

command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "verbena: installing Chromium (once, about a minute)" >&2
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends chromium >/dev/null
else
    echo "verbena: no Chromium here; the browser tier needs one: sudo apt-get install chromium" >&2
fi
