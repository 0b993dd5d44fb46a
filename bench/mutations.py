"""Broken pages: 20,000 mutations of the labelled pages are read, and each ends in a page or a typed refusal."""

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.extract import labelled
from verbena.errors import ReadError
from web_scrape.page import read_page

RUNS = 20_000
SEED = 11
_GRAFTS = (
    b"", b"<table>", b"</div>", b"<p", b'"', b"<!--", b"<math>", b"<template>", b"\0", b"<td rowspan=9999 colspan=99>",
    b"//[",
)  # fmt: skip


def run(*, tiny: bool = False) -> None:
    """Print the table."""
    corpus = Path(os.environ["VERBENA_CORPUS"])
    ends: Counter[str] = Counter()
    slowest, runs = 0.0, 40 if tiny else RUNS
    for url, body in mutated(corpus, runs, every=500 if tiny else 3):
        started = time.process_time()
        ends[end(url, body)] += 1
        slowest = max(slowest, time.process_time() - started)
    print(f"\n| {runs} mutated pages ended in | |\n|---|---:|")
    for name, count in ends.most_common():
        print(f"| {name} | {count} |")
    print(f"| the slowest, seconds of CPU | {slowest:.2f} |")


def mutated(corpus: Path, runs: int, every: int) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of that many damaged pages; the same ones each time."""
    noise = random.Random(SEED)  # noqa: S311 - reproducible noise, not a secret
    made = 0
    while made < runs:
        for _, page, body in labelled(corpus, every):
            if made < runs and body:
                made += 1
                yield page.get("url") or "https://h.example/", _damaged(body, noise)


def _damaged(body: bytes, noise: random.Random) -> bytes:
    damaged = bytearray(body)
    for _ in range(noise.randint(1, 40)):
        at, other = noise.randrange(len(damaged) + 1), noise.randrange(len(body))
        piece = noise.choice([body[other : other + 400], *_GRAFTS])
        damaged[at : at + noise.choice([0, 0, 1, 300])] = piece
    return bytes(damaged)


def end(url: str, body: bytes) -> str:
    """What reading a page ended in: a page, a refusal's code, or the name of an error that is none of ours."""
    try:
        read_page(body, url=url, content_type="text/html")
    except ReadError as refusal:
        return refusal.code
    except Exception as error:  # noqa: BLE001 - to be counted, and told apart
        print(f"{url}: {error!r}", file=sys.stderr)
        return type(error).__name__
    return "a page"
