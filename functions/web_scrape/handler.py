"""Lambda entries of web.scrape."""

from verbena.catalog import WEB_SCRAPE
from verbena.doors import health, queue, rest

handler = rest.verb_handler(WEB_SCRAPE, operations=[health.DEEP])
worker = queue.worker_handler("web_scrape")
