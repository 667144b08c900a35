"""The Pareto frontier of candidates by risk and usefulness, and the best candidate by a user's weights.

G. T. Duncan, S. A. Keller-McNulty and S. L. Stokes, Disclosure Risk vs. Data Utility: The R-U Confidentiality Map,
Technical Report 2001-142, National Institute of Statistical Sciences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, find_first_largest, on_grid


def flag_pareto_frontier(risk: Floats, usefulness: Floats) -> Bools:
    """Return which points are on the Pareto frontier of low risk and high usefulness, bool, shape (points,).

    Parameters
    ----------
    risk, usefulness
        float64, shape (points,). A risk that was measured with an interval is given by its upper
        end. NaN stands for what was not measured; such a point beats nothing and is never part of
        the frontier.

    Returns
    -------
    Bools
        Shape (points,). Points that are equal in both are all part of it or all not.
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


@dataclass(frozen=True, eq=False)
class Weighed:
    """Candidates scored by a user's weights.

    Attributes
    ----------
    scores
        float64, shape (candidates,): weighted mean of what is good, 0 to 1; NaN where a criterion
        that counts was not measured, and for all where none counts.
    counted
        bool, shape (criteria,): those with a weight that were measured for every candidate that can win.
    winner
        The candidate with the highest score among those that can win (the first of equals), or None.
    """

    scores: Floats
    counted: Bools
    winner: int | None


def weigh(goodness: Floats, weights: Floats, can_win: Bools) -> Weighed:
    """Return the weighted scores of candidates and the best candidate.

    A criterion that was not measured for some candidate that can win would favour or punish it for nothing; it is left
    out for all until it was measured. Where nobody can win, all candidates count so. Without a criterion left, all
    scores are NaN; then, and where nobody who can win has a score, there is no winner.

    Parameters
    ----------
    goodness
        float64, shape (candidates, criteria): 1 best, 0 worst, NaN not measured.
    weights
        float64, shape (criteria,): 0 or more.
    can_win
        bool, shape (candidates,).

    Raises
    ------
    ValueError
        For a negative weight.
    """
    if (weights < 0).any():
        raise ValueError("a weight is 0 or more")
    asked = goodness[can_win] if can_win.any() else goodness
    counted = (weights > 0) & ~np.isnan(asked).any(axis=0)
    if not counted.any():
        return Weighed(np.full(len(goodness), np.nan), counted, None)
    scores = goodness[:, counted] @ (weights[counted] / weights[counted].sum())
    eligible = np.flatnonzero(can_win & ~np.isnan(scores))
    winner = int(eligible[find_first_largest(scores[None, eligible])[0]]) if len(eligible) else None
    return Weighed(scores, counted, winner)
