"""Li & Sarkar (2004), Table 4, census part: paper beside ours."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.classes import equivalence_classes, identifiable_records
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import RecordLevels
from tests.benchmarks.papers.census import CLASS, census_table

PRINTED = {
    "original": (19.01, 507, None),
    "proposed": (30.44, 843, 38.67),
    "random": (50.10, 2181, 6.43),
}
PAPER_SEARCH = {
    "proportion": 0.5,
    "search": "greedy",
    "selection_noise": 0,
    "balance": "separate",
    "group_share": "one-member",
}
EXACT = {**PAPER_SEARCH, "search": "exact"}
POOLED = {**EXACT, "balance": "pooled"}
SAFE = {"proportion": 0.5}


@dataclass(frozen=True)
class Learner:
    """A decision tree (entropy) with its name in the table."""

    name: str
    settings: Mapping[str, Any]


LEARNERS = (
    Learner("min leaf 25", {"min_samples_leaf": 25}),
    Learner("min leaf 2, ccp 1e-4", {"min_samples_leaf": 2, "ccp_alpha": 1e-4}),
)


def protect(table: Table, method: str, parameters: Mapping[str, Any], seed: int) -> tuple[Ints, float]:
    """Run a method on the class column; return the released codes and the seconds."""
    found = find_method(method)
    levelled = table.with_levels(RecordLevels.same_for_all(table.rows))
    settings = found.settings(levelled, None, parameters)
    streams = StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 1)
    started = time.perf_counter()
    result = found.run(levelled, settings, streams, silent())
    seconds = time.perf_counter() - started
    released = result.table.column(CLASS)
    index = {text: code for code, text in enumerate(table.column(CLASS).categories)}
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


def run(folder: Path, *, seed: int = 0, quick: bool = False) -> list[str]:
    """Return the comparison as Markdown lines."""
    table = census_table(folder, seed=seed)
    quasi = table.with_role("quasi-identifier")
    true = table.column(CLASS).category_codes.astype(np.int64)
    classes = equivalence_classes(quasi, table.rows)
    known = identifiable_records(classes, true)
    identifiable = known.unique | known.collective
    encoder = OneHotEncoder(dtype=np.float32)
    features = csr_matrix(encoder.fit_transform(np.column_stack([c.category_codes for c in quasi])))
    lines = [
        "## Li & Sarkar 2004, Table 4 (census; 4 bins, without fnlwgt, p = 0.5)",
        "",
        f"Records {table.rows} (printed 25049), identifiable {int(identifiable.sum())} (printed 18278), "
        f"unique {int(known.unique.sum())} (printed 11470), collective groups {known.groups}. "
        f"Sampling seed {seed}; tree: entropy, ten stratified folds, one-hot (the paper used C4.5).",
        "",
        "| labels | learner | error, released labels % | error, true labels % | leaves | seconds | printed error % | "
        "printed leaves | printed seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    generator = np.random.default_rng(seed)
    runs: list[tuple[str, str, Ints, float | None]] = [("original", "original", true, None)]
    for name, method, parameters in (
        ("proposed, exact, as the paper balances", "bayes-swap", EXACT),
        ("proposed, exact, pooled balance", "bayes-swap", POOLED),
        ("safe default (selection noise 0.5)", "bayes-swap", SAFE),
        ("random, same counts as the paper's", "random-swap", {"proportion": 0.5, "group_share": "one-member"}),
        ("random, same counts as the safe default", "random-swap", SAFE),
    ):
        codes, seconds = protect(table, method, parameters, seed)
        runs.append((name, "random" if method == "random-swap" else "proposed", codes, seconds))
    for name, among in (("half of the identifiable", identifiable), ("half of all", np.ones(table.rows, bool))):
        chosen = generator.permutation(np.flatnonzero(among))[: int(among.sum()) // 2]
        codes = true.copy()
        codes[chosen] = 1 - codes[chosen]
        runs.append((f"random, {name} rows flipped", "random", codes, None))
    for name, printed, codes, needed in runs:
        error, leaves, printed_seconds = PRINTED[printed]
        for learner in LEARNERS[:1] if quick else LEARNERS:
            released, against_true, ours = evaluate(features, codes, true, learner)
            took = f"{needed:.2f}" if needed is not None else "-"
            lines.append(
                f"| {name} | {learner.name} | {released:.2f} | {against_true:.2f} | {ours} | {took} | {error:.2f} | "
                f"{leaves} | {printed_seconds if printed_seconds is not None else '-'} |"
            )
    return lines
