"""Tables for data-reconstruction, and its learners written out slowly."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from cases import case_text
from number_support import levels_for

from ppdm_desktop.engine.table.column import Column, NumberStyle, Table

PATIENTS = case_text("reconstruction-patients.csv")
"""In the shape of the paper's worked example: age and marital status known to others, k = 3."""


def patients(groups: Sequence[int] | None = None) -> Table:
    """The worked example's table; every record asks for groups of three unless told otherwise."""
    head, *rows = [line.split(",") for line in PATIENTS.strip().split("\n")]
    roles = dict(zip(head, ("quasi-identifier", "quasi-identifier", "other", "other", "confidential"), strict=True))
    columns = [column_of(name, [row[place] for row in rows], roles[name]) for place, name in enumerate(head)]
    return Table(tuple(columns), np.arange(1, len(rows) + 1), levels_for(groups or [3] * len(rows)))


def column_of(name: str, texts: Sequence[str], role: str) -> Column:
    """A column; numeric where every text that is there is a number."""
    known = [text for text in texts if text]
    if known and all(text.lstrip("-").isdigit() for text in known):
        return Column.from_texts(name, texts, role=role, kind="numeric", style=NumberStyle.seen_in(known))
    return Column.from_texts(name, texts, role=role)


def slow_tree(
    codes: np.ndarray, classes: np.ndarray, width: int, depth: int, smallest: int, asked: np.ndarray
) -> list[int]:
    """Grow a tree by recursion and return its answers; all ties as the fast one breaks them."""
    counts = np.bincount(classes, minlength=width)
    answer = int(counts.argmax())
    best, at = 1e-9, None
    if depth and (counts > 0).sum() > 1:
        for column in range(codes.shape[1]):
            for value in range(int(max(codes[:, column].max(), asked[:, column].max(initial=0))) + 1):
                below = codes[:, column] <= value
                if min(below.sum(), (~below).sum()) < smallest:
                    continue
                gain = _disorder(classes) - _disorder(classes[below]) - _disorder(classes[~below])
                if gain > best + 1e-12:
                    best, at = gain, (column, value)
    if at is None:
        return [answer] * len(asked)
    column, value = at
    below, there = codes[:, column] <= value, asked[:, column] <= value
    found = np.zeros(len(asked), dtype=np.int64)
    found[there] = slow_tree(codes[below], classes[below], width, depth - 1, smallest, asked[there])
    found[~there] = slow_tree(codes[~below], classes[~below], width, depth - 1, smallest, asked[~there])
    return found.tolist()


def _disorder(classes: np.ndarray) -> float:
    counts = np.unique(classes, return_counts=True)[1]
    return float(-sum(n * math.log(n / len(classes)) for n in counts.tolist()))


def slow_bayes(
    codes: np.ndarray, sizes: Sequence[int], numbers: np.ndarray, classes: np.ndarray, width: int, taught: np.ndarray,
    weight: int,
) -> list[int]:  # fmt: skip
    """Naive Bayes record by record."""
    found = []
    mean_all, sd_all = np.nanmean(numbers, axis=0), np.nanstd(numbers, axis=0)
    standard = (numbers - mean_all) / np.where(sd_all > 0, sd_all, 1)
    for row in range(len(codes)):
        scores = []
        for label in range(width):
            mine = taught & (classes == label)
            score = math.log(weight * mine.sum() + 1)
            for column, size in enumerate(sizes):
                same = (codes[mine, column] == codes[row, column]).sum()
                score += math.log((weight * same + 1) / (weight * mine.sum() + size))
            for column in range(numbers.shape[1]):
                value, seen = standard[row, column], standard[mine, column]
                seen = seen[~np.isnan(seen)]
                if np.isnan(value):
                    continue
                mean = seen.mean() if len(seen) else 0.0
                variance = max(seen.var() if len(seen) else 0.0, 1e-3)
                score += -0.5 * math.log(variance) - 0.5 * (value - mean) ** 2 / variance
            scores.append(score)
        found.append(int(np.argmax(scores)))
    return found
