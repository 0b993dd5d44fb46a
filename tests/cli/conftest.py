"""What the tests of the command line share: a site of a few pages, and the program run in this process or its own."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.sites import Site, pages
from verbena import settings
from verbena.doors.cli import main

PROGRAM = Path(sys.executable).with_name("verbena")


@pytest.fixture
def site() -> Iterator[Site]:
    with pages() as here:
        yield here


Verbena = Callable[..., Result]


def caller(env: Mapping[str, str]) -> Verbena:
    """Runs `verbena` in this process, its output no terminal."""
    return lambda *words, **more: CliRunner(env=dict(env)).invoke(main, words, prog_name="verbena", **more)


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Verbena]:
    """`verbena call ... --local`, which may read pages of this machine; no server is anywhere near."""
    monkeypatch.setenv("VERBENA_ALLOW_NETWORKS", "127.0.0.1/32")
    monkeypatch.setenv("VERBENA_OSM_BASE_URL", "http://127.0.0.1:9")
    settings.current.cache_clear()
    run = caller({"VERBENA_URL": "http://127.0.0.1:1"})
    yield lambda *words, **more: run("call", *words, "--local", **more)
    settings.current.cache_clear()


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts `verbena` as its users do; what still runs at the end of a test is ended."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*words, **more):
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, **more)
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()
