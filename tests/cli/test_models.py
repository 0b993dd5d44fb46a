"""`verbena tools` and what `verbena mcp` says before it serves."""

import json

import pytest

from verbena.catalog import CATALOG
from verbena.tools.schema import FORMATS
from verbena.tools.tool import tools_of

from .conftest import caller

verbena = caller({})


@pytest.mark.parametrize("form", FORMATS)
def test_tools_are_printed_as_a_vendor_takes_them(form):
    told = verbena("tools", "--format", form)

    assert json.loads(told.stdout) == FORMATS[form](tools_of(CATALOG))


def test_whose_form_has_to_be_said():
    told = verbena("tools")

    assert told.exit_code == 2
    assert "openai" in told.stderr


@pytest.mark.parametrize("words", [("--max-chars", "10"), ("--url", "nowhere")])
def test_what_cannot_be_served_is_refused_before_anything_is_read(words):
    told = verbena("mcp", *words)

    assert told.exit_code == 2
    assert words[0] in told.stderr
