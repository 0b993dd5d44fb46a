"""Train the reader's model from the labelled pages of VERBENA_CORPUS: write the table, then cross-validate by site.

Same pages, same table, byte for byte. `make train` runs it in an environment of its own.
"""

import json
import os
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pages
import score
import trees
import wordweights

from web_scrape import features
from web_scrape.vocabulary import Vocabulary

TABLE = Path(features.__file__).with_name("model.json")
Vocabularies = dict[frozenset[int], Vocabulary]


def main() -> int:
    corpus = os.environ.get("VERBENA_CORPUS")
    if not corpus:
        print("VERBENA_CORPUS is not set: it names the folder of labelled pages to learn from.", file=sys.stderr)
        return 2
    labelled = list(pages.read(Path(corpus)))
    print(f"{len(labelled)} pages of {len({page.host for page in labelled})} sites", flush=True)
    counts = wordweights.count(labelled)
    everything = list(range(len(labelled)))
    vocabularies = _vocabularies(labelled, counts, 1)
    table = _trees(labelled, everything, [vocabularies[frozenset({page.fold})] for page in labelled])
    _write(wordweights.fit(counts, labelled, everything), table)
    _cross_validate(labelled, vocabularies | _vocabularies(labelled, counts, 2))
    return 0


def _vocabularies(labelled: Sequence[pages.Labelled], counts: wordweights.Counts, without: int) -> Vocabularies:
    """Weights of words learned without each set of that many folds, so that no page is scored by its own labels."""
    return {
        frozenset(left_out): wordweights.fit(
            counts, labelled, [i for i, page in enumerate(labelled) if page.fold not in left_out]
        )
        for left_out in combinations(range(pages.FOLDS), without)
    }


def _cross_validate(labelled: Sequence[pages.Labelled], vocabularies: Vocabularies) -> None:
    kept: list[list[bool]] = [[] for _ in labelled]
    for fold in range(pages.FOLDS):
        others = [i for i, page in enumerate(labelled) if page.fold != fold]
        table = _trees(labelled, others, [vocabularies[frozenset({fold, page.fold})] for page in labelled])
        for i, page in enumerate(labelled):
            if page.fold == fold:
                rows = wordweights.rows_with(page, vocabularies[frozenset({fold})])
                kept[i] = page.kept(trees.probabilities(table, rows))
    print("| cross-validated by site | |\n| --- | ---: |")
    for name, value in sorted(score.report(labelled, kept).items()):
        print(f"| {name} | {value:.4f} |")


def _trees(
    labelled: Sequence[pages.Labelled], chosen: Sequence[int], vocabularies: Sequence[Vocabulary]
) -> dict[str, Any]:
    rows = [wordweights.rows_with(labelled[i], vocabularies[i]) for i in chosen]
    return trees.fit(
        np.concatenate(rows),
        np.concatenate([labelled[i].labels for i in chosen]),
        np.concatenate([labelled[i].weights for i in chosen]),
    )


def _write(vocabulary: Vocabulary, table: dict[str, Any]) -> None:
    words = {
        kind: {word: round(weight * 100) for word, weight in getattr(vocabulary, kind).items()}
        for kind in ("near", "far", "text")
    }
    TABLE.write_text(json.dumps(words | table, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{TABLE.name}: {TABLE.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    sys.exit(main())
