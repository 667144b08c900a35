"""Retracing swaps by gradient boosting, which sees what several columns say together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.progress import Progress

FOLDS = 3
_TREES = 60
# Going on with a model costs as much as some trees do, so small tables are learnt in few goes; by records times
# categories.
_GOES = ((2_500, 1), (6_000, 2))
_GOES_OF_MANY = 6
# scikit-learn's limit for a column of categories; longer ones are cut as numbers.
_MOST_CATEGORIES = 255


def boosted_shares(known: Sequence[Ints], released: Ints, categories: int, fold: Ints, progress: Progress) -> Floats:
    """Return P(category) of each record by a model of the records of the other folds.

    So no record is guessed by itself: where its released value is taken for true this is what the others tell,
    the control; a released value that the others contradict is one that may have been swapped.

    Parameters
    ----------
    known
        Codes of each column, shape (records,), -1 where missing.
    released
        Category each record shows; none missing.
    categories
        Number of categories.
    fold
        Fold of each record, from 0; the folds are tested one by one.
    progress
        Checked between the parts of a model.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # late: it takes long to load

    matrix = np.column_stack([codes + 1 for codes in known]).astype(np.float64)
    few = [place for place, codes in enumerate(known) if int(codes.max(initial=0)) + 2 <= _MOST_CATEGORIES]
    found = np.zeros((len(released), categories))
    for each in range(int(fold.max(initial=-1)) + 1):
        learnt, asked = np.flatnonzero(fold != each), np.flatnonzero(fold == each)
        if not len(asked) or not len(learnt):
            continue
        held = np.unique(released[learnt])
        if len(held) == 1:
            found[asked, held[0]] = 1.0
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
            found[np.ix_(asked, held)] = model.predict_proba(matrix[asked])
    return found
