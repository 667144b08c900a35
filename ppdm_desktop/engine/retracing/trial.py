"""Guessing which records a swap changed and what their true values were, by naive Bayes or gradient boosting.

A swap that does least harm changes the records whose value fits them least. An intruder who fits a model to the
released records finds just these: the released values that fit worst are taken for changed and replaced by the value
that fits best. A swap can thus measure beforehand what an attack on the released table
(``release/attack_audit/rank.py``) will find. The control is the same model's guess without the person's own record.
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
    """An intruder's guesses for the attacked records of a swap, with those of the control.

    Attributes
    ----------
    guess
        int64, shape (attacked records,): guessed true category. Where there are two categories, equally many records
        are assumed to have changed from either.
    guess_of_all
        int64, shape (attacked records,): the guess when the worst-fitting of all records are taken for changed,
        whatever their category.
    control_guess
        int64, shape (attacked records,): the control's guess, by naive Bayes without the person's own released record.
    fit
        float64, shape (attacked records,): probability of the released category less that of the best other one. The
        lowest are most likely swapped.
    margin
        float64, shape (attacked records,): probability that the control assigns to its guess.
    """

    guess: Ints
    guess_of_all: Ints
    control_guess: Ints
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

    It is natural, and -inf where a category is impossible: without smoothing, where the category never occurs, or never
    with one of the record's values. Records without a category (-1) are not counted.

    Parameters
    ----------
    unchanged
        Codes of each column, shape (records,), -1 where missing (a value of its own).
    labels
        Category of each record, -1 where missing.
    categories
        Number of categories.
    rows
        Row indices of the records whose probabilities are returned.
    smoothing
        Added to every count, that of a category included; above 0 where records are left out of the counts.
    leave_out
        Whether each record is left out of the counts by which it is judged.
    views
        Where a category is a combination of several columns' values: for each of these columns, its value in every
        combination, shape (categories,). Each column of ``unchanged`` is then paired with each of them, and the prior
        of a combination is how often it occurs.
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
    """Return for each record the counts of one column's values without the record, and what the record adds to them.

    Both have shape (records, values of the column).

    Parameters
    ----------
    view
        The column's value in each combination, shape (combinations,).
    counts
        How often each combination occurs, shape (combinations,).
    values
        What each record adds to these counts, shape (records, combinations).
    """
    into = np.eye(int(view.max(initial=0)) + 1)[view]
    less = values @ into
    return counts @ into - less, less


def retrace(
    unchanged: Sequence[Ints], released: Ints, categories: int, rows: Ints, changed: int, views: Sequence[Ints] = ()
) -> Retraced:
    """Return an intruder's guesses, by naive Bayes, of the true categories of some records of a swapped column.

    They are in the order of ``rows``; the worst-fitting released categories are taken for changed (see
    `replace_worst_fitting`). With them come how well each released category fits, and the control: the guesses without
    the person's own released record, and their probabilities.

    Parameters
    ----------
    unchanged
        Codes of the columns to which the intruder fits naive Bayes, as released, shape (records,) each.
    released
        Released category of each record, -1 where missing.
    categories
        Number of categories.
    rows
        Row indices of the attacked records, which are known to have taken part (unique, with a released category).
    changed
        How many of these the swap changed, which the intruder knows.
    views
        Where a category is a combination of several columns' values: for each of these columns, its value in every
        combination, shape (categories,).
    """
    log = log_posteriors(unchanged, released, categories, rows, smoothing=0.0, leave_out=False, views=views)
    guess, guess_of_all, fit = replace_worst_fitting(to_probabilities(log), released[rows], changed)
    without = log_posteriors(unchanged, released, categories, rows, smoothing=0.5, leave_out=True, views=views)
    chances = to_probabilities(without)
    return Retraced(guess, guess_of_all, find_first_largest(chances), fit, chances.max(axis=1))


def flag_sure_correct_guesses(right: Floats, rank: Floats, strata: int = 40) -> Floats:
    """Return 1 for each correct guess among records of which at least 95 % are guessed right, else 0; shape (records,).

    The records are sorted by ``rank`` and divided into parts of nearly equal size. In a part where 19 of 20 guesses are
    right, these 19 get 1: of such guesses the intruder is sure. Wrong guesses always get 0. Empty without records.

    Parameters
    ----------
    right
        1 where the guess is right, else 0, shape (records,).
    rank
        The figure by which the intruder ranks records, shape (records,).
    strata
        Number of parts into which the records are divided by rank, ties by row; as many as records if these are fewer.
    """
    if not len(right):
        return right
    stratum = np.empty(len(right), dtype=np.int64)
    stratum[np.argsort(on_grid(rank), kind="stable")] = np.arange(len(right)) * min(strata, len(right)) // len(right)
    share = np.bincount(stratum, right) / np.bincount(stratum)
    return np.asarray(right * (share[stratum] >= SURE - GRID))


def replace_worst_fitting(fitted: Floats, released: Ints, changed: int) -> tuple[Ints, Ints, Floats]:
    """Return guesses in which the worst-fitting released values are replaced by the best-fitting ones, and the fits.

    Parameters
    ----------
    fitted
        P(category) of each attacked record by a model of the released table, shape (records, categories).
    released
        Released category of each attacked record, shape (records,); none missing.
    changed
        Number of records known to have been changed; below 0 counts as 0, and above the number of records as all.

    Returns
    -------
    tuple
        Three arrays of shape (records,): the guessed category, assuming for two categories that both changed equally
        often; the guess if the worst-fitting of all records changed; and the probability of the released value less
        that of the best other one (the probability itself with one category). A record taken for changed is guessed to
        have the likeliest other category, all others keep the released one. Ties go to the lower row and category.
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
    """Return probabilities, shape (records, categories), from natural logarithms up to a constant for each record.

    Each row sums to 1: log 1 and log 3, or log 10 and log 30, give 0.25 and 0.75. All are 0 in a row where no category
    is possible (-inf).
    """
    highest = log.max(axis=1, keepdims=True)
    weights = np.exp(log - np.where(np.isfinite(highest), highest, 0.0))
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1.0))


def _find_worst_fits(fit: Floats, released: Ints, changed: int, categories: int) -> Ints:
    """Return the indices of the ``changed`` records with the lowest ``fit``, lowest first; ties go to the lower index.

    With two categories both are taken to have changed equally often: ``changed`` 5 returns the 2 worst-fitting records
    whose released category is 0, then the 3 whose category is 1, each lowest first. Fewer are returned where a category
    has fewer records. ``changed`` below 0 counts as 0, and above the number of records as all.
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
        Share of true values found by taking the worst-fitting released values for changed.
    control
        Share that the same model finds without the person's own record.
    high
        Upper end of the control's 95 % interval (Wilson).
    people
        Number of attacked records.
    """

    success: float
    control: float
    high: float
    people: int

    @property
    def beyond(self) -> float:
        """The success less the upper end of the control's interval; negative where the success is below this end."""
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
        Codes of each column that the swap leaves unchanged, shape (records,), -1 where missing.
    truth
        True category of each record, -1 where missing.
    categories
        Number of categories.
    rows
        Row indices of the unique records, which are attacked; each has a value.
    stream
        Random stream for the folds and for the sample of records that boosting learns from.
    views
        Where several columns are swapped as one, so that a category is a combination of their values: for each of these
        columns, its value in every combination. The combination and each column are then attacked, and the most
        successful attack counts.
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
        """Store the arguments, and draw the records that boosting learns from, with their folds.

        Nothing is attacked yet. The records are those with a true category: all of them, or a random part drawn from
        ``stream`` if they are more than 20,000 or than 60,000 divided by the number of categories. They are divided
        into three folds of about equal size.
        """
        self._unchanged, self._truth, self._categories, self._rows = unchanged, truth, categories, rows
        self._views = tuple(views)
        with_value = np.flatnonzero(truth >= 0)
        most = min(_BOOSTED_RECORDS, _BOOSTED_CELLS // max(categories, 1))
        order = with_value[stream.permutation(len(with_value))][:most]
        self._sample = np.sort(order)
        fold = np.empty(len(truth), dtype=np.int64)
        fold[order] = np.arange(len(order)) % FOLDS
        self._fold = fold[self._sample]
        attacked = np.zeros(len(truth), dtype=np.bool_)
        attacked[rows] = True
        self._targets = np.flatnonzero(attacked[self._sample])

    def attack_by_bayes(self, released: Ints) -> Tried:
        """Return the most successful attack on ``released`` by naive Bayes fitted to all released records (`retrace`).

        ``released`` holds the released category of each record, -1 where missing, which no attacked record may be; at
        least one record must be attacked. Most successful is the attack whose success is furthest above its control's
        interval. If several columns are swapped as one, their combination and each column are attacked.
        """
        tried = [self._try_naive_bayes(self._truth, released, self._categories, self._views)]
        for view in self._views:
            own_values, released_values = _take_column_codes(view, self._truth), _take_column_codes(view, released)
            tried.append(self._try_naive_bayes(own_values, released_values, int(view.max()) + 1))
        return max(tried, key=lambda trial: trial.beyond)

    def _try_naive_bayes(self, of_all: Ints, released: Ints, categories: int, views: Sequence[Ints] = ()) -> Tried:
        """Return the share of true categories that naive Bayes guesses from one released column, and the control's.

        Both are shares of the attacked records. The better of the two guesses of `retrace` counts; the intruder is
        taken to know how many attacked records changed. The upper end of the control's interval and the number of
        attacked records come with them. ``of_all`` holds the true category of every record and ``released`` the
        released one. ``views`` are given where categories are combinations: for each column, its value in every
        combination.
        """
        rows, truth = self._rows, of_all[self._rows]
        changed = int(np.count_nonzero(released[rows] != truth))
        retraced = retrace(self._unchanged, released, categories, rows, changed, views)
        success = max(float((guess == truth).mean()) for guess in (retraced.guess, retraced.guess_of_all))
        return _build_trial_result(success, float((retraced.control_guess == truth).mean()), len(rows))

    def attack_by_boosting(self, released: Ints) -> Tried | None:
        """Return the most successful attack on ``released`` by gradient boosting; None with nobody to attack.

        ``released`` holds the released category of each record; it may be missing (-1) only where the true one is. In a
        large table only the random sample drawn at the start takes part; None where no attacked record is in it. Most
        successful is the attack whose success is furthest above its control's interval. If several columns are swapped
        as one, each is attacked with its own model, and so is their combination, without a further model: its
        probability is in proportion to how often it occurs in the sample's release, times each value's probability
        divided by how often that value occurs.
        """
        sample, here = self._sample, self._targets
        if not len(here):
            return None
        unchanged = [codes[sample] for codes in self._unchanged]
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
    """Return one column's value in the combination of each record, -1 where the record has none.

    ``view`` holds the column's value in each combination, and ``codes`` the combination of each record, below 0 for
    none.
    """
    return np.where(codes >= 0, view[np.maximum(codes, 0)], -1)


def _try_fitted_model(fitted: Floats, released: Ints, truth: Ints) -> Tried:
    """Return the share of true categories that an intruder with a model guesses, with that of the control.

    The intruder guesses which values changed and what they were: the better of the two guesses of
    `replace_worst_fitting` counts, and how many values changed is taken as known. The control guesses the likeliest
    category of each record by the model, whatever was released. The upper end of the control's interval and the number
    of records, at least one, come with them.

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
    """Return the result of an attack from its success and its control, both shares of ``people`` from 0 to 1."""
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
    """Return P(category) of each record by gradient boosting fitted to the other folds, shape (records, categories).

    No record is guessed from itself. A category that the other folds never show has probability 0; if they show only
    one, it has probability 1.

    Parameters
    ----------
    unchanged
        Codes of each column, shape (records,), -1 where missing.
    released
        Released category of each record; none missing.
    categories
        Number of categories.
    fold
        Fold of each record, from 0; each fold is predicted from the others. If there is only one fold, all stay 0.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # late: it takes long to load

    matrix = np.column_stack([codes + 1 for codes in unchanged]).astype(np.float64)
    few = [index for index, codes in enumerate(unchanged) if int(codes.max(initial=0)) + 2 <= _MOST_CATEGORIES]
    shares = np.zeros((len(released), categories))
    for fold_number in range(int(fold.max(initial=-1)) + 1):
        learnt, asked = np.flatnonzero(fold != fold_number), np.flatnonzero(fold == fold_number)
        if not len(asked) or not len(learnt):
            continue
        seen_codes = np.unique(released[learnt])
        if len(seen_codes) == 1:
            shares[asked, seen_codes[0]] = 1.0
            continue
        model = HistGradientBoostingClassifier(
            random_state=0, early_stopping=False, warm_start=True, categorical_features=few or None
        )
        # Going on gives the same trees as growing them all at once, and the stop sign is looked at between.
        goes = next((few for most, few in _GOES if len(learnt) * len(seen_codes) <= most), _GOES_OF_MANY)
        for trees in range(_TREES // goes, _TREES + 1, _TREES // goes):
            progress.check()
            with one_thread():
                model.set_params(max_iter=trees).fit(matrix[learnt], released[learnt])
        with one_thread():
            shares[np.ix_(asked, seen_codes)] = model.predict_proba(matrix[asked])
    return shares
