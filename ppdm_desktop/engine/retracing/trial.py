"""Tries to retrace a swap while it is being made: by naive Bayes, and by gradient boosting on a sample.

A search can thus measure beforehand, on the values it would release, what an attack on the finished release
(``release/attack_audit/rank.py``) will find. The control is the same model's guess without the person's own record.

Retraces swaps with naive Bayes: guesses which records were changed and what their true values were.

A swap that does least harm changes the records whose value fits them least. An intruder who fits naive Bayes to the
released records finds just these records: the released values that fit worst are taken for changed and replaced by
the value that fits best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats, Ints, find_first_largest, on_grid
from ppdm_desktop.engine.figure import wilson
from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.randomness import RandomStream

SURE = 0.95
_ROWS = 65_536


@dataclass(frozen=True, eq=False)
class Retraced:
    """An intruder's guesses for the attacked records of a swap.

    Attributes
    ----------
    guess
        int64, shape (attacked records,): guessed true category. Of two categories, equally many records are
        taken to have left each.
    guess_of_all
        int64, shape (attacked records,): the guess when the worst-fitting of all records are taken for changed,
        whatever their category: where groups were made to change, the numbers need not balance.
    alone
        int64, shape (attacked records,): the control's guess, by naive Bayes without the person's own released record.
    fit
        float64: probability of the released category less that of the best other one. Lowest means
        most likely swapped.
    margin
        float64: probability that the control assigns to its guess.
    """

    guess: Ints
    guess_of_all: Ints
    alone: Ints
    fit: Floats
    margin: Floats


def log_posteriors(
    unchanged: Sequence[Ints],
    labels: Ints,
    categories: int,
    rows: Ints,
    *,
    smoothing: float,
    leave_out: bool,
    views: Sequence[Ints] = (),
) -> Floats:
    """Return log P(category | columns) by naive Bayes up to a constant of the record, shape (len(rows), categories).

    -inf where a category is impossible: without smoothing, where a value never occurs with it. Records without a
    category (-1) are not counted.

    Parameters
    ----------
    unchanged
        Codes of each column, shape (records,), -1 where missing: a value of its own.
    labels
        Category each record shows, -1 where missing.
    categories
        Number of categories.
    rows
        Row indexes of the records asked for.
    smoothing
        Added to every count; above 0 where records are left out of the counts.
    leave_out
        Whether each record is taken out of the counts it is judged by.
    views
        Where categories are combinations of several columns' values: the category of each column in every one. Each
        column of ``unchanged`` is then paired with each of these, and combinations are likely as often as they occur.
    """
    seen = labels >= 0
    seen_labels = labels[seen]
    counts = np.bincount(seen_labels, minlength=categories).astype(np.float64)
    tables = []
    for codes in unchanged:
        width = int(codes.max(initial=-1)) + 2
        for view in views or (None,):
            value, many = (
                (seen_labels, categories) if view is None else (view[seen_labels], int(view.max(initial=0)) + 1)
            )
            cells = np.bincount((codes[seen] + 1) * many + value, minlength=width * many)
            tables.append((codes, width, view, cells.reshape(width, many).astype(np.float64)))
        progress.check()
    log_of_rows = np.empty((len(rows), categories))
    for start in range(0, len(rows), _ROWS):
        progress.check()
        here = rows[start : start + _ROWS]
        own_label = np.zeros((len(here), categories))
        if leave_out:
            own_label[np.flatnonzero(labels[here] >= 0), labels[here][labels[here] >= 0]] = 1.0
        total = counts - own_label
        with np.errstate(divide="ignore"):
            log = np.log(total + smoothing)
            for codes, width, view, table in tables:
                part, less = (total, own_label) if view is None else _fold_counts(view, counts, own_label)
                # A category that no record shows is impossible, whatever is divided by.
                all_of = part + smoothing * width
                of_value = np.log(table[codes[here] + 1] - less + smoothing) - np.log(np.where(all_of > 0, all_of, 1.0))
                log += of_value if view is None else of_value[:, view]
        log_of_rows[start : start + _ROWS] = log
    return log_of_rows


def _fold_counts(view: Ints, counts: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return for each record the counts of one column's values without the record, and the record's own part in them.

    Both have shape (records, values of the column).

    Parameters
    ----------
    view
        The column's value in each combination, shape (combinations,).
    counts
        How often each combination occurs, shape (combinations,).
    values
        Each record's own part in these counts, shape (records, combinations).
    """
    into = np.eye(int(view.max(initial=0)) + 1)[view]
    less = values @ into
    return counts @ into - less, less


def retrace(
    unchanged: Sequence[Ints], released: Ints, categories: int, rows: Ints, changed: int, views: Sequence[Ints] = ()
) -> Retraced:
    """Return an intruder's guesses of the true categories of ``rows`` in one swapped column, in the order of ``rows``.

    Parameters
    ----------
    unchanged
        Codes of the columns the intruder fits simple Bayes to, as released.
    released
        Category every record shows, -1 where missing.
    categories
        Number of categories.
    rows
        Row indexes of records known to have taken part (unique in the released columns, with a value).
    changed
        How many of them were changed, as the parameters say.
    views
        As for ``log_posteriors``.
    """
    log = log_posteriors(unchanged, released, categories, rows, smoothing=0.0, leave_out=False, views=views)
    guess, guess_of_all, fit = replace_worst_fitting(to_probabilities(log), released[rows], changed)
    without = log_posteriors(unchanged, released, categories, rows, smoothing=0.5, leave_out=True, views=views)
    alone = to_probabilities(without)
    return Retraced(guess, guess_of_all, find_first_largest(alone), fit, alone.max(axis=1))


def flag_sure_correct_guesses(right: Floats, rank: Floats, strata: int = 40) -> Floats:
    """Return 1 for each correct guess in a stratum with at least 95 % correct guesses, else 0; float, shape (records,).

    Such guesses are certain: the intruder knows how often records of the same rank are guessed right. Empty for no
    records.

    Parameters
    ----------
    right
        1 where the guess is right, else 0, shape (records,).
    rank
        The figure by which the intruder ranks records, shape (records,).
    strata
        Number of nearly equal parts that the records are split into by rank, ties by row; at most one a record.
    """
    if not len(right):
        return right
    stratum = np.empty(len(right), dtype=np.int64)
    stratum[np.argsort(on_grid(rank), kind="stable")] = np.arange(len(right)) * min(strata, len(right)) // len(right)
    share = np.bincount(stratum, right) / np.bincount(stratum)
    return np.asarray(right * (share[stratum] >= SURE - GRID))


def replace_worst_fitting(fitted: Floats, released: Ints, changed: int) -> tuple[Ints, Ints, Floats]:
    """Return guesses in which the worst-fitting released values are replaced by the best-fitting ones.

    Parameters
    ----------
    fitted
        P(category) of each attacked record by a model of the release, shape (records, categories).
    released
        Released category of each attacked record.
    changed
        Number of records known to have been changed; below 0 counts as 0, and above the number of records as all.

    Returns
    -------
    tuple
        The guessed category if both of two values changed equally often; the guess if the worst-fitting of all records
        changed; and the probability of the released value less that of the best other one (the probability itself with
        one category). Each of shape (records,). Records not taken for changed keep the released category as their
        guess; ties go to the lower row.
    """
    categories = fitted.shape[1]
    places = np.arange(len(released))
    own_fit = fitted[places, released]
    other_fits = fitted.copy()
    other_fits[places, released] = -1.0
    best = find_first_largest(other_fits)
    fit = np.asarray(own_fit - other_fits[places, best] if categories > 1 else own_fit)
    guess, guess_of_all, rounded = released.copy(), released.copy(), on_grid(fit)
    for guessed, flipped in (
        (guess, _find_worst_fits(rounded, released, changed, categories)),
        (guess_of_all, np.argsort(rounded, kind="stable")[: min(max(changed, 0), len(fit))]),
    ):
        guessed[flipped] = best[flipped]
    return guess, guess_of_all, fit


def to_probabilities(log: Floats) -> Floats:
    """Return probabilities, shape (records, categories), from logarithms known up to a constant for each record.

    Each row sums to 1; all are 0 in a row where no category is possible.
    """
    highest = log.max(axis=1, keepdims=True)
    weights = np.exp(log - np.where(np.isfinite(highest), highest, 0.0))
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1.0))


def _find_worst_fits(fit: Floats, released: Ints, changed: int, categories: int) -> Ints:
    """Return the indexes of the ``changed`` records with the lowest ``fit``, which are taken for changed.

    With two categories, half of ``changed`` (rounded down) are those of lowest fit released as category 0, and the rest
    those of lowest fit released as category 1; fewer come back where a category has fewer records. With more categories
    the lowest of all come back, lowest first. Ties go to the lower index.
    """
    changed = min(max(changed, 0), len(fit))
    if categories != 2:
        return np.argsort(fit, kind="stable")[:changed]
    halves = []
    for value, many in ((0, changed // 2), (1, changed - changed // 2)):
        there = np.flatnonzero(released == value)
        halves.append(there[np.argsort(fit[there], kind="stable")[:many]])
    return np.concatenate(halves)


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
        """Success less the upper end of the control's interval; negative where the success is below this end."""
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
        """Draw the records and folds that boosting learns from; nothing is attacked yet."""
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
        """Return the most successful attack on ``released`` by naive Bayes fitted to all released records (`retrace`).

        ``released`` holds the released category of each record, -1 where missing. Most successful is the attack whose
        success is furthest above its control's interval; of columns swapped as one, the combination and each column are
        attacked.
        """
        tried = [self._try_naive_bayes(self._truth, released, self._categories, self._views)]
        for view in self._views:
            own_values, released_values = _take_column_codes(view, self._truth), _take_column_codes(view, released)
            tried.append(self._try_naive_bayes(own_values, released_values, int(view.max()) + 1))
        return max(tried, key=lambda trial: trial.beyond)

    def _try_naive_bayes(self, of_all: Ints, released: Ints, categories: int, views: Sequence[Ints] = ()) -> Tried:
        """Return the success of naive Bayes against one released column, with that of the control.

        The better of the two guesses of `retrace` counts, and the number of changed records is taken as known.
        ``of_all`` holds the true category of every record and ``released`` the released one; ``views`` as for
        `log_posteriors`.
        """
        rows, truth = self._rows, of_all[self._rows]
        changed = int(np.count_nonzero(released[rows] != truth))
        retraced = retrace(self._known, released, categories, rows, changed, views)
        success = max(float((guess == truth).mean()) for guess in (retraced.guess, retraced.guess_of_all))
        return _build_trial_result(success, float((retraced.alone == truth).mean()), len(rows))

    def by_boosting(self, released: Ints) -> Tried | None:
        """Return the most successful attack by gradient boosting from unchanged columns; None with nobody to attack.

        Where several columns are swapped as one, each has its own model; the probability of a combination is the
        product of its values', weighted by how often it occurs.

        ``released`` holds the released category of each record, -1 where missing. Of many records a sample drawn by the
        key takes part; None where no attacked record is in it.
        """
        sample, here = self._sample, self._targets
        if not len(here):
            return None
        unchanged = [codes[sample] for codes in self._known]
        released_sample, truth = released[sample], self._truth[sample]
        if not self._views:
            fitted = predict_by_boosting(unchanged, released_sample, self._categories, self._fold)[here]
            return _try_fitted_model(fitted, released_sample[here], truth[here])
        counts = np.bincount(released_sample, minlength=self._categories).astype(np.float64)
        joint, trials = np.tile(counts, (len(here), 1)), []
        for view in self._views:
            values = int(view.max()) + 1
            fitted = predict_by_boosting(unchanged, view[released_sample], values, self._fold)[here]
            trials.append(_try_fitted_model(fitted, view[released_sample[here]], view[truth[here]]))
            joint *= (fitted / np.maximum(np.bincount(view, counts, values), 1.0))[:, view]
        total = joint.sum(axis=1, keepdims=True)
        trials.append(_try_fitted_model(joint / np.where(total > 0, total, 1.0), released_sample[here], truth[here]))
        return max(trials, key=lambda trial: trial.beyond)


def _take_column_codes(view: Ints, codes: Ints) -> Ints:
    """Return one column's category of each record's combination, -1 where ``codes`` is below 0.

    ``view`` holds the column's category in each combination.
    """
    return np.where(codes >= 0, view[np.maximum(codes, 0)], -1)


def _try_fitted_model(fitted: Floats, released: Ints, truth: Ints) -> Tried:
    """Return the success of taking the worst-fitting values for changed, with the success of the likeliest values.

    The latter is the control. The better of the two guesses of `replace_worst_fitting` counts; how many values changed
    is known.

    Parameters
    ----------
    fitted
        Probabilities by the model, shape (records, categories).
    released, truth
        Released and true category of each of these records.
    """
    first, second, _ = replace_worst_fitting(fitted, released, int(np.count_nonzero(released != truth)))
    success = max(float((guess == truth).mean()) for guess in (first, second))
    return _build_trial_result(success, float((find_first_largest(fitted) == truth).mean()), len(truth))


def _build_trial_result(success: float, control: float, people: int) -> Tried:
    """Return a success and its control, both shares of ``people``, with the end of the control's 95 % interval."""
    return Tried(success, control, wilson(control, people)[1], people)


FOLDS = 3
_TREES = 60
# Going on with a model costs as much as some trees do, so small tables are learnt in few goes; by records times
# categories.
_GOES = ((2_500, 1), (6_000, 2))
_GOES_OF_MANY = 6
# scikit-learn's limit for a column of categories; longer ones are cut as numbers.
_MOST_CATEGORIES = 255


def predict_by_boosting(unchanged: Sequence[Ints], released: Ints, categories: int, fold: Ints) -> Floats:
    """Return P(category) of each record by a model fitted to the other folds, shape (records, categories).

    No record is guessed from itself: if the released value is taken for true, this is the control; a released value
    that the others contradict may have been swapped.

    Parameters
    ----------
    unchanged
        Codes of each column, shape (records,), -1 where missing.
    released
        Category each record shows; none missing. A category that the other folds never show has probability 0.
    categories
        Number of categories.
    fold
        Fold of each record, from 0; the folds are tested one by one. A record whose fold is the only one keeps zeros.
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
