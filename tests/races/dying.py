"""A process that ends, as if its power was cut, at a named step of its work."""

import multiprocessing
import os
from dataclasses import dataclass, field, replace

from tests.races.world import clients_of

DEAD = 9
CONTEXT = multiprocessing.get_context("forkserver")
# The server of forks imports all this once; each process then starts in milliseconds.
CONTEXT.set_forkserver_preload([__name__])


@dataclass(frozen=True)
class Step:
    """Just before or just after the nth call of a port's method."""

    port: str
    method: str
    when: str
    nth: int = 1

    def __str__(self):
        return f"{self.when} {self.port}.{self.method} {self.nth}"


@dataclass
class Dying:
    """A port that is the end of its process at one step."""

    port: object
    step: Step
    calls: list = field(default_factory=list)

    def __getattr__(self, name):
        method = getattr(self.port, name)
        return self._counted(method) if name == self.step.method else method

    def _counted(self, method):
        def call(*arguments):
            self.calls.append(arguments)
            self._end_at("before")
            result = method(*arguments)
            self._end_at("after")
            return result

        return call

    def _end_at(self, when):
        if when == self.step.when and len(self.calls) == self.step.nth:
            os._exit(DEAD)


def die(world, step, action, *arguments):
    """Let another process do something with the same stores, and make sure it died of `step`."""
    # Clients cannot cross over to another process; it makes its own.
    endpoint = world.aws["dynamodb"].meta.endpoint_url
    process = CONTEXT.Process(target=_live, args=(endpoint, replace(world, aws={}), step, action, arguments))
    process.start()
    process.join(30)
    assert process.exitcode == DEAD, f"the process ended with {process.exitcode}, not at {step}"
    process.close()


def _live(endpoint, world, step, action, arguments):
    world.aws = clients_of(endpoint)
    dying = world.over(**{step.port: Dying(getattr(world.backend, step.port), step)})
    ACTIONS[action](dying, *arguments)


def _work_next(world):
    """The message is left in the queue, as by a worker that never comes back; it shows again at once."""
    ((_, part),) = world.receive(visibility_s=0)
    world.work(part)


def _bury_next(world):
    ((_, part),) = world.receive(world.place.dead, visibility_s=0)
    world.bury(part)


ACTIONS = {
    "work": _work_next,
    "bury": _bury_next,
    "call": lambda world, items, options: world.call(items, **options),
    "sweep": lambda world: world.sweep(),
}
