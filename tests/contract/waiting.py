"""Waiting for what comes later on a deployment: the end of a job, and sums read through an index."""

import time

PATIENCE_S = 60


def ended(client, location):
    """The view of a job once it is completed."""
    return until(lambda: client.get(location).json(), lambda told: told["status"] == "completed")


def until(look, is_there):
    """What `look` sees as soon as it is what was waited for."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_there(seen := look()):
        assert time.monotonic() < deadline, seen
        time.sleep(0.05)
    return seen
