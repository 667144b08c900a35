"""What swaps keep and what retracing finds: calibrated, the paper's, exact, random and the default of 0.1.0.

Census (Li & Sarkar's selection of Adult; needs the data folder) and the sample ``salary-offers``, several keys.
``python -m tests.benchmarks.swapping --kept`` prints a row for each key and search as soon as it is there, then the
means over keys:

error
    of a decision tree (entropy, one-hot, ten stratified folds) on the released labels, and what of it exceeds the
    original's
V
    mean over attributes of Cramér's V with the confidential column
divergence
    the I-divergence of the naive Bayes joint from the original's, nats
NB, GB
    true values of the unique records found by the rank attack (simple Bayes) and by gradient boosting, with the upper
    end of the control's 95 % interval; ``keys`` counts in how many the attack finds more
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.preprocessing import OneHotEncoder

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.given import column_input
from ppdm_desktop.engine.methods.algorithms.swapping.relations import Relations, divergence
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.retracing.trial import Trial
from ppdm_desktop.engine.samples.registry import find_sample
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from tests.benchmarks.papers.census import CLASS, census_table
from tests.benchmarks.papers.li_sarkar import EXACT, PAPER_SEARCH, Learner, evaluate

LEAST_IN_LEAF = {"census": 25, "offers": 5}
WAYS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "calibrated": ("bayes-swap", {"search": "calibrated"}),
    "default of 0.1.0": ("bayes-swap", {}),
    "exact, no noise": ("bayes-swap", {"selection_noise": 0}),
    "paper, exact": ("bayes-swap", EXACT),
    "paper's rounds": ("bayes-swap", PAPER_SEARCH),
    "random": ("random-swap", {}),
}
ROUNDS = "paper's rounds"
"""With two categories they end at the exact search's choice."""


@dataclass(frozen=True, eq=False)
class Set:
    """A table with its confidential column, ready to be swapped and measured."""

    name: str
    table: Table
    column: str

    def swapped(self, method: str, parameters: Mapping[str, Any], seed: int) -> Ints:
        """Return the released categories under a key."""
        found = find_method(method)
        streams = StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 1)
        result = found.run(self.table, found.settings(self.table, None, parameters), streams, silent())
        place = {text: code for code, text in enumerate(self.table.column(self.column).categories)}
        return np.array([place[text] for text in result.table.column(self.column).values()])


def offers() -> Set:
    """The bundled sample as it ships."""
    data = b"".join(find_sample("salary-offers").pieces({}))
    head, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
    recipe = resources.files("ppdm_desktop.resources") / "samples" / "salary-offers.recipe.toml"
    sections = tomllib.loads(recipe.read_text(encoding="utf-8"))["columns"]
    columns = [
        Column.from_texts(name, [row[at] for row in rows], role=sections[name]["role"])
        for at, name in enumerate(head)
        if name in sections
    ]
    return Set(
        "offers", Table(tuple(columns), np.arange(1, len(rows) + 1), RecordLevels.same_for_all(len(rows))), "Salary"
    )


def census(folder: Path) -> Set:
    """Li & Sarkar's selection of Adult, four bins, without fnlwgt."""
    table = census_table(folder, seed=0)
    return Set("census", table.with_levels(RecordLevels.same_for_all(table.rows)), CLASS)


def cramer(tables: list[Floats]) -> float:
    """Return the mean of Cramér's V over tables attribute × category."""
    found = []
    for table in tables:
        held = table[table.sum(axis=1) > 0]
        expected = held.sum(axis=1, keepdims=True) * held.sum(axis=0) / held.sum()
        squares = float(((held - expected) ** 2 / np.where(expected > 0, expected, 1.0)).sum())
        found.append(np.sqrt(squares / held.sum() / max(min(held.shape) - 1, 1)))
    return float(np.mean(found))


def measured(what: Set, keys: int, first: int = 1) -> Iterator[str]:
    """Yield the lines of one set, each as soon as it is there, for so many keys from the first on."""
    table = what.table
    truth = table.column(what.column).category_codes.astype(np.int64)
    given = column_input(table, what.column, quasi_identifier_classes(table))
    quasi = [column.category_codes.astype(np.int64) for column in table.with_role("quasi-identifier")]
    features = csr_matrix(OneHotEncoder(dtype=np.float32).fit_transform(np.column_stack(quasi)))
    learner = Learner("tree", {"min_samples_leaf": LEAST_IN_LEAF[what.name]})
    relations = Relations(given)
    before = relations.tables(truth)
    unique = given.identified().unique
    original = evaluate(features, truth, truth, learner)[0]
    yield f"{what.name}: {table.rows} records, {len(unique)} unique, {given.categories} categories, {keys} keys"
    yield f"{'':>4} {'search':<18} {'error':>6} {'excess':>7} {'V':>6} {'diverg.':>8} {'NB (to)':>14} {'GB (to)':>14}"
    yield f"{'':>4} {'original':<18} {original:>6.2f} {0:>7.2f} {cramer(before):>6.3f} {0:>8.3f}"
    found: dict[str, list[tuple[float, ...]]] = {way: [] for way in WAYS if way != ROUNDS or given.categories > 2}
    for seed in range(first, first + keys):
        for way, rows in found.items():
            shown = what.swapped(*WAYS[way], seed)
            stream = StepStream(Key.from_seed(1_000), "00" * 32, "22" * 32, 1).stream("benchmark")
            trial = Trial(quasi, truth, given.categories, unique, stream)
            bayes, boosted = trial.by_bayes(shown, silent()), trial.by_boosting(shown, silent())
            assert boosted is not None
            tables = relations.tables(shown)
            error = evaluate(features, shown, truth, learner)[0]
            attacks = (bayes.success, bayes.high, boosted.success, boosted.high)
            rows.append((error, error - original, cramer(tables), divergence(before, tables), *attacks))
            yield _line(f"{seed}", way, rows[-1])
    yield "means, and in how many keys NB and GB find more than the control's interval holds"
    for way, rows in found.items():
        over = [sum(row[at] > row[at + 1] for row in rows) for at in (4, 6)]
        yield f"{_line('', way, tuple(np.mean(rows, axis=0)))}  {over[0]:>3} {over[1]:>3}"


def _line(key: str, way: str, row: tuple[float, ...]) -> str:
    error, excess, association, lost, *attacks = row
    retraced = [f"{100 * one:>6.1f} ({100 * high:.1f})" for one, high in zip(attacks[::2], attacks[1::2], strict=True)]
    return f"{key:>4} {way:<18} {error:>6.2f} {excess:>7.2f} {association:>6.3f} {lost:>8.3f} " + " ".join(
        f"{each:>14}" for each in retraced
    )
