"""How well blocks were chosen: word F1 a page, F1 of four-word shingles, F1 of snippets."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from align import WORD
from pages import Labelled, bag

_SHINGLE = 4


def report(pages: Sequence[Labelled], kept: Sequence[Sequence[bool]]) -> dict[str, float]:
    """Scores by corpus and, where pages have kinds, by kind."""
    by_words: dict[str, list[float]] = defaultdict(list)
    outputs: dict[str, list[tuple[Labelled, str]]] = defaultdict(list)
    for page, choice in zip(pages, kept, strict=True):
        text = "\n".join(t for t, keep in zip(page.texts, choice, strict=True) if keep)
        outputs[page.corpus].append((page, text))
        if page.label["expected"] is not None:
            for key in (page.corpus, f"{page.corpus}/{page.label['kind']}"):
                by_words[key].append(word_f1(page.label["expected"], text))
    scores = {f"{key} word F1": statistics.mean(found) for key, found in by_words.items()}
    scores |= {f"{key} shingle F1": _shingle_f1(outputs[key]) for key in ("aeb",) if outputs[key]}
    snippets = [key for key in outputs if any(page.label.get("with") for page, _ in outputs[key])]
    return scores | {f"{key} snippet F1": _snippet_f1(outputs[key]) for key in snippets}


def word_f1(expected: str, got: str) -> float:
    wanted, had = bag(expected), bag(got)
    both = (wanted & had).total()
    return 2 * both / (wanted.total() + had.total()) if wanted or had else 1.0


def _shingle_f1(outputs: Iterable[tuple[Labelled, str]]) -> float:
    """F1 of the mean precision and the mean recall, as the benchmark has it."""
    precisions: list[float] = []
    recalls: list[float] = []
    for page, text in outputs:
        wanted, had = _shingles(page.label["expected"]), _shingles(text)
        both = (wanted & had).total()
        precisions += [both / had.total()] if had else []
        recalls += [both / wanted.total()] if wanted else []
    precision, recall = statistics.mean(precisions), statistics.mean(recalls)
    return 2 * precision * recall / (precision + recall)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    found = WORD.findall(text)
    starts = range(max(1, len(found) - _SHINGLE + 1)) if found else ()
    return Counter(tuple(found[at : at + _SHINGLE]) for at in starts)


def _snippet_f1(outputs: Iterable[tuple[Labelled, str]]) -> float:
    right = wrong = missed = 0
    for page, text in outputs:
        shown = " ".join(text.split())
        hits = sum(" ".join(s.split()) in shown for s in page.label.get("with") or ())
        right += hits
        missed += len(page.label.get("with") or ()) - hits
        wrong += sum(" ".join(s.split()) in shown for s in page.label.get("without") or ())
    return 2 * right / max(1, 2 * right + missed + wrong)
