"""Main content of labelled pages: word F1 by kind of page, pages per CPU second and memory, in one table.

VERBENA_CORPUS names the folder of labelled pages; without it there is nothing to measure. `--every N` takes each Nth
page. Libraries that are installed are measured in the same run, for comparison.
"""

import argparse
import gzip
import importlib
import json
import os
import re
import resource
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Extract = Callable[[bytes, str], str]
_WORD = re.compile(r"\w+")


@dataclass
class Score:
    """What one extractor reached on one kind of page."""

    f1: list[float] = field(default_factory=list)
    found: int = 0
    missed: int = 0
    wrong: int = 0
    failed: int = 0
    seconds: float = 0.0

    def snippet_f1(self) -> float:
        return 2 * self.found / max(1, 2 * self.found + self.missed + self.wrong)


def labelled(corpus: Path, every: int = 1) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    """Corpus name, label and bytes of each Nth page."""
    for index in sorted(corpus.glob("*/pages.jsonl.gz")):
        with gzip.open(index, "rt", encoding="utf-8") as lines:
            for page in [json.loads(line) for line in lines][::every]:
                yield index.parent.name, page, gzip.decompress((index.parent / page["file"]).read_bytes())


def word_f1(expected: str, got: str) -> float:
    """Agreement of two texts as bags of words, case aside."""
    wanted, had = (Counter(_WORD.findall(text.lower())) for text in (expected, got))
    both = (wanted & had).total()
    return 2 * both / (wanted.total() + had.total()) if wanted or had else 1.0


def measure(extract: Extract, corpus: Path, every: int) -> dict[str, Score]:
    """Scores by corpus and, under `corpus/kind`, by kind of page."""
    scores: dict[str, Score] = defaultdict(Score)
    for name, page, body in labelled(corpus, every):
        started = time.process_time()
        text, failed = _attempt(extract, body, page.get("url") or "")
        seconds = time.process_time() - started
        for key in (name, f"{name}/{page.get('kind') or 'any'}"):
            _count(scores[key], page, text, seconds, failed=failed)
    return scores


def _attempt(extract: Extract, body: bytes, url: str) -> tuple[str, bool]:
    try:
        return extract(body, url), False
    except Exception as error:  # noqa: BLE001 - a library's failure on a page is a result of the measurement
        print(f"{url}: {error!r}", file=sys.stderr)
        return "", True


def _count(score: Score, page: dict[str, Any], text: str, seconds: float, *, failed: bool) -> None:
    score.seconds += seconds
    score.failed += failed
    if page.get("expected") is not None:
        score.f1.append(word_f1(page["expected"], text))
    squashed = " ".join(text.split())
    hits = sum(" ".join(snippet.split()) in squashed for snippet in page.get("with") or ())
    score.found += hits
    score.missed += len(page.get("with") or ()) - hits
    score.wrong += sum(" ".join(snippet.split()) in squashed for snippet in page.get("without") or ())


def report(name: str, scores: dict[str, Score], pages: int) -> None:
    seconds = sum(score.seconds for key, score in scores.items() if "/" not in key)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n### {name}: {pages / seconds:.0f} pages per CPU second, peak {peak:.0f} MB\n")
    print("| pages | word F1 | snippet F1 | failed |\n| --- | ---: | ---: | ---: |")
    for key in sorted(scores):
        score = scores[key]
        words = f"{statistics.mean(score.f1):.3f}" if score.f1 else ""
        snippets = f"{score.snippet_f1():.3f}" if score.found + score.missed else ""
        print(f"| {key} | {words} | {snippets} | {score.failed} |")


def _ours() -> Extract:
    return importlib.import_module("web_scrape.extract").to_text


def _trafilatura() -> Extract:
    library = importlib.import_module("trafilatura")
    return lambda body, url: library.extract(body, url=url) or ""


def _readability() -> Extract:
    library = importlib.import_module("readability")
    html = importlib.import_module("lxml.html")
    return lambda body, _: html.fromstring(library.Document(body.decode("utf-8", "replace")).summary()).text_content()


def main() -> int:
    corpus = os.environ.get("VERBENA_CORPUS")
    if not corpus:
        print("VERBENA_CORPUS is not set: it names the folder of labelled pages this bench reads.", file=sys.stderr)
        return 2
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--every", type=int, default=4)
    every = options.parse_args().every
    pages = sum(1 for _ in labelled(Path(corpus), every))
    for name, load in {"web_scrape": _ours, "trafilatura": _trafilatura, "readability-lxml": _readability}.items():
        try:
            extract = load()
        except ImportError as missing:
            print(f"\n### {name}: not installed ({missing})")
            continue
        report(name, measure(extract, Path(corpus), every), pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
