"""Small files in the shape of the public data sets that the papers' figures are made on."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tests.benchmarks.papers.cells import Asked
from tests.benchmarks.papers.declared import all_declared


def _columns(name: str) -> list[str]:
    recipe = all_declared()[name].recipe
    assert recipe is not None
    return list(recipe.columns)


def in_shape(folder: Path, rows: int) -> Asked:
    """Write files in the shape of the public ones; all in them is drawn here, and no figure of it means anything."""
    rng = np.random.default_rng(5)

    def write(name: str, head: list[str], records: list[list[object]]) -> Path:
        assert {len(row) for row in records} <= {len(head or records[0])}, name
        path = folder / name
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head, *records] if head else records)
        return path

    def numbers(width: int, labels: list[str]) -> list[list[object]]:
        kinds = rng.integers(0, 2, rows)
        values = np.round(rng.normal(0, 1, (rows, width)) + 2 * kinds[:, None], 2)
        return [[*map(float, row), labels[kind]] for row, kind in zip(values, kinds, strict=True)]

    pima, abalone = (_columns(f"aggarwal-yu-{name}") for name in ("pima", "abalone"))
    write("pima.csv", pima, numbers(8, ["0", "1"]))
    write("abalone.csv", abalone, [["M", *row[:-1], 5 + n % 7] for n, row in enumerate(numbers(7, ["0", "1"]))])
    adult: list[list[object]] = [
        [20 + n % 60, "x", 1 + n % 16, 20 + n % 40, "<=50K" if n % 3 else ">50K"] for n in range(rows)
    ]
    write("adult_train.csv", ["age", "workclass", "education-num", "hours-per-week", "class"], adult)
    files = {
        "ionosphere": write("i.data", [], numbers(33, ["g", "b"])),
        "ecoli": write("e.data", [], numbers(7, ["cp", "im"])),
    }
    return Asked(folder, files)
