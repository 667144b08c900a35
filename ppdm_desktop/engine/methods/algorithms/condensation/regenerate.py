"""Draws new records from a group's statistics, independently along its eigenvectors.

C. C. Aggarwal and P. S. Yu, SIAM SDM 2005, section 2.1: x = m + sum u_j e_j with u_j uniform of variance l_j. The new
records depend on the old ones through mean and covariance alone, so no new record belongs to an old one, and their
order means nothing. A group of n <= d records has a covariance without extent in some directions: new records would
lie in the plane of the old ones (two records: on the line through both). There the floor adds a share of what groups
have on average (``FLOOR_SHARE`` of the pooled within-group covariance).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.moments import axes
from ppdm_desktop.engine.randomness import RandomStream, StepStream

UNIFORM, GAUSSIAN = "uniform", "gaussian"
Shape = Literal["uniform", "gaussian"]
DrawAgain = Callable[[Ints, Floats, Floats, Floats], Floats]
FLOOR_SHARE = 0.25
_CELLS = 4_000_000
"""Numbers in memory at a time for the axes of a batch of records."""


def unit_draws(streams: StepStream, rows: int, width: int, shape: Shape) -> Floats:
    """Return independent numbers of mean 0 and variance 1, shape (rows, width), one random stream for each axis."""
    drawn = np.empty((rows, width))
    for axis in range(width):
        progress.report(axis / max(width, 1), "progress.condensing.regenerate")
        drawn[:, axis] = unit_numbers(streams.stream(f"axis {axis}"), rows, shape)
    return drawn


def unit_numbers(stream: RandomStream, count: int, shape: Shape) -> Floats:
    """Return independent numbers of mean 0 and variance 1, shape (count,)."""
    return stream.normal(count) if shape == GAUSSIAN else np.sqrt(12.0) * (stream.uniform(count) - 0.5)


def floored(covariance: Floats, flat: Bools, inside: Floats, share: float = FLOOR_SHARE) -> Floats:
    """Return covariances with extent added to flat groups in the directions where they have almost none.

    In the plane P of a group's axes whose variance is below ``share`` of the average within
    groups, ``share`` times the within-group covariance seen in that plane is added: C + s P W P.
    What is constant in the whole table stays constant.

    Parameters
    ----------
    covariance
        Shape (groups, d, d).
    flat
        The groups to treat.
    inside
        The pooled within-group covariance, shape (d, d).
    """
    if not flat.any():
        return covariance
    chosen = covariance[flat]
    values, vectors = np.linalg.eigh(chosen)
    average = (vectors * (inside @ vectors)).sum(axis=1)
    thin = vectors * (values < share * average)[:, None, :]
    plane = thin @ thin.transpose(0, 2, 1)
    result = covariance.copy()
    added = share * (plane @ inside @ plane)
    result[flat] = chosen + (added + added.transpose(0, 2, 1)) / 2
    return result


def regenerated(
    mean: Floats, covariance: Floats, group: Ints, drawn: Floats, draw_again: DrawAgain | None = None
) -> Floats:
    """Return a new record for each row, drawn from the statistics of the row's group; shape (rows, d).

    Parameters
    ----------
    mean, covariance
        Shapes (groups, d) and (groups, d, d).
    group
        Each row's group.
    drawn
        Shape (rows, d): numbers of mean 0 and variance 1; column j goes along the axis with
        the j-th smallest variance.
    draw_again
        Takes rows, their new records, means and axes, and returns the records with those that do not fit drawn again.
    """
    rows, width = drawn.shape
    result = np.empty((rows, width))
    if not width:
        return result
    order = np.argsort(group, kind="stable")
    at_once = max(1_000, _CELLS // max(width * width, 1))
    for start in range(0, rows, at_once):
        progress.report(start / rows, "progress.condensing.regenerate")
        chosen = order[start : start + at_once]
        first, last = int(group[chosen[0]]), int(group[chosen[-1]])
        values, vectors = axes(covariance[first : last + 1])
        loading = vectors * np.sqrt(values)[:, None, :]
        turned = loading.transpose(0, 2, 1)[group[chosen] - first]
        centre = mean[group[chosen]]
        made = centre + (drawn[chosen][:, None, :] @ turned)[:, 0, :]
        result[chosen] = made if draw_again is None else draw_again(chosen, made, centre, turned)
    return result
