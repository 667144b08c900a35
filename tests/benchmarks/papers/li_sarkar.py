"""Li & Sarkar (2004): the worked example of Tables 1 and 3, and the experiments of Table 4."""

from __future__ import annotations

import csv
import io
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from swap_support import GOLDEN, life_insurance

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.methods.algorithms.swapping.greedy import greedy_search
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    find_identified_people,
    posterior,
    posterior_drop,
)
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, SwapProblem
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.bayes_swap import BayesSwap
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.samples.registry import find_sample
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from tests.benchmarks.papers.cells import Asked, Cell, NotAtHand
from tests.benchmarks.papers.census import CLASS, census_table

PAPER_SEARCH: Mapping[str, Any] = BayesSwap.profiles["paper"]
EXACT = {**PAPER_SEARCH, "search": "exact"}
RANDOM = {"proportion": 0.5, "group_share": "one-member"}
SAFE = {"proportion": 0.5}
RUNS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "random, one member of each group": ("random-swap", RANDOM),
    "random, half of each group": ("random-swap", SAFE),
    "exact": ("bayes-swap", EXACT),
    "default of 0.1.0": ("bayes-swap", SAFE),
    "calibrated": ("bayes-swap", {"search": "calibrated"}),
    "proposed": ("bayes-swap", PAPER_SEARCH),
}
"""What is run beside the original; the paper's own greedy search last, because it takes longest."""
CATEGORIES = ("Low", "Med", "High")
_TAKEN_PART = (1, 6, 7, 10, 13, 16, 2, 4, 11)
"""Records of the example that take part: all alone in their pattern, and the first of each group."""


@dataclass(frozen=True)
class Learner:
    """A decision tree (entropy) with its name in the table."""

    name: str
    settings: Mapping[str, Any]


CENSUS_TREE, OFFER_TREE = Learner("tree", {"min_samples_leaf": 25}), Learner("tree", {"min_samples_leaf": 5})


def example(asked: Asked) -> Iterator[Cell]:
    """Yield who is identifiable in Table 1, and the probabilities and sums of Table 3."""
    table = life_insurance()
    truth = table.column("amount").category_codes.astype(np.int64)
    quasi = [column.category_codes for column in table.with_role("quasi-identifier")]
    classes = equivalence_classes(table.with_role("quasi-identifier"), table.rows)
    known = find_identified_people(classes, truth, table.persons)
    yield Cell("Table 1", "uniquely identifiable", float(len(known.unique)))
    yield Cell("Table 1", "collectively identifiable", float(len(known.collective)))
    yield Cell("Table 1", "groups", float(known.groups))
    rows = np.array(_TAKEN_PART) - 1
    shares = posterior(quasi, truth, len(CATEGORIES), classes, rows)
    for row, found in zip(_TAKEN_PART, shares, strict=True):
        for name, value in zip(CATEGORIES, found, strict=True):
            yield Cell("Table 3", f"record {row}, p({name})", float(value))
    demand = np.array([0] * 6 + [GROUP_MEMBER] * 3)
    problem = SwapProblem(posterior_drop(shares, truth[rows]), truth[rows], demand, np.array([3]))
    start = np.array([CATEGORIES.index(GOLDEN["phase1_start"][str(row)]) for row in _TAKEN_PART])
    end, _ = greedy_search(problem, start)
    yield Cell("Table 3", "sum after phase I", float(problem.value(start)))
    yield Cell("Table 3", "sum after phase II", float(problem.value(end)))


def protect(
    table: Table, method: str, parameters: Mapping[str, Any], seed: int, name: str = CLASS
) -> tuple[Ints, float]:
    """Run a method on the confidential column; return the released codes and the processor seconds."""
    found = find_method(method)
    levelled = table.with_levels(RecordLevels.same_for_all(table.rows))
    settings = found.settings(levelled, None, parameters)
    streams = StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 1)
    started = time.process_time()
    result = found.run(levelled, settings, streams)
    seconds = time.process_time() - started
    released = result.table.column(name)
    index = {text: code for code, text in enumerate(table.column(name).categories)}
    return np.array([index[text] for text in released.values()]), seconds


def evaluate(features: csr_matrix, released: Ints, true: Ints, learner: Learner) -> tuple[float, float, int]:
    """Return (error % on released labels, error % on true labels, leaves of the tree on all rows)."""
    wrong_released = wrong_true = 0
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    for train, test in folds.split(features, released):
        tree = DecisionTreeClassifier(criterion="entropy", random_state=0, **learner.settings)
        guessed = tree.fit(features[train], released[train]).predict(features[test])
        wrong_released += int((guessed != released[test]).sum())
        wrong_true += int((guessed != true[test]).sum())
    whole = DecisionTreeClassifier(criterion="entropy", random_state=0, **learner.settings).fit(features, released)
    n = len(true)
    return 100 * wrong_released / n, 100 * wrong_true / n, int(whole.get_n_leaves())


def census(asked: Asked) -> Iterator[Cell]:
    """Yield the census rows of Table 4: four bins, without fnlwgt, which bracket the printed counts."""
    if not all((asked.data / name).exists() for name in ("adult_train.csv", "adult_test.csv")):
        raise NotAtHand("adult_train.csv and adult_test.csv are not in the folder of the data")
    table = census_table(asked.data, seed=asked.seed)
    if asked.quick:
        table = table.take(np.arange(0, table.rows, 50))
    shown = "Table 4, Census"
    classes = equivalence_classes(table.with_role("quasi-identifier"), table.rows)
    known = find_identified_people(classes, table.column(CLASS).category_codes, table.persons)
    both = [*known.unique, *known.collective]
    yield Cell(shown, "records", float(table.rows))
    yield Cell(shown, "identifiable", float(len(both)))
    yield Cell(shown, "uniquely identifiable", float(len(known.unique)))
    yield from _rows(shown, table, CLASS, CENSUS_TREE, asked)
    yield from _blindly(shown, table, CLASS, CENSUS_TREE, np.isin(np.arange(table.rows), both), asked)


def _blindly(
    shown: str, table: Table, name: str, learner: Learner, identifiable: Bools, asked: Asked
) -> Iterator[Cell]:
    """Yield error and leaves where half of some records get another value by the marginal: what the paper may have run.

    Its random program "perturbs the confidential values without considering the joint distribution", with a
    proportion of 0.5; of which records is not said.
    """
    true = table.column(name).category_codes.astype(np.int64)
    sizes = np.bincount(true).astype(np.float64)
    generator = np.random.default_rng(asked.seed)
    for among, rows in (("of the identifiable", identifiable), ("of all", np.ones(table.rows, bool))):
        chosen = generator.permutation(np.flatnonzero(rows))[: int(rows.sum()) // 2]
        others = np.where(np.arange(len(sizes)) == true[chosen][:, None], 0.0, sizes)
        steps = np.cumsum(others / others.sum(axis=1, keepdims=True), axis=1)
        codes = true.copy()
        drawn = np.full(len(chosen), 0.5) if len(sizes) == 2 else generator.random(len(chosen))
        codes[chosen] = (steps < drawn[:, None]).sum(axis=1)
        what = f"random, half {among}"
        if asked.missing(shown, [f"{what}, error %"]):
            error, _, leaves = evaluate(_features(table), codes, true, learner)
            yield Cell(shown, f"{what}, leaves", leaves)
            yield Cell(shown, f"{what}, error %", error)


def _features(table: Table) -> csr_matrix:
    quasi = np.column_stack([column.category_codes for column in table.with_role("quasi-identifier")])
    return csr_matrix(OneHotEncoder(dtype=np.float32).fit_transform(quasi))


def _sample_table() -> Table:
    """Return the bundled sample in the shape of the salary offers, everybody at the same level."""
    sample = find_sample("salary-offers")
    head, *rows = csv.reader(io.StringIO(b"".join(sample.pieces({})).decode("utf-8-sig")))
    sections = tomllib.loads(sample.recipe())["columns"]
    columns = tuple(
        Column.from_texts(name, [row[place] for row in rows], role=sections[name]["role"])
        for place, name in enumerate(head)
        if name in sections
    )
    return Table(columns, np.arange(1, len(rows) + 1), RecordLevels.same_for_all(len(rows)))


def offers(asked: Asked) -> Iterator[Cell]:
    """Yield the salary offers of Table 4, on the bundled sample in their shape."""
    shown, table, name = "Table 4, Offer", _sample_table(), "Salary"
    classes = equivalence_classes(table.with_role("quasi-identifier"), table.rows)
    known = find_identified_people(classes, table.column(name).category_codes, table.persons)
    identifiable = np.isin(np.arange(table.rows), [*known.unique, *known.collective])
    yield from _rows(shown, table, name, OFFER_TREE, asked)
    yield from _blindly(shown, table, name, OFFER_TREE, identifiable, asked)


def _rows(shown: str, table: Table, name: str, learner: Learner, asked: Asked) -> Iterator[Cell]:
    true = table.column(name).category_codes.astype(np.int64)
    features = _features(table)
    if asked.missing(shown, ["original, error %"]):
        error, _, leaves = evaluate(features, true, true, learner)
        yield Cell(shown, "original, leaves", leaves)
        yield Cell(shown, "original, error %", error)
    for way, (method, parameters) in RUNS.items():
        if not asked.missing(shown, [f"{way}, error %"]):
            continue
        codes, seconds = protect(table, method, parameters, asked.seed + 1, name)
        error, of_true, leaves = evaluate(features, codes, true, learner)
        yield Cell(shown, f"{way}, seconds", seconds)
        yield Cell(shown, f"{way}, leaves", leaves)
        yield Cell(shown, f"{way}, error % of true labels", of_true)
        yield Cell(shown, f"{way}, error %", error)
