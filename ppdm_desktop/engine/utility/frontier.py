"""The Pareto frontier of candidates by risk and usefulness.

G. T. Duncan, S. A. Keller-McNulty and S. L. Stokes, Disclosure Risk vs. Data Utility: The R-U Confidentiality Map,
Technical Report 2001-142, National Institute of Statistical Sciences.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, on_grid


def flag_pareto_frontier(risk: Floats, usefulness: Floats) -> Bools:
    """Return which points are on the Pareto frontier of low risk and high usefulness, bool, shape (points,).

    A point is on it if no other has at most its risk and at least its usefulness, and is better in one of them. Both
    are rounded to multiples of 2^-30 first, so that rounding errors do not count.

    Parameters
    ----------
    risk, usefulness
        float64, shape (points,). Risk and usefulness of each point. A risk measured with an interval is given by its
        upper end. A point with NaN (not measured) dominates no other point and is never on the frontier.

    Returns
    -------
    Bools
        Shape (points,). Of points that are equal in both, either all are on the frontier or none is.
    """
    on_frontier = np.zeros(len(risk), dtype=np.bool_)
    risk, usefulness = on_grid(risk), on_grid(usefulness)
    complete = np.flatnonzero(~(np.isnan(risk) | np.isnan(usefulness)))
    if not len(complete):
        return on_frontier
    order = complete[np.lexsort((-usefulness[complete], risk[complete]))]
    ordered = usefulness[order]
    # The first of each run of equal risk is the run's most useful; only it can stand, with its equals.
    begins = np.flatnonzero(np.append(True, risk[order][1:] != risk[order][:-1]))
    run = np.cumsum(np.bincount(begins, minlength=len(order))) - 1
    most = ordered[begins]
    before = np.append(-np.inf, np.maximum.accumulate(most)[:-1])
    on_frontier[order] = (ordered == most[run]) & (ordered > before[run])
    return on_frontier
