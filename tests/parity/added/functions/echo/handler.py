"""Lambda entries of echo.back."""

from verbena.catalog.echo import ECHO_BACK

from verbena.doors import queue, rest

handler = rest.verb_handler(ECHO_BACK)
worker = queue.worker_handler("echo")
