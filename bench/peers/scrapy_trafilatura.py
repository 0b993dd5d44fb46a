"""Reads the pages of a server with Scrapy and trafilatura and prints what that cost, as JSON.

Runs in the peers' environment: `scrapy_trafilatura.py [--metadata] BASE PAGES CONNECTIONS`.
"""

import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import scrapy
import trafilatura
from scrapy.crawler import CrawlerProcess

*options, base, pages, connections = sys.argv[1:]
with_metadata = "--metadata" in options
texts: list[str] = []
started: list[float] = []


class Reader(scrapy.Spider):
    """All pages once."""

    name = "reader"

    async def start(self) -> AsyncIterator[Any]:
        started.append(time.process_time())
        for number in range(int(pages)):
            yield scrapy.Request(f"{base}/{number}", dont_filter=True)

    def parse(self, response: Any) -> None:
        options = {"output_format": "markdown", "include_links": True, "with_metadata": with_metadata}
        texts.append(trafilatura.extract(response.body, url=response.url, **options) or "")


trafilatura.extract("<html><body><p>Warm.</p></body></html>", output_format="markdown")
process = CrawlerProcess(
    {
        "CONCURRENT_REQUESTS": int(connections),
        "CONCURRENT_REQUESTS_PER_DOMAIN": int(connections),
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
        "LOG_LEVEL": "CRITICAL",
        "TELNETCONSOLE_ENABLED": False,
    }
)
process.crawl(Reader)
process.start()
cpu = time.process_time() - started[0]
print(json.dumps({"cpu_s": cpu, "pages": sum(map(bool, texts)), "characters": sum(map(len, texts))}))
