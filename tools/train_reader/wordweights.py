"""Weights of words, by logistic regression: the names of elements near and far, and the first words of a block."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from pages import PAGE_WEIGHT, Labelled
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from web_scrape import features, vocabulary
from web_scrape.vocabulary import Vocabulary

# A word seen on fewer sites may be a site's own.
MIN_HOSTS = 20
_STRENGTH = 20.0
_MAX_ROUNDS = 200
_TOLERANCE = 1e-3
_MAX_COUNT = 3
_HALF = 0.5
_MIN_WEIGHT = 0.03
_NAMES = len(features.BLOCK_NAMES) + features.BOX_NAMES.index("names")
_OWN_NAMES = len(features.BLOCK_NAMES) + features.BOX_NAMES.index("own_names")
_TEXT, _HEADING_TEXT = features.BLOCK_NAMES.index("text"), features.BLOCK_NAMES.index("heading_text")
_HEADING_AGO = features.BLOCK_NAMES.index("heading_ago")


@dataclass
class Counts:
    """How often each word stands at each block of some pages, and which words these are."""

    names: list[str]
    texts: list[str]
    by_names: list[csr_matrix]
    by_texts: list[csr_matrix]


def count(pages: Sequence[Labelled]) -> Counts:
    """Count the words that many sites use."""
    names = _common(
        (page.host, {word for names in page.names for word in vocabulary.words_of(names)}) for page in pages
    )
    texts = _common((page.host, {w for text in page.texts for w in vocabulary.first_words(text)}) for page in pages)
    at_name, at_text = ({word: at for at, word in enumerate(words)} for words in (names, texts))
    return Counts(
        names,
        texts,
        [_sparse(_around(page, at_name), 2 * len(names)) for page in pages],
        [
            _sparse([[at_text[w] for w in vocabulary.first_words(t) if w in at_text] for t in page.texts], len(texts))
            for page in pages
        ],
    )


def _common(found: Iterable[tuple[str, set[str]]]) -> list[str]:
    hosts: dict[str, set[str]] = {}
    for host, words in found:
        for word in words:
            hosts.setdefault(word, set()).add(host)
    return sorted(word for word, where in hosts.items() if len(where) >= MIN_HOSTS)


def _around(page: Labelled, at: dict[str, int]) -> list[list[int]]:
    """For each block the numbers of the words near it, and those farther out, which are numbered behind."""
    own = [[at[word] for word in vocabulary.words_of(names) if word in at] for names in page.names]
    found: list[list[int]] = []
    for box in range(len(own)):
        around: list[int] = []
        step, distance = box, 0
        while step >= 0:
            around += own[step] if distance < vocabulary.NEAR else [len(at) + word for word in own[step]]
            step, distance = page.parents[step], distance + 1
        found.append(around)
    return [found[box] for box in page.box_of]


def _sparse(rows: list[list[int]], width: int) -> csr_matrix:
    ends = np.cumsum([0] + [len(row) for row in rows])
    numbers = [number for row in rows for number in row]
    matrix = csr_matrix((np.ones(len(numbers)), numbers, ends), shape=(len(rows), width))
    matrix.sum_duplicates()
    matrix.data = np.minimum(matrix.data, _MAX_COUNT)
    return matrix


def fit(counts: Counts, pages: Sequence[Labelled], chosen: Sequence[int]) -> Vocabulary:
    """The weights that some of the pages teach."""
    names = _regress([counts.by_names[i] for i in chosen], [pages[i] for i in chosen])
    texts = _regress([counts.by_texts[i] for i in chosen], [pages[i] for i in chosen])
    middle = len(counts.names)
    return Vocabulary(
        near=_rounded(counts.names, names[:middle]),
        far=_rounded(counts.names, names[middle:]),
        text=_rounded(counts.texts, texts),
    )


def _regress(matrices: list[csr_matrix], pages: list[Labelled]) -> np.ndarray:
    # scipy is imported with the regression: its stack of sparse matrices is all that is needed of it here
    from scipy.sparse import vstack  # noqa: PLC0415

    labels = np.concatenate([page.labels for page in pages])
    weights = np.concatenate([page.weights for page in pages])
    settled = weights > 0
    model = LogisticRegression(C=_STRENGTH, max_iter=_MAX_ROUNDS, tol=_TOLERANCE)
    rows = vstack(matrices, format="csr")[settled]
    model.fit(rows, labels[settled] > _HALF, sample_weight=weights[settled] / PAGE_WEIGHT)
    return model.coef_[0]


def _rounded(words: list[str], weights: np.ndarray) -> dict[str, float]:
    return {w: round(float(x), 2) for w, x in zip(words, weights, strict=True) if abs(x) >= _MIN_WEIGHT}


def rows_with(page: Labelled, weights: Vocabulary) -> np.ndarray:
    """The rows of a page, the columns of words filled in."""
    rows = page.rows.copy()
    if not len(rows):
        return rows
    scores, own = vocabulary.name_scores(page.names, page.parents, weights)
    rows[:, _NAMES], rows[:, _OWN_NAMES] = np.array(scores)[page.box_of], np.array(own)[page.box_of]
    texts = [vocabulary.text_score(text, weights) for text in page.texts]
    rows[:, _TEXT] = texts
    heading = 0.0
    for at, (ago, score) in enumerate(zip(rows[:, _HEADING_AGO], texts, strict=True)):
        heading = heading if ago else score
        rows[at, _HEADING_TEXT] = heading
    return rows
