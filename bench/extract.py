"""Main content of labelled pages: F1 by kind of page, pages per CPU second and peak memory, beside other readers.

VERBENA_CORPUS names the folder of labelled pages; `--every N` takes each Nth page. Each reader runs in a process of its
own, the others in the environment of `make peers`. Ours has learned from these pages: what it reaches on sites it has
not seen is what `make train` prints.
"""

import argparse
import gzip
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER.parent / name) for name in ("", "functions", "shared")]  # where none of us is installed

from bench.peers.readers import READERS, Extract  # noqa: E402

PEERS = FOLDER.parent / ".venv-peers" / "bin" / "python"
_KINDS = ("article", "documentation", "service", "forum", "collection", "listing", "product")
_WORD = re.compile(r"\w+")
_SHINGLE = 4


@dataclass
class Score:
    """What one reader reached on some pages; seconds are those of writing Markdown."""

    f1: list[float] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    found: int = 0
    missed: int = 0
    wrong: int = 0
    failed: int = 0
    pages: int = 0
    seconds: float = 0.0

    def mean_f1(self) -> float:
        return statistics.mean(self.f1)

    def snippet_f1(self) -> float:
        return 2 * self.found / max(1, 2 * self.found + self.missed + self.wrong)

    def shingle_f1(self) -> float:
        """F1 of the mean precision and the mean recall of four-word shingles, as the aeb benchmark counts."""
        precision, recall = (statistics.mean(found or [0.0]) for found in (self.precision, self.recall))
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


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


def measure(extract: Extract, corpus: Path, every: int, timed: Extract | None = None) -> dict[str, Score]:
    """Scores of `extract` by corpus and, under `corpus/kind`, by kind of page; the seconds are those of `timed`."""
    scores: dict[str, Score] = defaultdict(Score)
    for name, page, body in labelled(corpus, every):
        url = page.get("url") or ""
        text, failed = _attempt(extract, body, url)
        started = time.process_time()
        _attempt(timed, body, url) if timed else None
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
    score.pages += 1
    score.seconds += seconds
    score.failed += failed
    if page.get("expected") is not None:
        score.f1.append(word_f1(page["expected"], text))
        _count_shingles(score, _shingles(page["expected"]), _shingles(text))
    squashed = " ".join(text.split())
    hits = sum(" ".join(snippet.split()) in squashed for snippet in page.get("with") or ())
    score.found += hits
    score.missed += len(page.get("with") or ()) - hits
    score.wrong += sum(" ".join(snippet.split()) in squashed for snippet in page.get("without") or ())


def _count_shingles(score: Score, wanted: Counter[tuple[str, ...]], had: Counter[tuple[str, ...]]) -> None:
    both = (wanted & had).total()
    score.precision += [both / had.total()] if had else []
    score.recall += [both / wanted.total()] if wanted else []


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    starts = range(max(1, len(words) - _SHINGLE + 1)) if words else ()
    return Counter(tuple(words[at : at + _SHINGLE]) for at in starts)


def main() -> int:
    corpus = os.environ.get("VERBENA_CORPUS")
    if not corpus:
        print("VERBENA_CORPUS is not set: it names the folder of labelled pages this bench reads.", file=sys.stderr)
        return 2
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--every", type=int, default=4)
    options.add_argument("--reader", help="measure this one here, and print its numbers as JSON")
    chosen = options.parse_args()
    if chosen.reader:
        return _child(chosen.reader, Path(corpus), chosen.every)
    print(f"Each {chosen.every}th page, word F1 by kind of WCXB's pages.\n")
    columns = ["reader", "WCXB", *_KINDS, "aeb", "snippets", "failed", "pages/CPU s", "peak MB"]
    print(f"| {' | '.join(columns)} |\n|---|{'---:|' * (len(columns) - 1)}")
    for reader in READERS:
        print(_row(reader, chosen.every), flush=True)
    return 0


def _child(reader: str, corpus: Path, every: int) -> int:
    text, markdown = READERS[reader]()
    scores = measure(text, corpus, every, timed=markdown)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"peak": peak, "scores": {key: asdict(score) for key, score in scores.items()}}))
    return 0


def _row(reader: str, every: int) -> str:
    python = sys.executable if reader == "web_scrape" else str(PEERS)
    if not Path(python).exists():
        return f"| {reader} | not installed: `make peers` |"
    command = [python, "-P", __file__, "--reader", reader, "--every", str(every)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603 - this very file
    if ran.returncode:
        return f"| {reader} | failed |"
    found = json.loads(ran.stdout.splitlines()[-1])
    return _line(reader, {key: Score(**score) for key, score in found["scores"].items()}, found["peak"])


def _line(reader: str, scores: dict[str, Score], peak: float) -> str:
    whole = [score for key, score in scores.items() if "/" not in key]
    speed = sum(score.pages for score in whole) / max(1e-9, sum(score.seconds for score in whole))
    cells = [
        *(_cell(scores.get(key), Score.mean_f1) for key in ("wcxb", *(f"wcxb/{kind}" for kind in _KINDS))),
        _cell(scores.get("aeb"), Score.shingle_f1),
        _cell(scores.get("trafilatura"), Score.snippet_f1),
        str(sum(score.failed for score in whole)),
        f"{speed:.0f}",
        f"{peak:.0f}",
    ]
    return f"| {reader} | {' | '.join(cells)} |"


def _cell(score: Score | None, value: Callable[[Score], float]) -> str:
    return f"{value(score):.3f}" if score else ""


if __name__ == "__main__":
    sys.exit(main())
