"""A verb is written once and is then on every door, the same to the byte: one more verb proves it for all of them."""

import json
import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from local import emulator
from local.stack import ROOT
from verbena.catalog import CATALOG

ADDED = Path(__file__).parent / "added"
REGISTERED = """
from verbena.catalog.echo import ECHO_BACK

CATALOG = (*CATALOG, ECHO_BACK)
VERBS = by_name(CATALOG)
SCOPES = (*SCOPES, ECHO_BACK.namespace)
"""
BODY = {"words": ["hello", "harbour", "hello"], "voice": {"pitch": "high", "times": 2}}
NAMES = [*(verb.name for verb in CATALOG), "echo.back"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Our own tree with one verb more."""
    tree = tmp_path_factory.mktemp("tree")
    for folder in ("shared", "functions"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ADDED, tree, dirs_exist_ok=True)
    with (tree / "shared/verbena/catalog/__init__.py").open("a") as catalog:
        catalog.write(REGISTERED)
    return tree


@pytest.fixture(scope="module")
def told(tree, ministack):
    """What the doors of that tree say; see doors.py."""
    outputs = ministack.deployment.outputs
    queue = ministack.client("sqs").create_queue(QueueName=f"echo-{uuid.uuid4().hex}")["QueueUrl"]
    environment = {
        **os.environ,
        **emulator.client_environment(ministack.endpoint),
        "VERBENA_JOBS_TABLE": outputs["JobsTable"],
        "VERBENA_LEDGER_TABLE": outputs["LedgerTable"],
        "VERBENA_CONFIG_TABLE": outputs["ConfigTable"],
        "VERBENA_RESULTS_BUCKET": outputs["ResultsBucket"],
        "VERBENA_QUEUE_ECHO": queue,
        "VERBENA_BILLING": "off",
        "PYTHONPATH": os.pathsep.join([str(tree / "shared"), str(tree / "functions")]),
    }
    ran = subprocess.run(
        [sys.executable, Path(__file__).with_name("doors.py")],
        env=environment,
        input=json.dumps({"verb": "echo.back", "body": BODY}),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_every_door_publishes_every_verb_with_one_schema_to_the_byte(told):
    """A28, A29"""
    said = {
        door: {verb: json.dumps(schema) for verb, schema in verbs.items()} for door, verbs in told["schemas"].items()
    }

    assert {door: list(verbs) for door, verbs in said.items()} == dict.fromkeys(said, NAMES)
    assert all(verbs == said["rest"] for verbs in said.values())
    assert {verb.name: said["rest"][verb.name] for verb in CATALOG} == {
        verb.name: json.dumps(verb.request_schema()) for verb in CATALOG
    }


def test_a_verb_that_was_added_runs_on_every_door_with_the_same_rows(told):
    """A28, A30, C29"""
    rows = told["rows"]

    assert [row["echo"] for row in rows["rest"]] == ["hello hello", "harbour harbour", "hello hello"]
    assert all(answered == rows["rest"] for answered in rows.values()), rows
