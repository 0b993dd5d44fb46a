"""The wheel with the extra `client`, in an environment that has nothing else, calls the running product."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CALL = """
import json, sys
import verbena

row, = verbena.Client().web.scrape(sys.argv[1:]).rows
loaded = {name.partition(".")[0] for name in sys.modules}
print(json.dumps([type(row).__name__, row.status, sorted(loaded & {"aiohttp", "boto3", "botocore", "cryptography"})]))
"""


def done(*command, **more):
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, **more)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of the new environment."""
    place = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    done(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", place, ROOT)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", with_pip=False)
    inside = place / "venv/bin/python"
    done(*pip, "--python", inside, "install", "--no-compile", f"{wheel}[client]")
    return inside


def test_a_fresh_environment_calls_the_running_product(python, account, site, tmp_path):
    known = {"VERBENA_URL": account["base_url"], "VERBENA_KEY": account["api_key"], "PATH": os.environ["PATH"]}

    told = done(python, "-c", CALL, *site.pages(1), env=known, cwd=tmp_path)

    assert told == '["ScrapedPage", "success", []]\n'


def test_the_stub_and_the_mark_of_typed_packages_are_installed(python, tmp_path):
    where = "import verbena.client, pathlib; print(pathlib.Path(verbena.client.__file__).parent)"

    place = Path(done(python, "-c", where, cwd=tmp_path).strip())

    assert (place / "namespaces.pyi").is_file()
    assert (place.parent / "py.typed").is_file()
