"""Lambda entries of web.discover."""

from verbena.catalog import WEB_DISCOVER
from verbena.doors import queue, rest

handler = rest.verb_handler(WEB_DISCOVER)
worker = queue.worker_handler("web_discover")
