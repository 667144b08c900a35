"""Predictions of a noisy column from the other released columns: side information that every intruder has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import combinations_with_replacement

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats, Ints, on_grid
from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.result_cache import RESULTS
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import renumber_by_appearance
from ppdm_desktop.engine.utility.models.crossval import hash_records, sample_rows
from ppdm_desktop.engine.utility.models.features import Encoder, Records, records_of

FEWEST_RECORDS = 50
LEAST_EXPLAINED = 0.01
"""The other columns are used if they explain more than this share of the variance in held-out records."""
_RECORDS_AT_ONCE = 20_000
_MANY_RECORDS, _FOLDS_OF_MANY = 1_000, 3
_LEAVES = 15
_MOST_MULTIPLIED = 8
_PENALTY = 1e-3
_LOADED = (
    *(f"scipy.{name}" for name in ("special", "linalg", "sparse", "spatial", "optimize")),
    *(f"scipy.{name}" for name in ("integrate", "interpolate", "ndimage", "stats")),
    *(f"sklearn.{name}" for name in ("utils", "metrics", "tree", "ensemble")),
)
Predictor = Callable[[Ints], Floats]
"""What an intruder learned: a function that returns predictions for rows of the records."""
Learner = Callable[[Records, Floats, Ints], Predictor]


@dataclass(frozen=True)
class Effort:
    """How much data and how many trees the learners use.

    Attributes
    ----------
    records
        Largest number of records that are learned from, a fixed sample; predictions are made for everybody.
    folds
        Number of cross-validation folds; at most three for 1,000 numbers or more, where more add less than 0.01 to R².
    trees
        Number of boosted trees.
    rate
        Learning rate of the boosted trees.
    """

    records: int
    folds: int
    trees: int
    rate: float


WHOLE = Effort(10_000, 5, 40, 0.2)
"""For a release: twice as many records, or 60 trees of 31 leaves, change R² by less than 0.02."""
DRAFT = Effort(3_000, 2, 15, 0.3)
"""For planning: R² comes within a few hundredths of that of ``WHOLE``, in a third of the time."""


def predict_from_others(released: Released, name: str, seen: Floats, of: Ints) -> Floats | None:
    """Return cross-validated predictions of a noisy column from the other released columns.

    None if they explain no more than 1 % of its variance. Each fold is predicted from the others, by ridge regression
    on numbers, their squares and products and indicators, or by boosted trees; the better of the two is kept. The
    position in the file predicts as well if rows were not put in random order; free text does not.

    Parameters
    ----------
    released
        The table as written.
    name
        The noisy column.
    seen, of
        The numbers to predict (the column's released values, in planning the true ones), and the rows of the table that
        hold them, both of shape (numbers,). A person may have several of these rows.

    Returns
    -------
    Floats or None
        One prediction for each number, shape (numbers,); also None for fewer than 50 numbers.
    """
    columns = [column for column in released.table.columns if column.name != name and column.kind != "text"]
    positions = None if released.candidate.is_shuffled else released.row_in_file.astype(np.float64)
    effort = DRAFT if released.draft else WHOLE
    persons = released.people.of_row[of] if released.people.with_several else None
    predicted = predict_from_columns(columns, seen, of, positions, persons, effort)
    return predicted[1] if predicted is not None and predicted[0] > LEAST_EXPLAINED else None


def predict_from_columns(
    columns: Sequence[Column],
    wanted: Floats,
    of: Ints,
    values: Floats | None = None,
    persons: Ints | None = None,
    effort: Effort = WHOLE,
) -> tuple[float, Floats] | None:
    """Return the cross-validated R² and the predictions of the numbers of some rows from columns.

    By ridge regression or boosted trees, whichever has the higher R², which may be negative.

    Parameters
    ----------
    columns
        The predictors, whole columns as released.
    wanted, of
        The numbers to predict, and their rows in the columns, shape (numbers,).
    values
        Position of each row in the file as a further predictor, if rows were not put in random order; else None.
    persons
        The person of each number, shape (numbers,), so that no number is predicted from the same person's others. None
        if each is another person's.
    effort
        How much data and how many trees the learners use.

    Returns
    -------
    tuple of float and Floats, or None
        R² and one prediction for each number, shape (numbers,); None without predictors, for fewer than 50 numbers, or
        if all numbers are equal or those learned from are one person's.
    """
    if not columns or len(of) < FEWEST_RECORDS or float(wanted.var()) <= 0:
        return None
    records = records_of(columns)
    if values is not None:
        records = Records(
            np.column_stack([records.numbers, values]), records.codes, records.sizes, np.append(records.ranked, False)
        )
    records = records.take(of)
    folds = effort.folds if len(of) < _MANY_RECORDS else min(effort.folds, _FOLDS_OF_MANY)
    fold = (np.arange(len(of)) if persons is None else renumber_by_appearance(persons)) % folds
    if not np.ptp(fold[sample_rows(len(of), effort.records)]):
        return None
    # The source foretells the same of a column for every candidate that shows the same others.
    key = ("foretold", effort, hash_records(records, wanted, fold))
    predicted = RESULTS.get(key, lambda: _predict_records(records, wanted, fold, effort))
    return float(predicted[0]), predicted[1:]


def _predict_records(records: Records, wanted: Floats, fold: Ints, effort: Effort) -> Floats:
    """Return an array with R² first, followed by the predictions of all records, shape (records + 1,).

    The learners are compared on the records learned from, and only the better one predicts all. R² may be negative.
    ``fold`` is the cross-validation fold of each record, from 0; ``effort`` says from how many records, by a fixed
    sample, and with how many trees is learned.
    """
    learnt_from = sample_rows(len(wanted), effort.records)
    best: tuple[float, Floats, list[Predictor]] | None = None
    learners: tuple[Learner, ...] = (_fit_ridge, partial(_fit_boosted_trees, effort=effort))
    scale = float(np.abs(wanted).max())
    for learner in learners:
        learned: list[Predictor] = []
        for part in range(int(fold.max()) + 1):
            progress.check()
            learned.append(learner(records, wanted, learnt_from[fold[learnt_from] != part]))
        guesses = _predict_out_of_fold(learned, fold, learnt_from, scale)
        explained = 1.0 - float(np.mean(np.square(wanted[learnt_from] - guesses))) / float(wanted.var())
        if best is None or explained > best[0] + GRID:
            best = explained, guesses, learned
    assert best is not None
    explained, guesses, learned = best
    if len(learnt_from) < len(wanted):
        guesses = _predict_out_of_fold(learned, fold, np.arange(len(wanted)), scale)
        explained = 1.0 - float(np.mean(np.square(wanted - guesses))) / float(wanted.var())
    return np.append(explained, guesses)


def _predict_out_of_fold(learned: Sequence[Predictor], fold: Ints, asked: Ints, scale: float) -> Floats:
    """Return predictions for the rows ``asked``, each by the function learned without the row's fold, shape (asked,).

    Predictions are rounded to a fine grid.

    Parameters
    ----------
    learned
        The function learned without each fold.
    fold
        The fold of every row.
    asked
        Indices of the rows to predict.
    scale
        Largest absolute number predicted, which decides the grid.
    """
    guesses = np.zeros(len(asked))
    for part, predict in enumerate(learned):
        fold_rows = np.flatnonzero(fold[asked] == part)
        for begin in range(0, len(fold_rows), _RECORDS_AT_ONCE):
            progress.check()
            places = fold_rows[begin : begin + _RECORDS_AT_ONCE]
            guesses[places] = predict(asked[places])
    # Records that are alike get the same guess, whatever stands beside them where products are added.
    return on_grid(guesses, scale)


def _fit_ridge(records: Records, seen: Floats, train: Ints) -> Predictor:
    """Return the prediction function of a ridge regression fitted to the rows ``train``; it takes row indices.

    ``seen`` holds the numbers to predict of all rows.
    """
    encoder = Encoder.fit(records.take(train))

    def matrix(rows: Ints) -> Floats:
        """Return the design matrix of these rows, with squares and products."""
        return _append_products(encoder.matrix(records.take(rows)).astype(np.float64), records)

    features, target = matrix(train), seen[train]
    progress.check()
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread <= 1e-12] = 1.0
    features -= mean
    features /= spread
    gram = features.T @ features
    gram[np.diag_indices_from(gram)] += _PENALTY * len(train)
    weights = np.linalg.solve(gram, features.T @ (target - target.mean())) / spread
    return lambda rows: np.asarray(target.mean() + (matrix(rows) - mean) @ weights)


def _append_products(matrix: Floats, records: Records) -> Floats:
    """Return the matrix with further columns: squares and pairwise products of its first eight numeric columns.

    Numeric columns come first in ``matrix``; ``records`` tells how many they are.
    """
    numbers = matrix[:, : min(records.numbers.shape[1], _MOST_MULTIPLIED)]
    pairs = combinations_with_replacement(range(numbers.shape[1]), 2)
    return np.column_stack([matrix, *(numbers[:, first] * numbers[:, second] for first, second in pairs)])


def _fit_boosted_trees(records: Records, seen: Floats, train: Ints, effort: Effort) -> Predictor:
    """Return the prediction function of boosted trees fitted to the rows ``train``; it takes row indices.

    ``seen`` holds the numbers to predict of all rows, ``effort`` the learning rate and the number of trees.
    """
    for library in _LOADED:  # late: only noise asks for it; one by one, for all at once takes seconds
        progress.check()
        import_module(library)
    from sklearn.ensemble import HistGradientBoostingRegressor

    filled = ~np.isnan(records.numbers[train]).all(axis=0)  # the library fails at a column without a value

    def matrix(rows: Ints) -> Floats:
        """Return numbers and codes of these rows as one matrix, without numeric columns that are empty in training."""
        return np.column_stack([records.numbers[rows][:, filled], records.codes[rows].astype(np.float64)])

    model = HistGradientBoostingRegressor(
        learning_rate=effort.rate,
        max_iter=effort.trees,
        max_leaf_nodes=_LEAVES,
        random_state=0,
        early_stopping=False,
    )
    progress.check()
    with one_thread():
        model.fit(matrix(train), seen[train])

    def predict(rows: Ints) -> Floats:
        """Return the trees' predictions for these rows, shape (len(rows),)."""
        with one_thread():
            return np.asarray(model.predict(matrix(rows)))

    return predict
