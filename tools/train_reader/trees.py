"""Boosted trees by LightGBM, and the table the product evaluates them from."""

from typing import Any

import lightgbm
import numpy as np

from web_scrape import features, model

NAMES = [*features.BLOCK_NAMES, *features.BOX_NAMES, *features.PAGE_NAMES]
ROUNDS = 120
_SETTINGS = {
    "objective": "cross_entropy",
    "num_leaves": 31,
    "learning_rate": 0.12,
    "max_bin": 31,
    "min_sum_hessian_in_leaf": 100.0,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.35,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "seed": 1,
    "deterministic": True,
    "force_col_wise": True,
    "num_threads": 1,
    "verbose": -1,
}
# One step of a leaf's value, in log-odds. The product adds whole steps.
_STEP = 1 / 256


def fit(rows: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> dict[str, Any]:
    """The table of trees that tell content from the rest."""
    settled = weights > 0
    data = lightgbm.Dataset(
        rows[settled],
        labels[settled],
        weight=weights[settled],
        feature_name=NAMES,
        params={"max_bin": _SETTINGS["max_bin"]},
    )
    dump = lightgbm.train(_SETTINGS, data, ROUNDS).dump_model()
    return _table([tree["tree_structure"] for tree in dump["tree_info"]])


def _table(structures: list[dict[str, Any]]) -> dict[str, Any]:
    limits: list[set[float]] = [set() for _ in NAMES]
    for structure in structures:
        _collect(structure, limits)
    thresholds = [sorted(found) for found in limits]
    first = np.cumsum([0] + [len(found) for found in thresholds])
    numbers = {
        (feature, limit): int(first[feature]) + at
        for feature, found in enumerate(thresholds)
        for at, limit in enumerate(found)
    }
    lowest = [min(_leaves(structure)) for structure in structures]
    return {
        "bias": round(sum(lowest), 6),
        "step": _STEP,
        "thresholds": thresholds,
        "trees": [_nested(s, numbers, low) for s, low in zip(structures, lowest, strict=True)],
    }


def _collect(node: dict[str, Any], limits: list[set[float]]) -> None:
    if "split_feature" in node:
        limits[node["split_feature"]].add(_rounded(node["threshold"]))
        _collect(node["left_child"], limits)
        _collect(node["right_child"], limits)


def _rounded(threshold: float) -> float:
    return float(f"{threshold:.6g}")


def _leaves(node: dict[str, Any]) -> list[float]:
    if "split_feature" in node:
        return _leaves(node["left_child"]) + _leaves(node["right_child"])
    return [node["leaf_value"]]


def _nested(node: dict[str, Any], numbers: dict[tuple[int, float], int], lowest: float) -> Any:
    if "split_feature" not in node:
        return round((node["leaf_value"] - lowest) / _STEP)
    test = numbers[node["split_feature"], _rounded(node["threshold"])]
    return [test, _nested(node["left_child"], numbers, lowest), _nested(node["right_child"], numbers, lowest)]


def probabilities(table: dict[str, Any], rows: np.ndarray) -> list[float]:
    """What the product makes of rows, by its own code."""
    trained = model.parsed({"near": {}, "far": {}, "text": {}, **table})
    blocks, boxes = len(features.BLOCK_NAMES), len(features.BOX_NAMES)
    columns = rows.T.tolist()
    sheet = features.Sheet(
        blocks=columns[:blocks],
        boxes=columns[blocks : blocks + boxes],
        box_of=list(range(len(rows))),
        page=tuple(column[0] for column in columns[blocks + boxes :]) if len(rows) else (),
    )
    return model.probabilities(trained, sheet) if len(rows) else []
