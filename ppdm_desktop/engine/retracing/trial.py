"""Tries to retrace a swap while it is being made: by naive Bayes, and by gradient boosting on a sample.

A search can thus measure beforehand, on the values it would release, what an attack on the finished release
(``release/attack_audit/rank.py``) will find. The control is the same model's guess without the person's own record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints, first_greatest
from ppdm_desktop.engine.figure import wilson
from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.retracing.naive_bayes import retrace, taken_for_changed

# Records times categories that boosting learns from at most.
_BOOSTED_CELLS = 60_000
_BOOSTED_RECORDS = 20_000


@dataclass(frozen=True)
class Tried:
    """The success of one attack on the unique records, as shares from 0 to 1.

    Attributes
    ----------
    success
        True values found by taking the worst-fitting released values for changed.
    control
        The same model's guesses without the person's own record.
    high
        Upper end of the control's 95 % interval (Wilson).
    people
        Records attacked.
    """

    success: float
    control: float
    high: float
    people: int

    @property
    def beyond(self) -> float:
        """Success less the upper end of the control's interval; negative inside it."""
        return self.success - self.high

    @property
    def gains_nothing(self) -> bool:
        """Whether the success is at most the upper end of the control's interval."""
        return self.success <= self.high


class Trial:
    """Attacks one column as it would be released, knowing the true values.

    Parameters
    ----------
    unchanged
        Codes of each attribute, shape (records,), -1 where missing.
    truth
        True category of each record, -1 where missing.
    categories
        Number of categories.
    rows
        The unique records, which are attacked; each has a value.
    stream
        Draws the folds and, of many records, those that boosting learns from.
    views
        Where several columns are swapped as one, and categories are combinations: the category of each column in
        every one. Then the combination and each column are attacked, and the most successful attempt counts.
    """

    def __init__(
        self,
        unchanged: Sequence[Ints],
        truth: Ints,
        categories: int,
        rows: Ints,
        stream: RandomStream,
        views: Sequence[Ints] = (),
    ) -> None:
        self._known, self._truth, self._categories, self._rows = unchanged, truth, categories, rows
        self._views = tuple(views)
        held = np.flatnonzero(truth >= 0)
        most = min(_BOOSTED_RECORDS, _BOOSTED_CELLS // max(categories, 1))
        order = held[stream.permutation(len(held))][:most]
        self._sample = np.sort(order)
        fold = np.empty(len(truth), dtype=np.int64)
        fold[order] = np.arange(len(order)) % FOLDS
        self._fold = fold[self._sample]
        attacked = np.zeros(len(truth), dtype=np.bool_)
        attacked[rows] = True
        self._targets = np.flatnonzero(attacked[self._sample])

    def by_bayes(self, released: Ints) -> Tried:
        """Return the most successful attack by naive Bayes fitted to all released records (``naive_bayes.retrace``)."""
        tried = [self._bayes(self._truth, released, self._categories, self._views)]
        for view in self._views:
            own_values, released_values = _seen(view, self._truth), _seen(view, released)
            tried.append(self._bayes(own_values, released_values, int(view.max()) + 1))
        return max(tried, key=lambda trial: trial.beyond)

    def _bayes(self, of_all: Ints, released: Ints, categories: int, views: Sequence[Ints] = ()) -> Tried:
        """Attack a released column by Bayes' rule, and return its success with that of the control."""
        rows, truth = self._rows, of_all[self._rows]
        changed = int(np.count_nonzero(released[rows] != truth))
        retraced = retrace(self._known, released, categories, rows, changed, views)
        success = max(float((guess == truth).mean()) for guess in (retraced.guess, retraced.guess_of_all))
        return _tried(success, float((retraced.alone == truth).mean()), len(rows))

    def by_boosting(self, released: Ints) -> Tried | None:
        """Return the most successful attack by gradient boosting from unchanged columns; None with nobody to attack.

        Where several columns are swapped as one, each has its own model; the probability of a combination is the
        product of its values', weighted by how often it occurs.
        """
        sample, here = self._sample, self._targets
        if not len(here):
            return None
        unchanged = [codes[sample] for codes in self._known]
        released_sample, truth = released[sample], self._truth[sample]
        if not self._views:
            fitted = boosted_shares(unchanged, released_sample, self._categories, self._fold)[here]
            return _boosted(fitted, released_sample[here], truth[here])
        counts = np.bincount(released_sample, minlength=self._categories).astype(np.float64)
        joint, trials = np.tile(counts, (len(here), 1)), []
        for view in self._views:
            values = int(view.max()) + 1
            fitted = boosted_shares(unchanged, view[released_sample], values, self._fold)[here]
            trials.append(_boosted(fitted, view[released_sample[here]], view[truth[here]]))
            joint *= (fitted / np.maximum(np.bincount(view, counts, values), 1.0))[:, view]
        total = joint.sum(axis=1, keepdims=True)
        trials.append(_boosted(joint / np.where(total > 0, total, 1.0), released_sample[here], truth[here]))
        return max(trials, key=lambda trial: trial.beyond)


def _seen(view: Ints, codes: Ints) -> Ints:
    """Return one column's category of each combination, -1 where missing."""
    return np.where(codes >= 0, view[np.maximum(codes, 0)], -1)


def _boosted(fitted: Floats, released: Ints, truth: Ints) -> Tried:
    """Return the success of taking the worst-fitting values for changed, given a model's probabilities."""
    first, second, _ = taken_for_changed(fitted, released, int(np.count_nonzero(released != truth)))
    success = max(float((guess == truth).mean()) for guess in (first, second))
    return _tried(success, float((first_greatest(fitted) == truth).mean()), len(truth))


def _tried(success: float, control: float, people: int) -> Tried:
    """Return a success and its control, with the control's upper end."""
    return Tried(success, control, wilson(control, people)[1], people)


FOLDS = 3
_TREES = 60
# Going on with a model costs as much as some trees do, so small tables are learnt in few goes; by records times
# categories.
_GOES = ((2_500, 1), (6_000, 2))
_GOES_OF_MANY = 6
# scikit-learn's limit for a column of categories; longer ones are cut as numbers.
_MOST_CATEGORIES = 255


def boosted_shares(unchanged: Sequence[Ints], released: Ints, categories: int, fold: Ints) -> Floats:
    """Return P(category) of each record by a model fitted to the records of the other folds.

    No record is guessed from itself: if the released value is taken for true, this is the control; a released value
    that the others contradict may have been swapped. float64, shape (records, categories).

    Parameters
    ----------
    unchanged
        Codes of each column, shape (records,), -1 where missing.
    released
        Category each record shows; none missing.
    categories
        Number of categories.
    fold
        Fold of each record, from 0; the folds are tested one by one.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # late: it takes long to load

    matrix = np.column_stack([codes + 1 for codes in unchanged]).astype(np.float64)
    few = [index for index, codes in enumerate(unchanged) if int(codes.max(initial=0)) + 2 <= _MOST_CATEGORIES]
    shares = np.zeros((len(released), categories))
    for fold_number in range(int(fold.max(initial=-1)) + 1):
        learnt, asked = np.flatnonzero(fold != fold_number), np.flatnonzero(fold == fold_number)
        if not len(asked) or not len(learnt):
            continue
        held = np.unique(released[learnt])
        if len(held) == 1:
            shares[asked, held[0]] = 1.0
            continue
        model = HistGradientBoostingClassifier(
            random_state=0, early_stopping=False, warm_start=True, categorical_features=few or None
        )
        # Going on gives the same trees as growing them all at once, and the stop sign is looked at between.
        goes = next((few for most, few in _GOES if len(learnt) * len(held) <= most), _GOES_OF_MANY)
        for trees in range(_TREES // goes, _TREES + 1, _TREES // goes):
            progress.check()
            with one_thread():
                model.set_params(max_iter=trees).fit(matrix[learnt], released[learnt])
        with one_thread():
            shares[np.ix_(asked, held)] = model.predict_proba(matrix[asked])
    return shares
