"""The labelled pages, cut and measured by the product's own code, with a label for each block."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from align import shares, words
from turbohtml import Element

from web_scrape import blocks, extract, features, hints, main_content, tree, vocabulary
from web_scrape.decode import decode

FOLDS = 5
# Corpora to learn from. The others are there to be measured.
TEXTS, SNIPPETS = frozenset({"aeb", "wcxb"}), frozenset({"trafilatura"})
# Weight of a page with a full text, shared by its words, and of a block that a snippet settles.
PAGE_WEIGHT, _SNIPPET_WEIGHT = 1000.0, 4.0
_WIDTH = len(features.BLOCK_NAMES + features.BOX_NAMES + features.PAGE_NAMES)
# Boxes are kept without their elements, or all pages would stay in memory.
_NOTHING = Element("div")
_NO_WORDS = vocabulary.Vocabulary({}, {}, {})


@dataclass(eq=False)
class Labelled:
    """One page: `rows` of features without word weights, `labels` and `weights` by block."""

    corpus: str
    label: dict[str, Any]
    host: str
    fold: int
    texts: list[str]
    names: list[str]
    parents: list[int]
    box_of: np.ndarray
    rows: np.ndarray
    labels: np.ndarray
    weights: np.ndarray

    boxes: list[blocks.Box]

    def kept(self, likely: list[float]) -> list[bool]:
        """What the product keeps of blocks that are so likely content."""
        counts = [text.count(" ") + 1 for text in self.texts]
        chosen = main_content.chosen(main_content.evened(likely, counts, self.boxes), counts)
        return main_content.titled(chosen, self.box_of.tolist(), self.boxes)


def read(corpus: Path) -> Iterator[Labelled]:
    """Every labelled page of the folder, in the order of the corpora's names and indexes."""
    for index in sorted(corpus.glob("*/pages.jsonl.gz")):
        with gzip.open(index, "rt", encoding="utf-8") as lines:
            for line in lines:
                label = json.loads(line)
                yield _page(index.parent.name, label, gzip.decompress((index.parent / label["file"]).read_bytes()))


def _page(corpus: str, label: dict[str, Any], html: bytes) -> Labelled:
    url = label.get("url") or ""
    document, _ = tree.parse(decode(html).text)
    about = hints.read(document, url)
    body = extract.visible_body(document, url)
    main_content.drop_around(body)
    found, boxes, _ = blocks.cut(body)
    texts = [block.text for block in found]
    labels, weights = _labels(corpus, label, texts)
    host = (urlsplit(url).hostname or label["id"]).removeprefix("www.")
    return Labelled(
        corpus=corpus,
        label=label,
        host=host,
        fold=int(sha256(host.encode()).hexdigest(), 16) % FOLDS,
        texts=texts,
        names=[vocabulary.named(box) for box in boxes],
        parents=[box.parent for box in boxes],
        box_of=np.array([block.box for block in found], dtype=int),
        rows=_dense(features.sheet(found, boxes, about, _NO_WORDS)) if found else np.zeros((0, _WIDTH)),
        labels=labels,
        weights=weights,
        boxes=[replace(box, element=_NOTHING) for box in boxes],
    )


def _dense(sheet: features.Sheet) -> np.ndarray:
    count = len(sheet.box_of)
    boxes = [[column[box] for box in sheet.box_of] for column in sheet.boxes]
    columns = [*sheet.blocks, *boxes, *([value] * count for value in sheet.page)]
    return np.array([list(column) for column in columns], dtype=float).T


def _labels(corpus: str, label: dict[str, Any], texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    if corpus in TEXTS and texts:
        return _by_text(label["expected"], texts)
    if corpus in SNIPPETS:
        return _by_snippets(label, texts)
    return np.zeros(len(texts)), np.zeros(len(texts))


def _by_text(expected: str, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    sizes = np.array([len(words(text)) for text in texts], dtype=float)
    weights = (sizes + 1) / (len(words(expected)) + sizes.sum()) * PAGE_WEIGHT
    return np.array(shares(texts, expected)), np.where(sizes > 0, weights, 0.0)


def _by_snippets(label: dict[str, Any], texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    wanted, unwanted = ([" ".join(s.split()) for s in label.get(kind) or ()] for kind in ("with", "without"))
    found = [_settled(text, wanted, unwanted) for text in texts]
    labels = np.array([value or 0.0 for value in found], dtype=float)
    return labels, np.array([0.0 if value is None else _SNIPPET_WEIGHT for value in found])


def _settled(text: str, wanted: list[str], unwanted: list[str]) -> float | None:
    if any(snippet in text for snippet in wanted):
        return 1.0
    return 0.0 if any(snippet in text for snippet in unwanted) else None


def bag(text: str) -> Counter[str]:
    return Counter(words(text))
