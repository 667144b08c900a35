"""Stratified cross-validation of a learner on original and on released records.

Four figures are measured, for each fold held out:

*original*
    learnt from the original records of the other folds, tested on the fold's original records.
*released, true labels*
    learnt from released records, tested on the fold's **original** records with their true
    labels: how well the model of a recipient who has only the release works in reality.
*released, released labels*
    learnt from the same released records, tested on released records with their released labels:
    how well the model seems to work to that recipient.
*baseline*
    always the commonest label of all records (the commonest of the training records could change from fold to
    fold where classes are equal, and would always be the label that the fold has fewest of).

Where released rows are source rows, a record and its released version are held out together: nothing is learnt from
the released version of a record that is tested. Where they are not (groups were regenerated, or rows generated), the
release is cut into as many folds of its own; then a tested record may have influenced the records learnt from, as the
figure's note says.

Original or released records cut into folds, with hashes of their content as cache keys.

The interface of learners: fitted on records with labels, a learner predicts the labels of other records.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.figure import SHARE_RIGHT, Figure
from ppdm_desktop.engine.result_cache import RESULTS, hash_arrays
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.models.nearest import MOST_ASKED, NearestNeighbours, find_neighbours
from ppdm_desktop.engine.utility.models.tasks import Task
from ppdm_desktop.engine.wording.catalogue import Sentence, join_remarks, lazy, untranslated
from ppdm_desktop.engine.wording.values import LazyText


class Classifier(Protocol):
    """A fitted learner."""

    def predict(self, records: Records) -> Ints:
        """Return the label of each record, int64."""


class Learner(Protocol):
    """A learning algorithm with its settings."""

    @property
    def id(self) -> str:
        """Return the name in the report."""

    @property
    def most_rows(self) -> int:
        """Return how many records are used at most; of more, the caller draws a fixed sample."""

    @property
    def fewest_rows(self) -> int:
        """Return the least number of records for which the algorithm is tried."""

    @property
    def method(self) -> LazyText:
        """Return the settings as a sentence for the figures."""

    def fit(self, records: Records, labels: Ints, classes: int) -> Classifier:
        """Return a classifier fitted to records; labels are 0 .. classes-1 and none is missing."""


@dataclass(frozen=True)
class Always:
    """Predicts one label for every record, for training data with a single label."""

    label: int

    def predict(self, records: Records) -> Ints:
        """Return the same label for every record."""
        return np.full(len(records), self.label, dtype=np.int64)


# --- sides --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Side:
    """Records to learn from and to test, fold by fold.

    Attributes
    ----------
    records
        Those that take part.
    labels
        The label of each.
    fold_of
        The fold in which each is held out.
    """

    records: Records
    labels: Ints
    fold_of: Ints

    def others(self, fold: int) -> tuple[Records, Ints]:
        """Return the records outside a fold and their labels, in row order."""
        rows = np.flatnonzero(self.fold_of != fold)
        return self.records.take(rows), self.labels[rows]

    def held_out(self, fold: int) -> tuple[Records, Ints]:
        """Return the records of a fold and their labels, in row order."""
        rows = np.flatnonzero(self.fold_of == fold)
        return self.records.take(rows), self.labels[rows]

    @cached_property
    def seen(self) -> bytes:
        """A hash of the records and their folds, without labels: key of what depends on the records only."""
        return hash_records(self.records, self.fold_of)

    @cached_property
    def whole(self) -> bytes:
        """A hash of the records, their folds and their labels."""
        return hash_records(self.records, self.fold_of, self.labels)


def hash_records(records: Records, *more: Ints | Floats) -> bytes:
    """Return a hash of records in order, and of further arrays that belong to them.

    Privacy levels are not included.
    """
    sizes = np.array(records.sizes, dtype=np.int64)
    return hash_arrays(records.numbers, records.codes, sizes, records.ranked, *more)


def make_learner_key(learner: object) -> Hashable | None:
    """Return a cache key of a learner's type and settings; None where a setting is not a plain value.

    Plain are numbers, texts, truth values and None; a learner that is no dataclass has no key either.
    """
    if not is_dataclass(learner):
        return None
    values = tuple(getattr(learner, field.name) for field in fields(learner))
    if not all(value is None or isinstance(value, int | float | str) for value in values):
        return None
    return type(learner).__module__, type(learner).__qualname__, values


# --- crossval -----------------------------------------------------------------------------

FOLDS = 10
MANY_RECORDS, FOLDS_OF_MANY = 2_000, 5
"""With so many records, learning from four fifths of them is hardly worse than learning from nine tenths."""
SEED = 20
"""Seed of the sample and the folds: the same rows for every release of the same table."""
FEWEST_RECORDS = 4

_ONE_VALUE = lazy("all records have the same value, so there is nothing to predict")
_WITHOUT_NOISE = lazy("this model is for records without noise, but released records contain it")
_NOT_PAIRED = lazy("the records tested may have helped to make those learnt from, so this may be too good")
_COPIES = lazy("the records tested may have helped to make those learnt from, so this may be too good")
_COMMONEST = untranslated("always the commonest")
_SAME_NUMBER = untranslated("always the same number")


@dataclass(frozen=True)
class Scores:
    """The shares of records that a learner predicts correctly.

    Attributes
    ----------
    original
        Learnt from original records and tested on original ones.
    released_true_labels
        Learnt from released records, tested on original ones with their true labels.
    released_labels
        Learnt from released records, tested on released ones with their released labels.
    baseline
        Share correct if every record gets the same, best guess. Each figure has a 95 % interval from the folds' spread.
    folds
        Number of folds; 0 where nothing could be measured.
    """

    original: Figure
    released_true_labels: Figure
    released_labels: Figure
    baseline: Figure
    folds: int

    @classmethod
    def absent(cls, why: LazyText) -> Scores:
        """Return scores without figures, with the reason."""
        none = Figure.absent(why, unit=SHARE_RIGHT)
        return cls(none, none, none, none, 0)


def sample_rows(rows: int, most: int) -> Ints:
    """Return row indexes, ascending, from 0: all of ``rows`` rows, or ``most`` random ones where there are more.

    The seed is fixed, so that equal numbers give equal rows.
    """
    if rows <= most:
        return np.arange(rows, dtype=np.int64)
    drawn = np.random.default_rng(SEED).permutation(rows)[:most]
    return np.sort(drawn).astype(np.int64)


def describe_fixed_sample(rows: int) -> Sentence:
    """Return a sentence saying that only a fixed sample of rows was used."""
    return lazy("a fixed sample of {n} rows", n=rows)


def fold_count(labels: Ints, tolerance: int = 0) -> int:
    """Return the number of folds: ten, five from 2,000 records, or fewer if a label is rarer; at least two.

    The limit is the number of records of the rarest label: 4 folds where it has 4 records.

    Parameters
    ----------
    labels
        Labels of the records used.
    tolerance
        Above 0 labels are numbers, which have no classes: then half the number of records is the limit.
    """
    if tolerance:
        return max(2, min(_choose_fold_count(len(labels)), len(labels) // 2))
    smallest = int(np.unique(labels, return_counts=True)[1].min()) if len(labels) else 0
    return max(2, min(_choose_fold_count(len(labels)), smallest))


def _choose_fold_count(records: int) -> int:
    """Return the number of folds where no class is too small for it: five from 2,000 records on, else ten."""
    return FOLDS_OF_MANY if records >= MANY_RECORDS else FOLDS


def stratified_folds(labels: Ints, folds: int) -> Ints:
    """Return the fold of each record, 0 .. folds-1; every label is spread over the folds as evenly as possible.

    The records of a label are shuffled by a fixed seed: the same labels give the same folds. The sizes of two folds
    differ by at most one record.
    """
    shuffled = np.random.default_rng(SEED).permutation(len(labels))
    order = np.lexsort((shuffled, labels))
    fold = np.empty(len(labels), dtype=np.int64)
    fold[order] = np.arange(len(labels)) % folds
    return fold


def find_obstacle(task: Task, original: Records) -> Sentence | None:
    """Return the reason why nothing can be learnt of a task, as a sentence; None where something can.

    Reasons, in this order: no other column to learn from; no value of the predicted column in the original, or fewer
    than 4; a single different value in the original; no value in the release.
    """
    if original.width == 0:
        return lazy("no other released column to learn from")
    labels = task.before[task.known]
    if not len(labels):
        return lazy("no value in one of the tables")
    if len(labels) < FEWEST_RECORDS:
        return lazy("fewer than {n} records with a value", n=FEWEST_RECORDS)
    if len(np.unique(labels)) < 2:
        return _ONE_VALUE
    if not task.known_after.any():
        return lazy("no value in one of the tables")
    return None


def cross_validate(
    task: Task,
    learner: Learner,
    original: Records,
    released: Records,
    twins: Ints | None,
    *,
    released_learner: Learner | None = None,
    watch: Callable[[Classifier], None] | None = None,
    original_scores: Scores | None = None,
) -> Scores:
    """Return the scores of a learner on original and released records, cross-validated in folds.

    Each figure is the share of records whose label is predicted correctly, from a model of the folds they are not in.
    ``original`` is learnt from original records and ``released_true_labels`` from released ones; both are tested on
    original records. ``released_labels`` is learnt from released records and tested on them, with their labels.
    ``baseline`` always guesses the commonest label, or the best number, of the original records. At most
    ``learner.most_rows`` records of each side take part. All figures are absent, with the reason, if nothing can be
    learnt (`find_obstacle`), or where the records that take part are fewer than the learner needs or have a single
    label. Figures learnt from released records are absent alone where there are none to learn from or to test.

    Parameters
    ----------
    task
        What is predicted of each record.
    learner
        Learns from the original records, and also from the released ones without a ``released_learner``.
    original, released
        The other columns, before and after.
    twins
        For each original record the index of its released version, -1 where it is not in the release; None where
        released rows are not source rows.
    released_learner
        Learns from the released records instead (naive Bayes with the noise taken off, or one that reconstructs). Its
        model is for true records, so it is not tested on released ones.
    watch
        Is called with each classifier that was fitted on released records.
    original_scores
        Earlier scores of the same learner on the same original records, whose figure ``original`` is taken over and not
        measured again.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    why = find_obstacle(task, original)
    if why is not None:
        return Scores.absent(why)
    rows = sample_rows(len(original), learner.most_rows)
    rows = rows[task.known[rows]]
    labels = task.before[rows]
    if len(rows) < learner.fewest_rows:
        too_few = lazy("fewer than {n} records with a value", n=learner.fewest_rows)
        return Scores.absent(too_few)
    if len(np.unique(labels)) < 2:
        return Scores.absent(_ONE_VALUE)
    folds = fold_count(labels, task.tolerance)
    fold_of = stratified_folds(labels, folds)
    shown_rows, shown_fold = _choose_released_rows(task, rows, fold_of, twins, released, learner.most_rows, folds)
    true = Side(original.take(rows), labels, fold_of)
    side = Side(released.take(shown_rows), task.after[shown_rows], shown_fold)
    tally = _Tally(folds)
    second = released_learner or learner
    constant = _find_best_constant(labels, task)
    for fold in range(folds):
        progress.report(fold / folds, "doing.utility")
        expected = true.labels[fold_of == fold]
        tally.add("baseline", fold, task.hits(np.full(len(expected), constant), expected))
        if original_scores is None:
            tally.add("original", fold, task.hits(_Taught(learner, true, fold, task.classes).predict(true), expected))
        progress.check()
        is_held_out = shown_fold == fold
        if is_held_out.all():
            continue
        taught = _Taught(second, side, fold, task.classes)
        if watch is not None:
            watch(taught.model)
        tally.add("true", fold, task.hits(taught.predict(true), expected))
        progress.check()
        if released_learner is None and is_held_out.any():
            tally.add("shown", fold, task.hits(taught.predict(side), side.labels[is_held_out]))
    progress.report(1.0, "doing.utility")
    few, sampled = _describe_test_limits(folds, len(labels), len(original), learner.most_rows)
    not_paired, copies = (None, None) if twins is not None else (_NOT_PAIRED, _COPIES)
    how, how_released = learner.method, second.method
    return Scores(
        original=tally.figure("original", how, few, sampled) if original_scores is None else original_scores.original,
        released_true_labels=tally.figure("true", how_released, few, sampled, not_paired),
        released_labels=tally.figure("shown", how, few, sampled, copies)
        if released_learner is None
        else Figure.absent(_WITHOUT_NOISE, unit=SHARE_RIGHT),
        baseline=tally.figure("baseline", _COMMONEST if not task.tolerance else _SAME_NUMBER, few, sampled),
        folds=folds,
    )


def _describe_test_limits(folds: int, used: int, rows: int, most_rows: int) -> tuple[Sentence | None, Sentence | None]:
    """Return two sentences, each None where it does not apply: fewer folds than usual, and a sample of rows.

    Usual is the number of folds for ``used`` records without rare labels. A sample is taken where there are more than
    ``most_rows`` rows.
    """
    few = lazy("tested in only {n} parts: the rarest value has no more than {n} records", n=folds)
    return few if folds < _choose_fold_count(used) else None, describe_fixed_sample(
        most_rows
    ) if rows > most_rows else None


@dataclass(frozen=True, eq=False)
class _Taught:
    """A learner fitted on all folds but one, only if its predictions are not in the cache."""

    learner: Learner
    side: Side
    fold: int
    classes: int

    @cached_property
    def model(self) -> Classifier:
        """The fitted learner."""
        return self.learner.fit(*self.side.others(self.fold), self.classes)

    def predict(self, asked: Side) -> Ints:
        """Return the predicted label of each record in the held-out fold of ``asked``, in row order.

        If all settings of the learner are plain values, it is taken from the cache, or computed and put there; else it
        is computed at each call.
        """
        settings = make_learner_key(self.learner)
        if settings is None:
            return self.model.predict(asked.held_out(self.fold)[0])
        return RESULTS.get(
            (settings, self.classes, self.side.whole, asked.seen, self.fold), lambda: self._predict_now(asked)
        )

    def _predict_now(self, asked: Side) -> Ints:
        """Return the predicted label of each record in the held-out fold of ``asked``, in row order, computed now.

        Of learners by up to 5 nearest neighbours, the neighbours' rows are taken from the cache or put there, as they
        are the same for all labels.
        """
        learner, fold = self.learner, self.fold
        if not isinstance(learner, NearestNeighbours) or learner.k > MOST_ASKED:
            return self.model.predict(asked.held_out(fold)[0])
        taught, labels = self.side.others(fold)
        near = RESULTS.get(
            ("neighbours", self.side.seen, asked.seen, fold), lambda: find_neighbours(taught, asked.held_out(fold)[0])
        )
        return learner.predict(labels[near], self.classes)


def _choose_released_rows(
    task: Task, rows: Ints, fold_of: Ints, twins: Ints | None, released: Records, most: int, folds: int
) -> tuple[Ints, Ints]:
    """Return the indexes of the released rows that take part, and the fold of each; two arrays of the same length.

    Rows without a released label are left out. Where ``twins`` links them, they are the released versions of ``rows``
    with the folds of these; else a fixed sample of at most ``most`` rows. In this sample rows that are equal, label
    included, are put into the same fold, so that no copy of a tested record was learnt from.
    """
    if twins is not None:
        training_rows = twins[rows]
        there = training_rows >= 0
        there[there] = task.known_after[training_rows[there]]
        return training_rows[there], fold_of[there]
    training_rows = sample_rows(len(released), most)
    training_rows = training_rows[task.known_after[training_rows]]
    seen, labels = released.take(training_rows), task.after[training_rows]
    has_number = ~np.isnan(seen.numbers)
    whole = np.column_stack([np.where(has_number, seen.numbers, 0.0), has_number, seen.codes, labels])
    _, first, fold_of_distinct = np.unique(whole, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(training_rows):
        return training_rows, stratified_folds(labels, folds)
    order = np.argsort(first)  # records in the order of their first copies
    fold = np.empty(len(first), dtype=np.int64)
    fold[order] = stratified_folds(labels[first[order]], folds)
    return training_rows, fold[fold_of_distinct.reshape(-1)]


def _find_best_constant(labels: Ints, task: Task) -> int:
    """Return the label that is right for most records if it is guessed for all; the lowest of equally good ones.

    In a task with a tolerance a guess is right if the number is at most so far away: of 2, 3, 4 and 9 with tolerance 1
    it is 3. Only labels that occur are tried.
    """
    if not task.tolerance:
        return int(np.argmax(np.bincount(labels, minlength=task.classes)))
    values, counts = np.unique(labels, return_counts=True)
    low = np.searchsorted(values, values - task.tolerance, side="left")
    high = np.searchsorted(values, values + task.tolerance, side="right")
    reached = np.concatenate([[0], np.cumsum(counts)])
    return int(values[np.argmax(reached[high] - reached[low])])


class _Tally:
    """Counts correct guesses and tested records for each fold."""

    def __init__(self, folds: int) -> None:
        """Start with no guess in any fold."""
        self._right = {name: np.zeros(folds) for name in ("baseline", "original", "true", "shown")}
        self._tested = {name: np.zeros(folds) for name in self._right}

    def add(self, name: str, fold: int, hits: Bools) -> None:
        """Add the tested records of one fold to a figure; ``hits`` flags the correct guesses.

        ``name`` is one of ``baseline``, ``original``, ``true`` (released, true labels) and ``shown`` (released labels).
        """
        self._right[name][fold] += np.count_nonzero(hits)
        self._tested[name][fold] += len(hits)

    def figure(self, name: str, method: LazyText, *notes: Sentence | None) -> Figure:
        """Return the share of correct guesses under this name, with a 95 % interval from the spread of the folds.

        The interval is by Student's t and cut at 0 and 1. There is none where only one fold was tested, and the figure
        is absent where no record was. ``method`` and ``notes`` go into the figure. ``name`` is ``baseline``,
        ``original``, ``true`` or ``shown``, as in ``add``.
        """
        right, tested = self._right[name], self._tested[name]
        n = int(tested.sum())
        if not n:
            return Figure.absent(lazy("no released record to learn from or to test"), unit=SHARE_RIGHT)
        value = float(right.sum() / n)
        used = tested > 0
        low = high = None
        if used.sum() > 1:
            folds = int(used.sum())
            reach = _compute_t_quantile(folds - 1) * float((right[used] / tested[used]).std(ddof=1)) / folds**0.5
            low, high = max(0.0, value - reach), min(1.0, value + reach)
        return Figure(value, low, high, n, SHARE_RIGHT, method, join_remarks(*notes))


def _compute_t_quantile(freedom: int) -> float:
    """Return the 0.975 quantile of Student's t distribution with so many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))
