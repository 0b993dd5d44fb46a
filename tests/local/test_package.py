"""Packaging for the emulator, and the choices of `make run`."""

import io
import zipfile
from pathlib import Path

import pytest

from local.options import BadOption, from_environment
from local.package import archive, package

ROOT = Path(__file__).parents[2]


def packaged(**settings):
    return package(
        ROOT, bucket="code", functions=ROOT / "functions", numbers={"WorkerConcurrency": 4}, settings=settings
    )


def variables(result):
    return result.template["Globals"]["Function"]["Environment"]["Variables"]


def test_equal_code_is_an_equal_archive(tmp_path):
    for copy in ("one", "two"):
        (tmp_path / copy / "package").mkdir(parents=True)
        (tmp_path / copy / "package" / "module.py").write_text("x = 1\n")

    assert archive(tmp_path / "one") == archive(tmp_path / "two")


def test_compiled_files_stay_out_of_an_archive(tmp_path):
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "module.pyc").write_bytes(b"x")
    (tmp_path / "module.py").write_text("")

    assert zipfile.ZipFile(io.BytesIO(archive(tmp_path))).namelist() == ["module.py"]


def test_the_layer_lies_where_lambda_looks():
    result = packaged()

    key = result.template["Resources"]["VerbenaLayer"]["Properties"]["ContentUri"]["Key"]
    names = zipfile.ZipFile(io.BytesIO(result.archives[key])).namelist()
    assert "python/verbena/__init__.py" in names


def test_a_setting_takes_the_place_of_a_parameter():
    assert variables(packaged(VERBENA_BILLING="off"))["VERBENA_BILLING"] == "off"


def test_a_setting_the_template_does_not_know_reaches_the_functions_too():
    assert (
        variables(packaged(VERBENA_BRAVE_BASE_URL="http://127.0.0.1:1"))["VERBENA_BRAVE_BASE_URL"]
        == "http://127.0.0.1:1"
    )


def test_a_setting_never_takes_the_place_of_a_resource():
    assert variables(packaged(VERBENA_JOBS_TABLE="another"))["VERBENA_JOBS_TABLE"] == {"Ref": "JobsTable"}


def test_what_the_functions_may_know_is_named_and_nothing_else_passes():
    environ = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "not ours",
        "AWS_SECRET_ACCESS_KEY": "not ours",
        "VERBENA_DEV_KEY": "ours, but for the door",
        "VERBENA_BILLING": "off",
        "VERBENA_RATE_LIMIT": "",
        "VERBENA_BRAVE_BASE_URL": "http://127.0.0.1:1",
        "BRAVE_SEARCH_API_KEY": "a key",
        "SEARXNG_URL": "http://127.0.0.1:2",
    }

    passed = from_environment(environ).settings

    assert sorted(passed) == ["BRAVE_SEARCH_API_KEY", "SEARXNG_URL", "VERBENA_BILLING", "VERBENA_BRAVE_BASE_URL"]


def test_nothing_set_means_port_3000_and_no_data():
    options = from_environment({"PORT": "", "DATA": ""})

    assert (options.port, options.data, options.dev_key) == (3000, None, None)


@pytest.mark.parametrize("port", ["http", "-1", "70000", "3000 ", "٣"])
def test_a_port_that_is_none_is_named(port):
    with pytest.raises(BadOption, match="PORT"):
        from_environment({"PORT": port})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VERBENA_RATE_LIMIT", "60/x"),
        ("VERBENA_ALLOW_NETWORKS", "10.0.0.0/8,localhost"),
        ("VERBENA_ALLOW_NETWORKS", "127.0.0.1/8"),
        ("VERBENA_BILLING", "yes"),
        ("VERBENA_PRICES", "{"),
        ("VERBENA_PRICES", '{"web_crawls": 1}'),
        ("VERBENA_RETENTION_DAYS", "0"),
        ("VERBENA_INLINE_LIMIT_WEB_SCRAPE", "-1"),
    ],
)
def test_a_setting_that_no_function_could_read_is_named_before_anything_starts(name, value):
    with pytest.raises(BadOption, match=name):
        from_environment({name: value})
