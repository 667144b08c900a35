"""Naive Bayes posteriors of a confidential column (Li & Sarkar 2004, equation 10)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes

_CHUNK = 65_536


def posterior(
    quasi: Sequence[AnyInts],
    truth: AnyInts,
    categories: int,
    classes: Classes,
    rows: Ints,
    weights: Floats | None = None,
    views: Sequence[Ints] = (),
) -> Floats:
    """Return estimates of P(category | quasi-identifiers) for some records, float64, shape (wanted, categories).

    Priors and conditionals are relative frequencies over all records that have a value in
    the confidential column, identifiable or not, the record itself included, without
    smoothing; this reproduces the paper's Table 3 (its Appendix B misprints one count).

    Parameters
    ----------
    quasi
        Codes of each quasi-identifier, shape (records,) each, -1 where missing: a value of its own.
    truth
        Category of each record, -1 where missing.
    categories
        Number of categories, each held by at least one record.
    classes
        Records grouped by equal quasi-identifiers.
    rows
        Records whose posterior is wanted, shape (wanted,); each must have a value.
    weights
        What each record counts for, above 0; 1 where left out.
    views
        Where categories are combinations of several columns' values: the category of each column in every one. Then
        P(combination | x) is in proportion to P(combination) · Π P(x | value) over all pairs of an attribute and a
        column, for a combination itself is seen too rarely with each value of an attribute.

    Returns
    -------
    Array of shape (wanted, categories), each row summing to 1.
    """
    present = truth >= 0
    labels = truth[present].astype(np.int64)
    weighing = None if weights is None else weights[present]
    counts = np.bincount(labels, weighing, categories)
    total = len(labels) if weighing is None else float(counts.sum())
    tables = []
    for codes in quasi:
        shifted = codes.astype(np.int64) + 1
        width = int(shifted.max(initial=0)) + 1
        for view in views or (None,):
            seen_labels, many = (labels, categories) if view is None else (view[labels], int(view.max(initial=0)) + 1)
            cells = np.bincount(shifted[present] * many + seen_labels, weighing, width * many)
            of_value = counts if view is None else np.bincount(view, counts, many)
            with np.errstate(divide="ignore"):
                table = np.log(cells.reshape(width, many)) - np.log(of_value)
            tables.append((shifted, table if view is None else table[:, view]))
        progress.check()
    # One computation for each distinct pattern: equal patterns get equal bits, hence equal costs.
    ids = classes.ids[rows]
    first = np.full(classes.count, -1, dtype=np.int64)
    first[ids[::-1]] = rows[::-1]
    patterns = first[first >= 0]
    class_index = np.cumsum(first >= 0) - 1
    shares = np.empty((len(patterns), categories))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Where nobody has a value there is no row to work out either.
        prior = np.log(counts) - np.log(total)
    for start in range(0, len(patterns), _CHUNK):
        progress.check()
        here = patterns[start : start + _CHUNK]
        log_joint = np.tile(prior, (len(here), 1))
        for shifted, table in tables:
            log_joint += table[shifted[here]]
        # A record's own category was seen with each of its values, so no row is -inf throughout.
        log_joint -= log_joint.max(axis=1, keepdims=True, initial=-np.inf)
        joint = np.exp(log_joint)
        shares[start : start + _CHUNK] = joint / joint.sum(axis=1, keepdims=True)
    return np.asarray(shares[class_index[ids]])


def posterior_drop(probabilities: Floats, truth: AnyInts) -> Floats:
    """Return d(t, c) = p(t | x) - p(c | x), the cost of releasing c for t (equation 11); (records, categories).

    Parameters
    ----------
    probabilities
        Posteriors, shape (records, categories).
    truth
        True category of the same records.
    """
    true_probability = probabilities[np.arange(len(truth)), truth]
    return np.asarray(true_probability[:, None] - probabilities)
