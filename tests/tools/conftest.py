"""The tools of one caller over memory, where pages are as long as a test says."""

import pytest

from tests.calls.world import OWNER, World
from tests.fakes import FAKES
from verbena.doors.mcp_tools import Toolbox
from verbena.request import Caller
from verbena.tools.size import Size

BASE = "https://verbena.test"
SCOPES = frozenset({"test", "jobs"})


class Numbered(World):
    """Ids look as they do outside."""

    def _new_id(self):
        self.ids += 1
        return f"{self.ids:032x}"


@pytest.fixture
def world():
    return Numbered()


@pytest.fixture
def toolbox(world):
    """Makes toolboxes."""

    def make(scopes=SCOPES, owner=OWNER, **size):
        return Toolbox(
            calls=world.calls,
            caller=Caller(owner, "key", "correlation", BASE, scopes),
            run=world.run,
            call=lambda capability, body, caller: world.run(world.calls.run(capability, body, caller)),
            size=Size(**size),
        )

    return make


@pytest.fixture
def use(toolbox):
    """Uses a tool: what comes back is its envelope."""

    def using(name, arguments, box=None):
        box = box or toolbox()
        result = box.use(box.tool(name), arguments)
        return result["structuredContent"]

    return using


@pytest.fixture
def verbs():
    return {verb.id: verb for verb in FAKES}
