"""Simple Bayes posteriors of a confidential column (Li & Sarkar 2004, equation 10)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.identifiability.classes import Classes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer]


def posterior(quasi: Sequence[Codes], truth: Codes, categories: int, classes: Classes, rows: Ints) -> Floats:
    """Estimate P(category | quasi-identifiers) for some records.

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

    Returns
    -------
    Array of shape (wanted, categories), each row summing to 1.
    """
    # One computation for each distinct pattern: equal patterns get equal bits, hence equal costs.
    _, first, which = np.unique(classes.ids[rows], return_index=True, return_inverse=True)
    patterns = rows[first]
    known = truth >= 0
    labels = truth[known].astype(np.int64)
    counts = np.bincount(labels, minlength=categories)
    log_joint = np.tile(np.log(counts) - np.log(len(labels)), (len(patterns), 1))
    for codes in quasi:
        shifted = codes.astype(np.int64) + 1
        width = int(shifted.max(initial=0)) + 1
        cells = np.bincount(shifted[known] * categories + labels, minlength=width * categories)
        with np.errstate(divide="ignore"):
            conditional = np.log(cells.reshape(width, categories)) - np.log(counts)
        log_joint += conditional[shifted[patterns]]
    # A record's own category was seen with each of its values, so no row is -inf throughout.
    log_joint -= log_joint.max(axis=1, keepdims=True, initial=-np.inf)
    shares = np.exp(log_joint)
    shares /= shares.sum(axis=1, keepdims=True)
    return np.asarray(shares[which.reshape(-1)])


def posterior_drop(probabilities: Floats, truth: Codes) -> Floats:
    """Return d(t, c) = p(t | x) - p(c | x), the cost of releasing c for t (equation 11).

    Parameters
    ----------
    probabilities
        Posteriors, shape (records, categories).
    truth
        True category of the same records.
    """
    own = probabilities[np.arange(len(truth)), truth]
    return np.asarray(own[:, None] - probabilities)
