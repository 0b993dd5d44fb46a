"""Help teaches every verb from its contract, and comes at once."""

import re
import shlex
import shutil
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from verbena.catalog import CATALOG, VERBS
from verbena.doors.cli import main
from verbena.doors.cli.teach import example
from verbena.doors.cli.words import body_of

from .conftest import PROGRAM, caller

verbena = caller({})
HEAVY = {"aiohttp", "boto3", "botocore", "httpx", "rich", "verbena.calls"}


def words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("capability", CATALOG, ids=lambda capability: capability.name)
def test_help_of_a_verb_explains_every_field_and_option_of_its_schema(capability):
    told = words(verbena("call", capability.name, "--help").stdout)

    for name, field in capability.request_schema()["properties"].items():
        assert f" {name}=" in told or f" --{name.replace('_', '-')} " in told
        assert words(field["description"]) in told
    assert capability.summary in told


def test_help_of_a_field_has_its_type_bounds_and_default():
    told = words(verbena("call", "web.scrape", "--help").stdout)

    assert re.search(r"urls=TEXT .+? \[required; list\]", told)
    assert re.search(r"format=markdown\|text\|html .+? \[default: markdown\]", told)
    assert re.search(r"timeout_s=NUMBER .+? \[1 to 30; default: 15\]", told)


@pytest.mark.parametrize("capability", CATALOG, ids=lambda capability: capability.name)
def test_the_example_in_help_is_a_call_that_the_verb_takes(capability):
    line = example(capability)

    _, _, verb, *said = shlex.split(line)
    assert line in verbena("call", capability.name, "--help").stdout
    assert body_of(VERBS[verb], said, {}, {})


def test_verbs_are_listed_as_the_catalog_has_them():
    told = words(verbena("call", "--help").stdout)

    assert re.search(".+".join(re.escape(f"{verb.name} {verb.summary}") for verb in CATALOG), told)


def test_a_mistyped_verb_is_answered_with_the_nearest():
    result = verbena("call", "web.scrap", "urls=https://example.com")

    assert result.exit_code == 2
    assert "'web.scrape'" in result.stderr


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "call --help",
        "call web.scrape --help",
        "jobs rows --help",
        "init --help",
        "mcp --help",
        "tools --help",
    ],
)
def test_help_loads_no_library_that_only_a_call_needs(line):
    code = "import sys; from verbena.doors.cli import main; main(standalone_mode=False); print(*sys.modules, sep='\\n')"

    done = subprocess.run([sys.executable, "-c", code, *line.split()], capture_output=True, text=True, check=True)

    assert "Show this message" in done.stdout
    assert not HEAVY & set(done.stdout.split())


def offered(*said, begun=""):
    offers = ShellComplete(main, {}, "verbena", "_VERBENA_COMPLETE").get_completions(list(said), begun)
    return [offer.value for offer in offers]


def test_a_shell_completes_commands_verbs_fields_and_choices():
    assert offered(begun="ca") == ["call"]
    assert offered("call", begun="web.") == ["web.scrape", "web.discover"]
    assert offered("call", "web.scrape", begun="max_c") == ["max_chars="]
    assert offered("call", "web.scrape", begun="format=t") == ["format=text"]
    assert offered("call", "web.scrape", "format=text", begun="fo") == []


def test_a_shell_that_parts_words_at_equals_signs_is_understood():
    assert offered("call", "web.scrape", "format", "=", begun="ma") == ["markdown"]
    assert offered("call", "web.scrape", "format", begun="=") == ["markdown", "text", "html"]


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_the_bash_script_completes_in_a_real_bash(tmp_path):
    script = tmp_path / "complete.sh"
    script.write_text(
        f'eval "$({PROGRAM} completion bash)"\n'
        f"COMP_WORDS=(verbena call web.scrape format = ht) COMP_CWORD=5\n"
        f"_verbena_completion {PROGRAM}\n"
        'echo "offers: ${COMPREPLY[*]}"\n'
    )

    done = subprocess.run(["bash", script], capture_output=True, text=True, check=True)  # noqa: S607 - the user's shell

    assert done.stdout.strip() == "offers: html"
