"""The benches run: as little of each as shows that it does. Their numbers are for `make bench`."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def bench(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "VERBENA_CORPUS"} | variables
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("name", ["fetch", "cold", "warm", "doors", "discover", "maps", "jobs", "memory", "cost"])
def test_a_bench_prints_its_table(name):
    ran = bench("--tiny", name)

    assert ran.returncode == 0, ran.stderr
    assert f"## {name}" in ran.stdout
    assert "\n|---" in ran.stdout


def test_an_unknown_bench_is_refused_with_the_names_there_are():
    ran = bench("cool")

    assert ran.returncode == 2
    assert "there are fetch, extract, endtoend" in ran.stderr


def test_pages_are_read_from_the_wire_to_markdown_in_a_process_that_is_measured(tmp_path):
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "a.html.gz").write_bytes(gzip.compress(b"<title>Pier</title><p>" + b"The ferry timetable changes. " * 20))
    with gzip.open(folder / "pages.jsonl.gz", "wt") as index:
        index.write(json.dumps({"id": "a", "url": "https://port.example/", "file": "a.html.gz"}) + "\n")

    ran = bench("--tiny", "endtoend", VERBENA_CORPUS=str(tmp_path))

    assert ran.returncode == 0, ran.stderr
    assert re.search(r"\| Verbena: .* \| [\d.]+ ms \| 1\.0 \| 1 \| 5\d\d \|", ran.stdout)


@pytest.mark.parametrize("name", ["extract", "endtoend", "mutations"])
def test_a_bench_of_labelled_pages_refuses_to_run_without_them(name):
    ran = bench(name)

    assert ran.returncode == 2
    assert "VERBENA_CORPUS is not set" in ran.stderr
