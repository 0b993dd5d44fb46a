"""`python -m local` as a person meets it: what it prints, how it ends, what it leaves behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from local.emulator import free_port

PROC = Path("/proc")


def command(tmp_path, **settings):
    """How `make run` starts it; its temporary files lie in `tmp_path`."""
    return {"args": [sys.executable, "-m", "local"], "env": {**os.environ, "TMPDIR": str(tmp_path), **settings}}


@contextmanager
def running(tmp_path, **settings):
    """The process once it has greeted, and what it said."""
    settings.setdefault("PORT", str(free_port()))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(**command(tmp_path, **settings), **pipes) as process:
        try:
            yield process, greeting(process)
        finally:
            process.kill()


def greeting(process):
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        said += line
    return said


def started_in(tmp_path):
    """Every process that has this temporary directory in its environment: the stack and what it started."""
    return [entry for entry in PROC.iterdir() if entry.name.isdigit() and str(tmp_path).encode() in environ(entry)]


def environ(process):
    try:
        return (process / "environ").read_bytes()
    except OSError:
        return b""


def gone(tmp_path):
    deadline = time.monotonic() + 10
    while started_in(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not started_in(tmp_path)


def test_it_says_where_it_is_and_how_to_call_it(tmp_path):
    port = free_port()

    with running(tmp_path, PORT=str(port), VERBENA_DEV_KEY="vb_mine") as (_, said):
        wallet = httpx.get(f"http://127.0.0.1:{port}/v1/wallet", headers={"X-API-Key": "vb_mine"}, timeout=40)

    assert f"http://127.0.0.1:{port}" in said
    assert "vb_mine" in said
    assert wallet.json() == {"available_micros": 1_000_000_000, "held_micros": 0}


def test_the_curl_line_works_as_it_is_printed(tmp_path):
    with running(tmp_path) as (_, said):
        line = re.search(r"curl .*?(?<!\\)$", said, re.DOTALL | re.MULTILINE)[0]
        line = line.replace("https://example.com", "http://127.0.0.1:1/")
        answer = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True).stdout

    assert '"status":"completed"' in answer
    assert '"forbidden_address"' in answer


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_nothing_is_left(tmp_path, ending):
    with running(tmp_path, VERBENA_DEV_KEY="vb_mine") as (process, said):
        url = re.search(r"http://127\.0\.0\.1:\d+", said)[0]
        httpx.get(f"{url}/v1/wallet", headers={"X-API-Key": "vb_mine"}, timeout=40)
        assert len(started_in(tmp_path)) > 2

        process.send_signal(ending)

        assert process.wait(20) == 0
        assert gone(tmp_path)
        assert list(tmp_path.iterdir()) == []


def test_killed_outright_it_takes_its_children_along(tmp_path):
    with running(tmp_path) as (process, _):
        process.kill()

        assert gone(tmp_path)


def test_a_taken_port_is_said_at_once(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(**command(tmp_path, PORT=str(port)), capture_output=True, text=True, timeout=20)

    assert ended.returncode == 1
    assert ended.stderr.startswith(f"verbena: port {port} of 127.0.0.1 cannot be used: Address already in use.")
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_none_is_said_at_once(tmp_path):
    ended = subprocess.run(**command(tmp_path, PORT="here"), capture_output=True, text=True, timeout=20)

    assert ended.returncode == 1
    assert ended.stderr.startswith("verbena: PORT must be ")
