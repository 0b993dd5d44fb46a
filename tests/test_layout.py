"""The dependency rules of the design, and that a breach of each is caught."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def lint(root):
    paths = os.pathsep.join(str(root / folder) for folder in ("shared", "functions", "."))
    environment = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"}
    return subprocess.run(
        [LINT_IMPORTS, "--no-cache"], cwd=root, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def tree(tmp_path):
    for folder in ("shared", "functions", "local"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_tree_keeps_its_rules(tree):
    linted = lint(tree)

    assert linted.returncode == 0, linted.stdout


@pytest.mark.parametrize(
    ("module", "line", "rule"),
    [
        ("shared/verbena/settings.py", "from verbena import calls", "Dependencies of the layer"),
        ("shared/verbena/calls.py", "from verbena.aws import jobs", "Dependencies of the layer"),
        ("shared/verbena/client/peer.py", "import aiohttp", "Callers need nothing"),
        ("shared/verbena/envelope.py", "import verbena.net", "Callers need nothing"),
        ("shared/verbena/novelty.py", "", "Dependencies of the layer"),
        ("shared/verbena/parts.py", "import boto3", "AWS is known"),
        ("functions/maps/executor.py", "import aws_lambda_powertools", "AWS is known"),
        ("functions/maps/executor.py", "import web_scrape.fetch", "Functions stand on the layer"),
        ("shared/verbena/parts.py", "import local.stack", "Functions stand on the layer"),
    ],
)
def test_a_planted_breach_is_caught(tree, module, line, rule):
    with (tree / module).open("a") as file:
        file.write(f"\n{line}\n")

    linted = lint(tree)

    assert linted.returncode == 1
    broken = [printed for printed in linted.stdout.splitlines() if " BROKEN" in printed]
    assert any(printed.startswith(rule) for printed in broken)
