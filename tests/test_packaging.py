"""What is installed where: the project, its layers and its locks agree."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = sorted((ROOT / "locks").glob("*.txt"))


def lines(path):
    return (ROOT / path).read_text().splitlines()


def test_the_layer_of_every_function_requires_what_the_project_requires():
    assert lines("shared/requirements.txt") == PROJECT["dependencies"]


def test_the_html_layer_requires_what_the_html_extra_requires():
    assert lines("layers/html/requirements.txt") == PROJECT["optional-dependencies"]["html"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_pins_every_line_and_names_no_registry(lock):
    for line in lock.read_text().splitlines():
        assert re.match(r"[a-z0-9.\-]+(\[[a-z0-9,\-]+\])?==[^ ;]+( ; .+)?$", line)


def test_the_lock_has_every_direct_requirement():
    locked = {line.partition("==")[0] for line in lines("locks/dev.txt")}
    wanted = [*PROJECT["dependencies"], *chain.from_iterable(PROJECT["optional-dependencies"].values())]
    names = {re.split(r"[^\w.\-]", line)[0].lower().replace(".", "-") for line in wanted}

    assert names - {"verbena"} <= locked


def test_boto3_is_left_to_the_runtime():
    assert not [line for line in lines("shared/requirements.txt") if line.startswith("boto")]
