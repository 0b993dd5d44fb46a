"""Reads the pages of a server with crawl4ai's HTTP strategy and prints what that cost, as JSON.

Runs in the peers' environment: `crawl4ai_http.py BASE PAGES CONNECTIONS`.
"""

import asyncio
import json
import os
import sys
import tempfile
import time

# It keeps a database, and would in the user's home.
os.environ["CRAWL4_AI_BASE_DIRECTORY"] = tempfile.mkdtemp()

from crawl4ai import (
    AsyncWebCrawler,
    CacheMode,
    CrawlerRunConfig,
    HTTPCrawlerConfig,
    SemaphoreDispatcher,
)
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy


async def read(urls: list[str], connections: int) -> None:
    """Reads one page to be warm, then all."""
    strategy = AsyncHTTPCrawlerStrategy(browser_config=HTTPCrawlerConfig(method="GET"))
    run = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False)
    dispatcher = SemaphoreDispatcher(semaphore_count=connections)
    async with AsyncWebCrawler(crawler_strategy=strategy, verbose=False) as crawler:
        await crawler.arun(url=urls[0], config=run)
        before = time.process_time()
        results = await crawler.arun_many(urls=urls, config=run, dispatcher=dispatcher)
        cpu = time.process_time() - before
    texts = [result.markdown.raw_markdown for result in results if result.success and result.markdown]
    print(json.dumps({"cpu_s": cpu, "pages": sum(map(bool, texts)), "characters": sum(map(len, texts))}))


base, pages, connections = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
asyncio.run(read([f"{base}/{number}" for number in range(pages)], connections))
