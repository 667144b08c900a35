"""The methods Vijayarani & Tamilarasi (2011) compare, run on synthetic employees and measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.samples.employees import Employees
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.utility.clusters import cluster_agreement

COLUMNS = ("Salary", "Income tax", "Weeks worked")
SIZES = (3_000, 5_000, 10_000, 15_000, 20_000)
CLUSTERS = (2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Compared:
    """One of the paper's methods, or of ours beside them."""

    name: str
    method: str
    parameters: Mapping[str, object]


METHODS = (
    Compared("Bit++", "bit-plus-plus", {}),
    Compared("Bit--", "bit-minus-minus", {}),
    Compared("additive noise", "additive-noise", {"rounding": "none"}),
    Compared("microaggregation, 3 clusters", "microaggregation", {"mode": "clusters", "clusters": 3}),
    Compared("microaggregation, best groups of 3", "microaggregation", {"mode": "univariate", "group": 3}),
)
PAPERS = tuple(each.name for each in METHODS[:4])
"""The four that the paper compares; the last is ours."""
MEASURES = ("mean", "changed", "near", "recovered", "sd", "correlation")


def protect(table: Table, compared: Compared) -> Table:
    """Run a method on all columns of a table."""
    return run_method(table, compared)[0]


def run_method(table: Table, compared: Compared) -> tuple[Table, Callable[[Column], Column | None]]:
    """Return the released table and what anybody can do to take a column back."""
    method = find_method(compared.method)
    settings = method.settings(table, table.names, dict(compared.parameters))
    released = method.run(table, settings, StepStream(Key.from_seed(1), "00" * 32, "11" * 32, 1)).table
    undo: Any = getattr(method, "undo", None)
    return released, (lambda column: undo(column, settings)) if undo is not None else (lambda column: None)


def numbers_table(columns: Mapping[str, list[str]]) -> Table:
    """Return a table of confidential numbers."""
    made = tuple(
        Column.from_texts(name, texts, role="confidential", kind="numeric", style=NumberStyle.seen_in(texts, ".", None))
        for name, texts in columns.items()
    )
    rows = len(made[0])
    return Table(made, np.arange(1, rows + 1), RecordLevels.same_for_all(rows))


@dataclass(frozen=True)
class Result:
    """One method on one size: averages over the three columns, and each column's own.

    Attributes
    ----------
    values
        By measure and column, shares and ratios.
    clusters
        By (k, figure) and column.
    """

    values: dict[str, dict[str, float]]
    clusters: dict[tuple[int, str], dict[str, float]]

    def mean(self, measure: str) -> float:
        """Return a measure's average over the columns."""
        return float(np.mean(list(self.values[measure].values())))

    def agreement(self, figure: str, k: int | None = None) -> float:
        """Return a cluster figure's average over the columns, and over k when none is given."""
        chosen = CLUSTERS if k is None else (k,)
        return float(np.mean([value for each in chosen for value in self.clusters[each, figure].values()]))


def measured(rows: int, seed: int) -> dict[str, Result]:
    """Protect so many employees by each method and measure what became of them."""
    texts: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for block in Employees().columns({"rows": rows, "seed": seed}):
        for column in block:
            if column.name in texts:
                texts[column.name] += column.texts()
    table = numbers_table(texts)
    found = {}
    for compared in METHODS:
        released, undo = run_method(table, compared)
        values: dict[str, dict[str, float]] = {measure: {} for measure in MEASURES}
        clusters: dict[tuple[int, str], dict[str, float]] = {}
        for name in COLUMNS:
            true, after = table.column(name).numbers, released.column(name)
            values["mean"][name] = 1 - abs(float(after.numbers.mean() / true.mean()) - 1)
            values["sd"][name] = float(after.numbers.std() / true.std())
            values["correlation"][name] = float(np.corrcoef(true, after.numbers)[0, 1])
            values["changed"][name] = float((after.numbers != true).mean())
            values["near"][name] = float((np.abs(after.numbers - true) <= 0.01 * np.abs(true)).mean())
            guess = undo(after)
            values["recovered"][name] = float(((after if guess is None else guess).numbers == true).mean())
            for k in CLUSTERS:
                agreement = cluster_agreement(true, after.numbers, k)
                for figure in ("by_sizes", "matched", "ari"):
                    clusters.setdefault((k, figure), {})[name] = _number(getattr(agreement, figure))
        found[compared.name] = Result(values, clusters)
    return found


def _number(figure: Figure) -> float:
    assert figure.value is not None
    return float(figure.value)


Results = Mapping[int, Mapping[str, Result]]
"""By number of records and name of the method."""
