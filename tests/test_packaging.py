"""What is installed where: the project, its layers and its locks agree."""

import ast
import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = sorted((ROOT / "locks").glob("*.txt"))


# Import names whose distribution is called otherwise, or is part of another.
DISTRIBUTIONS = {
    "ada_url": "ada-url",
    "aws_lambda_powertools": "aws-lambda-powertools",
    "backports": "backports.zstd",
    "multidict": "aiohttp",
    "opening_hours": "opening-hours-py",
    "pydantic_core": "pydantic",
    "yarl": "aiohttp",
}
FROM_LAMBDA = {"boto3", "botocore"}
# The client draws with it where it is installed.
OPTIONAL = {"rich"}
# `compression` joins the standard library with Python 3.14.
OURS = {"compression", "verbena", *(path.name for path in (ROOT / "functions").iterdir())}


CLI = "shared/verbena/doors/cli"
CONVERTERS = "shared/verbena/converters"
BASE = PROJECT["dependencies"]
SERVER = EXTRAS["server"]


def names(requirements):
    return {re.split(r"[^\w.\-]", line)[0] for line in requirements}


def distributions(modules):
    return {DISTRIBUTIONS.get(name, name) for name in modules - FROM_LAMBDA}


def imports(folder, but=()):
    """The third-party top-level names that the modules of a folder import, but those of some folders within."""
    paths = [path for path in (ROOT / folder).rglob("*.py") if not {ROOT / name for name in but} & {*path.parents}]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    sources = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.partition(".")[0] for name in plain | sources} - sys.stdlib_module_names - OURS


def needed(package):
    """The third-party top-level names that a package imports, itself or by what it imports of ours."""
    graph = grimp.build_graph("verbena", include_external_packages=True)
    reached = graph.find_upstream_modules(package, as_package=True)
    return {name.partition(".")[0] for name in reached} - sys.stdlib_module_names - OURS


def lines(path):
    return (ROOT / path).read_text().splitlines()


def test_the_layer_of_every_function_requires_what_a_server_requires():
    assert lines("shared/requirements.txt") == sorted([*BASE, *SERVER])


@pytest.mark.parametrize("layer", ["html", "maps", "pdf"])
def test_a_layer_of_libraries_requires_what_the_extra_of_its_name_requires(layer):
    assert lines(f"layers/{layer}/requirements.txt") == EXTRAS[layer]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_pins_every_line_and_names_no_registry(lock):
    for line in lock.read_text().splitlines():
        assert re.match(r"[a-z0-9.\-]+(\[[a-z0-9,\-]+\])?==[^ ;]+( ; .+)?$", line)


def test_the_lock_has_every_direct_requirement():
    locked = {line.partition("==")[0] for line in lines("locks/dev.txt")}
    wanted = names([*BASE, *chain.from_iterable(EXTRAS.values())])

    assert {name.replace(".", "-") for name in wanted - {"verbena"}} <= locked


def test_the_layer_requires_exactly_what_it_imports():
    clients = names(EXTRAS["client"]) | OPTIONAL

    assert distributions(imports("shared", but=(CLI, CONVERTERS))) - clients == names([*BASE, *SERVER])


def test_the_contracts_require_exactly_what_they_import():
    assert distributions(needed("verbena.catalog") | needed("verbena.validation")) == names(BASE)


def test_the_client_requires_exactly_what_it_imports():
    assert distributions(needed("verbena.client")) - OPTIONAL == names([*BASE, *EXTRAS["client"]])


def test_the_command_line_requires_exactly_what_it_imports():
    wanted = names([*EXTRAS["cli"], *EXTRAS["client"]]) - {"verbena"}

    assert distributions(imports(CLI)) - names(BASE) == wanted


def test_the_pdf_layer_is_imported_by_converters_alone():
    assert imports(CONVERTERS) == names(EXTRAS["pdf"])


def test_the_layers_of_functions_are_imported_by_functions_alone():
    own = [*BASE, *SERVER]
    others = distributions(imports("functions", but=("functions/maps",))) - names(own)

    assert distributions(imports("functions/maps")) - names(own) == names(EXTRAS["maps"]) | {"osmium"}
    assert others == names(EXTRAS["html"]) | {"playwright"}
    assert not {"opening_hours", "turbohtml"} & imports("shared")


def test_only_building_an_index_needs_the_reader_of_openstreetmap_s_files():
    assert names(EXTRAS["maps-build"]) == {"osmium", "verbena"}
    assert "osmium" not in imports("functions", but=("functions/maps/extract",)) | imports("shared")


def test_the_browser_is_locked_with_the_versions_of_everything_else():
    browser, everything = (
        dict(line.partition(" ;")[0].split("==") for line in lines(f"locks/{name}.txt")) for name in ("browser", "dev")
    )

    assert names(lines("locks/browser.in")) <= set(browser)
    assert {name: everything.get(name, version) for name, version in browser.items()} == browser


def test_boto3_is_left_to_the_runtime():
    assert not [line for line in lines("shared/requirements.txt") if line.startswith("boto")]
