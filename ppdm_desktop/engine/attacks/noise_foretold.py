"""Beliefs about noisy values where other released columns predict each of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.doubt import PROVED, Doubts
from ppdm_desktop.engine.attacks.noise_belief import BELIEFS_AT_ONCE, NoiseBelief, least_doubt
from ppdm_desktop.engine.attacks.noise_prior import cells_over, held_out_stop
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, NoisyColumn

MIRRORS = 8
"""Number of groups of similar predictions that share one reflection point when a distribution is rebuilt."""
RESIDUALS_IN_SD = 256
"""Residuals of predictions are distinguished in steps of the noise's standard deviation over this."""
PAIRS_IN_SD = 32
"""The same number for pairs of a value and its prediction."""
_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Foretold:
    """Beliefs of an intruder who predicts each value from other columns.

    Attributes
    ----------
    means
        Expected true value of each person, shape (people,).
    doubts
        Doubts of the intruder who knows which row is whose.
    """

    means: Floats
    doubts: Doubts


def beliefs_beyond_prediction(column: NoisyColumn, predicted: Floats, base: NoiseBelief) -> Foretold:
    """Return beliefs about the difference of truth and prediction, from the released value minus the prediction.

    Parameters
    ----------
    column
        The noisy column.
    predicted
        What the other released columns foretell of each released value, shape (people,).
    base
        Beliefs without that; their prior is the control.

    Notes
    -----
    The cells of phase 2 have no common place once something else is taken off each value: the draw inside them
    counts as more noise, uniform over one cell. Nor has the place where noise is reflected: the distribution is
    rebuilt with one for each of a few groups of like predictions, and each belief is worked out with its own.
    """
    column = column.as_it_shows()
    truth, released = column.truth - predicted, column.shown - predicted
    low, high = float(truth.min()), float(truth.max())
    points = min(max(int(math.ceil((high - low) / column.step)) + 1, 3), column.most_cells + 1)
    grid = np.linspace(low, max(high, low + column.step), points)
    prior = _prior_of_rest(column, predicted, released, grid)
    half = max(column.step / 2, float(column.truth.std()) / 20) + 1e-9 * column.step
    first = np.searchsorted(grid, grid - half, side="left")
    behind = np.searchsorted(grid, grid + half, side="right")
    people = len(released)
    means, ratio = np.zeros(people), np.ones(people)
    guess, proved = np.zeros(people, np.int64), np.zeros(people, np.bool_)
    at_once = max(1, BELIEFS_AT_ONCE // len(grid))
    for level_index, level in enumerate(column.levels):
        level_rows = np.flatnonzero(column.level == level_index)
        standing, alike = _alike(released[level_rows], predicted[level_rows], level.law.sd / PAIRS_IN_SD)
        whole, level_rows = level_rows, level_rows[standing]
        # Values that noise cannot distinguish share their beliefs, so that these are worked out once.
        apart = level.law.sd / RESIDUALS_IN_SD
        steps = np.rint(released[level_rows] / apart).astype(np.int64)
        order = np.argsort(steps, kind="stable")
        for begin in range(0, len(level_rows), at_once):
            progress.check()
            here = level_rows[order[begin : begin + at_once]]
            if column.mirror is None:
                values, back = np.unique(steps[order[begin : begin + at_once]], return_inverse=True)
                rows = _posteriors(level, np.asarray(values * apart, dtype=np.float64), grid, prior, column.step)
            else:
                # Each prediction moves the mirror to another place: no two people share a belief.
                back = np.arange(len(here))
                rows = _posteriors(
                    level, released[here], grid, prior, column.step, mirror=column.mirror - predicted[here, None]
                )
            means[here] = predicted[here] + (rows @ grid)[back]
            sums = np.zeros((len(rows), len(grid) + 1))
            np.cumsum(rows, axis=1, out=sums[:, 1:])
            left = 1.0 - np.clip(sums[:, behind] - sums[:, first], 0.0, 1.0)
            before = 1.0 - base.prior_within(predicted[here, None] + grid[None], half)
            guess[here], ratio[here] = least_doubt(left[back], before)
            proved[here] = left[back, guess[here]] <= 1 - PROVED
        means[whole] = predicted[whole] + (means[level_rows] - predicted[level_rows])[alike]
        for figures in (ratio, guess, proved):
            figures[whole] = figures[level_rows][alike]
    right = np.abs(grid[guess] - truth) <= half + (grid[1] - grid[0]) / 2
    return Foretold(means, Doubts(ratio, np.asarray(right), proved))


def _prior_of_rest(column: NoisyColumn, predicted: Floats, values: Floats, grid: Floats) -> Floats:
    """Return the distribution of truth minus prediction, rebuilt from released value minus prediction; shape (T,)."""
    finest = max(column.step * 1e-3, (values.max() - values.min()) / column.most_cells)
    edges = cells_over(values, finest, column.most_cells)
    mirrors, group = _mirrors(column, predicted)
    coarse, counts = [], []
    for level_index, level in enumerate(column.levels):
        straight = _smeared(level, edges[:, None] - grid[None])
        for number, mirror in enumerate(mirrors):
            level_values = values[(column.level == level_index) & (group == number)]
            if not len(level_values):
                continue
            below = straight
            if mirror is not None:
                below, above = np.zeros_like(straight), edges > mirror
                turned = _smeared(level, 2.0 * mirror - edges[above, None] - grid[None])
                below[above] = np.clip(straight[above] - turned, 0.0, 1.0)
            below[0], below[-1] = 0.0, 1.0
            coarse.append(np.diff(below, axis=0) * (len(level_values) / len(values)))
            at = np.clip(np.searchsorted(edges, level_values, side="right") - 1, 0, len(edges) - 2)
            counts.append(np.bincount(at, minlength=len(edges) - 1).astype(np.float64))
    return held_out_stop(np.concatenate(counts), np.concatenate(coarse))


def _alike(values: Floats, predicted: Floats, apart: float) -> tuple[Ints, Ints]:
    """Return the indexes of representatives of equal rounded (value, prediction) pairs, and each person's of them."""
    rest, foretold = (np.rint(numbers / apart).astype(np.int64) for numbers in (values, predicted))
    rest -= rest.min(initial=0)
    _, first, alike = np.unique(
        foretold * (int(rest.max(initial=0)) + 1) + rest, return_index=True, return_inverse=True
    )
    return first, alike.reshape(-1)


def _mirrors(column: NoisyColumn, predicted: Floats) -> tuple[list[float | None], Ints]:
    """Return the reflection points relative to predictions, by group of similar ones, and each person's group."""
    if column.mirror is None:
        return [None], np.zeros(len(predicted), dtype=np.int64)
    ends = np.unique(np.quantile(predicted, np.arange(1, MIRRORS) / MIRRORS))
    group = np.searchsorted(ends, predicted, side="right").astype(np.int64)
    sums, sizes = np.bincount(group, predicted, len(ends) + 1), np.bincount(group, minlength=len(ends) + 1)
    return [column.mirror - total / max(size, 1) for total, size in zip(sums, sizes, strict=True)], group


def _posteriors(
    level: LevelNoise, values: Floats, grid: Floats, prior: Floats, step: float, mirror: Floats | None = None
) -> Floats:
    """Return the belief in each point of the grid given each value; shapes (R,), (T,), (T,) to (R, T).

    Where noise is reflected, ``mirror`` has shape (R, 1), and no truth lies below it.
    """
    apart = values[:, None] - grid[None]
    width = max(level.cell, step) / 2
    rows = level.law.cumulative(apart + width) - level.law.cumulative(apart - width)
    if mirror is not None:
        turned = 2.0 * mirror - values[:, None] - grid[None]
        rows += level.law.cumulative(turned + width) - level.law.cumulative(turned - width)
        above = np.inf if level.law.period is None else mirror + level.law.period / 2
        rows *= (grid[None] >= mirror) & (grid[None] <= above)
    rows *= prior
    total = rows.sum(axis=1, keepdims=True)
    return np.where(total > _TINY, rows / np.maximum(total, _TINY), prior)


def _smeared(level: LevelNoise, u: Floats) -> Floats:
    """Return P(noise + draw inside a cell ≤ u), the draw taken as uniform over one cell around the value."""
    half = level.cell / 2
    return np.asarray((level.law.integral(u + half) - level.law.integral(u - half)) / level.cell)
