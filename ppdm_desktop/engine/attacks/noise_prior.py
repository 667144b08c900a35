"""The distribution of true values that an intruder assumes: rebuilt from noisy ones, or known from a register."""

from __future__ import annotations

import math

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats
from ppdm_desktop.engine.attacks.noisy_column import NoisyColumn
from ppdm_desktop.engine.noise.kernels import cumulative_from

MOST_UPDATES = 600
ATOM_PEOPLE, ATOM_SHARE = 5, 0.02
_WORSE = 2
"""After this many worse scores in a row no more updates are tried."""
_TINY = 1e-300
_LEAST_EXPECTED = 1e-150
"""A smaller expected share would make a quotient that no number can hold."""


def rebuilt_prior(column: NoisyColumn) -> Floats:
    """Return the distribution of the true values as anyone can rebuild it from the release, shape (T,).

    The update is that of expectation maximisation over cells. It stops where the distribution rebuilt from one half
    of the counts predicts the other half best: more updates would fit the noise.
    """
    counts, kernels = [], []
    for level_index, level in enumerate(column.levels):
        released = column.shown[column.level == level_index]
        if not len(released):
            continue
        edges = cells_over(released, column.step, column.most_cells)
        below = cumulative_from(level.law, edges[:, None], column.grid[None], column.mirror)
        below[0], below[-1] = 0.0, 1.0
        # Rounding makes some differences negative by 1e-14, and the quotients of the update then overflow.
        kernels.append(np.maximum(np.diff(below, axis=0), 0.0) * (len(released) / len(column.shown)))
        at = np.clip(np.searchsorted(edges, released + 1e-9 * column.step, side="right") - 1, 0, len(edges) - 2)
        counts.append(np.bincount(at, minlength=len(edges) - 1).astype(np.float64))
    return held_out_stop(np.concatenate(counts), np.concatenate(kernels))


def held_out_stop(counts: Floats, kernel: Floats) -> Floats:
    """Return the shares of the true cells, with the number of updates chosen by two halves of the counts.

    Parameters
    ----------
    counts
        Records in each cell of the released value, shape (S,).
    kernel
        Chance of each cell given each true value, shape (S, T), columns summing to 1.
    """
    odd = counts % 2
    half_counts = np.floor(counts / 2) + odd * (np.cumsum(odd) % 2)
    # The two halves and the whole are updated side by side: going through the kernel is what takes time.
    sides = np.column_stack([half_counts, counts - half_counts, counts])
    used = counts > 0
    shares = np.full((kernel.shape[1], 3), 1.0 / kernel.shape[1])
    if not used.any():
        return shares[:, 2]
    # A difference of two rounded chances may lie a little below zero.
    used_kernel, sides = np.maximum(kernel[used], 0.0), sides[used]
    back = np.ascontiguousarray(used_kernel.T)
    weights = sides / np.maximum(sides.sum(axis=0), 1.0)
    best, best_score, worse = shares[:, 2], -np.inf, 0
    for number in range(1, MOST_UPDATES + 1):
        if number % 16 == 0:
            progress.check()
        shares = shares * (back @ (weights / np.maximum(used_kernel @ shares, _LEAST_EXPECTED)))
        shares /= np.maximum(shares.sum(axis=0), _TINY)
        if number & (number - 1) and number != MOST_UPDATES:
            continue
        # At each power of two: how well does either half foretell the other?
        expected = np.log(np.maximum(used_kernel @ shares[:, :2], _TINY))
        score = float(sides[:, 1] @ expected[:, 0] + sides[:, 0] @ expected[:, 1])
        if score > best_score + GRID * abs(score):
            best, best_score, worse = shares[:, 2].copy(), score, 0
        else:
            worse += 1
        if worse == _WORSE:
            break
    return best


def informed_prior(truth: Floats, grid: Floats, step: float) -> Floats:
    """Return the column's own distribution, as an intruder may know it from a register, shape (T,).

    A value that many people hold, more than twice as many as its two neighbours together, is kept; the rest is
    smoothed by a Gaussian of Silverman's width, so that no single person stands out.
    """
    width = grid[1] - grid[0]
    grid_index = np.clip(np.rint((truth - grid[0]) / width).astype(np.int64), 0, len(grid) - 1)
    counts = np.bincount(grid_index, minlength=len(grid)).astype(np.float64)
    neighbour_counts = np.concatenate([[0.0], counts[:-1]]) + np.concatenate([counts[1:], [0.0]])
    atoms = (counts >= max(ATOM_PEOPLE, ATOM_SHARE * len(truth))) & (counts > 2 * neighbour_counts)
    prior, rest = np.where(atoms, counts, 0.0), np.where(atoms, 0.0, counts)
    people = rest.sum()
    if people > 0:
        values = np.repeat(grid, rest.astype(np.int64))
        quartiles = float(np.subtract(*np.percentile(values, [75, 25]))) / 1.349
        spread = min(float(values.std()), quartiles) if quartiles > 0 else float(values.std())
        sd = 1.06 * max(spread, step / 2) * people**-0.2
        smooth = np.exp(-0.5 * np.square((grid[:, None] - grid[None]) / sd))
        prior = prior + (smooth / smooth.sum(axis=0)) @ rest
    return np.asarray(prior / prior.sum())


def cells_over(values: Floats, step: float, most: int) -> Floats:
    """Return edges of at most ``most`` cells over released values, whole steps wide and half a step off the grid."""
    wide = max(math.ceil((values.max() - values.min()) / step / most), 1) * step
    start = values.min() - step / 2
    cells = int((values.max() - start) / wide) + 1
    return np.asarray(start + wide * np.arange(cells + 1))
