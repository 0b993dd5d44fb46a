"""What reading a page costs and gives: on labelled pages of the web if there are some, else on the bench's own."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from bench.extract import labelled
from bench.site import page
from verbena.errors import ReadError
from web_scrape.page import read_page

EVERY = 25


@dataclass(frozen=True)
class Average:
    """CPU milliseconds and bytes of Markdown a page, and what pages these were."""

    ms: float
    content_bytes: float
    pages: str


def average(size: int, *, tiny: bool = False) -> Average:
    """Over labelled pages; `size` is that of the pages read where there are none."""
    corpus = os.environ.get("VERBENA_CORPUS")
    if not corpus:
        return _average([page(size)] * 50, f"the bench's own of {size // 1000} KB, for want of VERBENA_CORPUS")
    bodies = [body for _, _, body in labelled(Path(corpus), EVERY * (20 if tiny else 1))]
    kilobytes = sum(map(len, bodies)) / len(bodies) / 1000
    return _average(bodies, f"{len(bodies)} labelled pages, {kilobytes:.0f} KB on average")


def _average(bodies: list[bytes], pages: str) -> Average:
    started = time.process_time()
    written = sum(_content_bytes(body) for body in bodies)
    spent = time.process_time() - started
    return Average(spent / len(bodies) * 1000, written / len(bodies), pages)


def _content_bytes(body: bytes) -> int:
    try:
        return len(read_page(body, url="https://example.com/", content_type="text/html").content.encode())
    except ReadError:
        return 0  # a wall or an empty page is read to find that out
