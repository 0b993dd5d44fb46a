"""What is generated from the catalog is checked in as the catalog is now."""

import subprocess
import sys
from pathlib import Path

from verbena import billing
from verbena.catalog import CATALOG
from verbena.errors import every_error

ROOT = Path(__file__).resolve().parent.parent


def test_generated_files_say_what_the_catalog_says():
    script = ROOT / "tools/generate.py"

    checked = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)

    assert checked.stderr == ""
    assert checked.returncode == 0


def test_every_error_has_its_own_code_a_status_and_a_fix():
    errors = list(every_error())

    assert len({error.code for error in errors}) == len(errors)
    assert all(400 <= error.status < 600 and error.fix.endswith(".") for error in errors)


def test_every_verb_is_billed_in_a_registered_unit():
    registered = {unit.name for unit in billing.UNITS}

    assert {verb.unit for verb in CATALOG} <= registered
