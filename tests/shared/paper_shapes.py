"""Small files in the shape of the public data sets that the papers' figures are made on."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tests.benchmarks.papers.cells import Asked
from tests.benchmarks.papers.declared import all_declared

ADULT = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "class",
)  # fmt: skip
HABERMAN = ("age", "operation_year", "positive_axillary_nodes", "survival_status")
BUPA = ("mcv", "alkphos", "sgpt", "sgot", "gammagt", "drinks", "selector")


def _columns(name: str) -> list[str]:
    recipe = all_declared()[name].recipe
    assert recipe is not None
    return list(recipe.columns)


def in_shape(folder: Path, rows: int, of_adult: int | None = None) -> Asked:
    """Write files in the shape of the public ones; all in them is drawn here, and no figure of it means anything.

    Adult has as many rows as the others, or ``of_adult``.
    """
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
    for name, below in (("adult_train.csv", ""), ("adult_test.csv", ".")):
        adult: list[list[object]] = []
        for n in range(of_adult or rows):
            rich = ">50K" if rng.random() < 0.15 + 0.3 * (n % 16 > 9) else "<=50K"
            names = [f"{each}{n % most}" for each, most in zip("wemorskc", (7, 16, 5, 9, 4, 3, 2, 6), strict=True)]
            kind, school, *others, land = names
            numbers_of = [1000 * (n % 3 == 0), 200 * (n % 5 == 0), 20 + n % 40]
            adult.append(
                [20 + n % 60, kind, 10_000 + 37 * n, school, 1 + n % 16, *others, *numbers_of, land, rich + below]
            )
        write(name, list(ADULT), adult)
    write("haberman.csv", [*HABERMAN], [[30 + n % 50, 58 + n % 12, n * n % 23, 1 + (n % 7 > 4)] for n in range(rows)])
    blood = rng.integers(20, 110, (rows, 5)).tolist()
    bupa: list[list[object]] = [[*row, float(n % 8), 1] for n, row in enumerate(blood)]
    write("bupa.csv", [*BUPA], bupa)
    files = {
        "ionosphere": write("i.data", [], numbers(33, ["g", "b"])),
        "ecoli": write("e.data", [], numbers(7, ["cp", "im"])),
    }
    return Asked(folder, files)
