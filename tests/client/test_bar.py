"""A bar for people who wait at a terminal, and nothing for programs."""

import os
import subprocess
import sys

import pytest

from tests.cli.terminal import Terminal

WAIT = """
import sys, verbena
{before}
client = verbena.Client(progress={progress})
print(len(client.web.scrape(sys.argv[1:]).rows))
"""


@pytest.fixture
def waiting(account, site):
    """A program that waits for a job whose last page does not come; ended with the test."""
    running = []

    def start(stderr, before="", *, progress=True, env=os.environ):
        code = WAIT.format(before=before, progress=progress)
        urls = [*site.pages(20), *site.pages(1, "held")]  # three parts, the last of them held
        known = {"VERBENA_URL": account["base_url"], "VERBENA_KEY": account["api_key"]}
        command = [sys.executable, "-c", code, *urls]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, env={**env, **known}))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def test_a_person_sees_how_far_a_job_is_until_it_is_over(waiting, site):
    with Terminal() as terminal:
        process = waiting(terminal.inside, env=terminal.env)

        terminal.wait_for("20/21")
        site.released.set()

        assert process.communicate(timeout=60)[0] == b"21\n"


def test_a_terminal_without_rich_shows_a_line(waiting, site):
    with Terminal() as terminal:
        process = waiting(terminal.inside, before='sys.modules["rich"] = None', env=terminal.env)

        shown = terminal.wait_for("20/21 rows $0.02 spent")
        site.released.set()

        assert process.communicate(timeout=60)[0] == b"21\n"
        assert "\x1b[K" in shown


def test_a_program_that_wants_no_bar_gets_none(waiting, site):
    with Terminal() as terminal:
        process = waiting(terminal.inside, progress=False, env=terminal.env)
        site.released.set()

        assert process.communicate(timeout=60)[0] == b"21\n"
        os.write(terminal.inside, b"end")
        assert terminal.wait_for("end") == "end"


def test_nothing_is_shown_where_standard_error_is_no_terminal(waiting, site):
    process = waiting(subprocess.PIPE)
    site.released.set()

    assert process.communicate(timeout=60) == (b"21\n", b"")
