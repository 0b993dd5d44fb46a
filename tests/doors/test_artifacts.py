"""What `sam build` made runs on what Lambda gives it: the artifact, its layers, boto3, and nothing else."""

import os
import platform
import shutil
import subprocess

import pytest

from local.package import LAYER, resources
from local.stack import ROOT
from tests.doors.lambda_runtime import invoked
from tests.doors.samples import EVENTS, FUNCTIONS, ROUTES, TEMPLATE, filled, function_of

SHARED = TEMPLATE["Globals"]["Function"]
PYTHON = SHARED["Runtime"]
SAM = ROOT / ".venv-sam/bin/sam"
ARCHITECTURE = {"aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), platform.machine())


def missing():
    """Why artifacts cannot be run here, if they cannot."""
    if platform.system() != "Linux":
        return "artifacts are built for Linux"
    if not SAM.exists():
        return "no SAM CLI: make extras"
    found = shutil.which(PYTHON)
    # A version manager leaves commands on the path that only say that they are not installed.
    if found is None or subprocess.run([found, "--version"], capture_output=True).returncode:
        return f"no {PYTHON}, the functions' runtime, on the path"
    return ""


pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of what the SAM CLI built: one artifact a function, and the layers."""
    folder = tmp_path_factory.mktemp("built")
    architecture = f"Architecture={ARCHITECTURE}"
    command = [SAM, "build", "--no-cached", "--build-dir", folder, "--parameter-overrides", architecture]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "SAM_CLI_TELEMETRY": "0"}
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment with what Lambda's runtime brings, pinned as here, and nothing else."""
    folder = tmp_path_factory.mktemp("runtime")
    subprocess.run([PYTHON, "-m", "venv", folder], check=True)
    install = [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--constraint", ROOT / "locks/dev.txt", "awslambdaric", "boto3"], check=True)
    return folder / "bin/python"


def environment_of(function, built):
    """As Lambda gives it; the test's own environment has the addresses of its stores."""
    named = [*SHARED["Layers"], *FUNCTIONS[function].get("Layers", [])]
    # One that hangs on a condition is the operator's own, and absent by default.
    layers = [layer["Ref"] for layer in named if "Ref" in layer]
    literals = {name: value for name, value in SHARED["Environment"]["Variables"].items() if isinstance(value, str)}
    ours = {name: value for name, value in os.environ.items() if name.startswith(("AWS_", "VERBENA_"))}
    return {
        **literals,
        **ours,
        "AWS_LAMBDA_FUNCTION_NAME": function,
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(FUNCTIONS[function]["MemorySize"]),
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "PYTHONPATH": os.pathsep.join([str(built / function), *(str(built / layer / "python") for layer in layers)]),
    }


@pytest.fixture
def run(built, python, environment):
    """Gives events to an artifact in a process of its own, and returns its answers."""

    def give(function, events, **variables):
        given = environment_of(function, built) | variables
        return list(invoked(python, FUNCTIONS[function]["Handler"], events, given, built / function))

    return give


@pytest.fixture
def planned_job(caller, site, work):
    """A job of two pages whose one part is sent and not worked."""
    job = caller.scrape([site, f"{site}/missing"], **{"async": True}).json["job_id"]
    work(most=1)
    return job


def test_no_layer_carries_what_the_runtime_has(built):
    for name in resources(TEMPLATE, LAYER):
        assert not {path.name for path in (built / name / "python").iterdir()} & {"boto3", "botocore"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_artifact_answers_its_events(run, caller, site, planned_job, function):
    names = [name for name in EVENTS if function_of(name) == function]

    answers = run(function, [filled(name, caller.key, site, planned_job) for name in names])

    assert len(answers) == len(names)
    for answer in answers:
        if function in ROUTES:
            assert answer["statusCode"] < 500 or "NO_PROVIDERS_CONFIGURED" in answer["body"], answer
        else:
            assert not answer.get("batchItemFailures"), answer
    if function == "WebScrapeWorker":
        rows = caller.get(f"/v1/jobs/{planned_job}?limit=5").json["results"]
        assert [row["status"] for row in rows] == ["success", "failed"]


def test_an_artifact_without_its_layers_cannot_answer(run):
    with pytest.raises(AssertionError, match="ImportModuleError"):
        run("WebScrapeApi", [{}], PYTHONPATH="")
