"""Retracing swaps by gradient boosting, which sees what several columns say together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.progress import Progress

FOLDS = 3
_TREES = 60
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
        Checked every tenth of a model.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # late: it takes long to load
    from threadpoolctl import threadpool_limits

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
        for trees in range(_TREES // 10, _TREES + 1, _TREES // 10):
            progress.check()
            with threadpool_limits(1):
                model.set_params(max_iter=trees).fit(matrix[learnt], released[learnt])
        with threadpool_limits(1):
            found[np.ix_(asked, held)] = model.predict_proba(matrix[asked])
    return found
