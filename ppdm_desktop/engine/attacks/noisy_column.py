"""A column before and after noise was added, and how much noise the file really holds.

Also the distribution of true values that an intruder assumes: rebuilt from the noisy values, or known from a register.
Noise is added in phase 1; in phase 2 the noisy value is replaced by a draw from a cell of fixed width around it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats, Ints
from ppdm_desktop.engine.noise.kernels import NoiseLaw, chance_between, compute_cumulative

LEAST_CELLS, MOST_CELLS, CELLS_IN_SD = 200, 800, 8
"""How many cells of true and of released values beliefs are computed on: so many in one sd of the least noise."""
MOST_ADDED = 1_000
"""Most cells for summing what reflected noise adds to a value; finer cells are merged."""
LEAST_LIKELY = 0.001
"""Chance below which a figure of the file is not explained by the declared noise."""
_TINY = 1e-300


@dataclass(frozen=True)
class LevelNoise:
    """The noise that people of one privacy level get, as the method's parameters state it.

    Attributes
    ----------
    law
        Distribution of the noise added in phase 1.
    cell
        Width of the cells of phase 2, in the column's unit; the column's step where there is no phase 2.
    """

    law: NoiseLaw
    cell: float


@dataclass(frozen=True, eq=False)
class NoisyColumn:
    """A column before and after noise, with one entry for each person.

    Attributes
    ----------
    truth, released
        True and released values, shape (people,), none missing.
    level
        Index of each person's privacy level in ``levels``, shape (people,).
    levels
        The noise of each privacy level.
    step
        Distance of neighbouring numbers that the column can take.
    low, high
        Lowest and highest number that the column can take.
    mirror
        The value at which noise is reflected, half a step below zero, where the cells start as well; None without
        reflection.
    """

    truth: Floats
    released: Floats
    level: Ints
    levels: tuple[LevelNoise, ...]
    step: float
    low: float
    high: float
    mirror: float | None = None

    @property
    def most_cells(self) -> int:
        """Largest number of cells, of true and of released values, on which beliefs are computed.

        It is 8 times the column's range over the standard deviation of the smallest noise, but at least 200 and at most
        800: 400 for a range of 100 and noise of 2.
        """
        least = min(level.law.sd for level in self.levels)
        wanted = CELLS_IN_SD * (self.high - self.low) / least
        return int(np.clip(wanted, LEAST_CELLS, MOST_CELLS))

    @property
    def origin(self) -> float:
        """The value at which the cells of phase 2 start: half a step below the bound, or where noise is reflected."""
        return self.low - self.step / 2 if self.mirror is None else self.mirror

    @cached_property
    def grid(self) -> Floats:
        """Possible true values: every step between the bounds, or one point more than cells; shape (T,)."""
        points = min(int(round((self.high - self.low) / self.step)) + 1, self.most_cells + 1)
        return np.linspace(self.low, self.high, max(points, 2))

    @property
    def slack(self) -> float:
        """Largest distance of a true value from its point of the grid; 0 for a grid of at most `most_cells` points.

        Such a grid has a point for each step.
        """
        exact = len(self.grid) <= self.most_cells
        return 0.0 if exact else float(self.grid[1] - self.grid[0]) / 2

    def with_measured_noise(self) -> NoisyColumn:
        """Return the column with the noise that the file really holds, never more than declared.

        Each privacy level is tested separately: where the root mean square of the added noise is below its 0.1 %
        quantile under the declared noise, the standard deviation is lowered to what was measured, but not below 0.01 %
        of the declared one. A level with fewer than two people is left as declared.
        """
        from scipy.special import gammaincinv

        noisy_column = []
        for level_index, level in enumerate(self.levels):
            people = np.flatnonzero(self.level == level_index)
            noisy_column.append(level)
            if len(people) < 2:
                continue
            offsets, times = self._find_cell_offsets(people, level)
            square, spread = compute_change_moments(level, offsets, times, self.step, reflected=self.mirror is not None)
            measured = float(np.mean(np.square(self.released[people] - self.truth[people])))
            # The mean of the squares under the declared noise, as a gamma law of its mean and variance.
            shape = square**2 / max(spread / len(people), _TINY)
            if measured < square * float(gammaincinv(shape, LEAST_LIKELY)) / shape:
                reflected = self.mirror is not None
                noisy_column[-1] = _match_mean_square(level, measured, offsets, times, self.step, reflected=reflected)
        return replace(self, levels=tuple(noisy_column))

    def _find_cell_offsets(self, people: Ints, level: LevelNoise) -> tuple[Floats, Floats]:
        """Return the distinct distances of true values from the start of their cell, and the share of people at each.

        ``people`` are the indices of those counted. Distances are rising and rounded to half a step. Where noise is
        reflected they are distances above the point of reflection instead, first rounded to the distance of two points
        of `grid` if the column has more values than it.
        """
        offsets = self.truth[people] - self.origin
        if self.mirror is None:
            offsets = np.mod(offsets, level.cell)
        elif self.slack:
            width = float(self.grid[1] - self.grid[0])
            offsets = np.rint(offsets / width) * width
        places, times = np.unique(np.rint(offsets / (self.step / 2)).astype(np.int64), return_counts=True)
        return np.asarray(places * (self.step / 2), dtype=np.float64), times / len(people)


def compute_change_moments(
    level: LevelNoise, offsets: Floats, shares: Floats, step: float, *, reflected: bool = False
) -> tuple[float, float]:
    """Return mean and variance of the squared change of a value by noise and by the draw inside a cell.

    The mean is in squared units of the column, the variance in the square of that.

    Parameters
    ----------
    offsets, shares
        Distances of true values from the start of their cell, and the share of people at each, both of shape
        (distances,).
    step
        Distance of neighbouring numbers that the column can take.
    reflected
        Whether noise is reflected; the offsets are then distances from the point of reflection, which is 0 here (half a
        step below the column's zero).
    """
    if reflected:
        # As many cells as the noise reaches over, however wide the column is: wider ones would add noise of their own.
        if level.law.period is None:
            wide = max(math.ceil(2 * level.law.reach / (MOST_ADDED * level.cell)), 1)
            level = replace(level, cell=level.cell * wide)
        first = np.maximum(np.floor((offsets - level.law.reach) / level.cell), 0.0)
        over = np.arange(math.ceil(2 * level.law.reach / level.cell) + 2, dtype=np.float64)
        cells = (first[:, None] + over) * level.cell
        chance = chance_between(level.law, cells, cells + level.cell, offsets[:, None], 0.0)
        if level.law.period is not None:
            chance = np.where(cells < level.law.period / 2 - step / 2, chance, 0.0)
        low = cells - offsets[:, None]
    else:
        reach = int(math.ceil((level.law.reach + level.cell) / level.cell))
        cells = np.arange(-reach, reach + 1, dtype=np.float64) * level.cell
        low = cells[None] - offsets[:, None]
        chance = level.law.cumulative(low + level.cell) - level.law.cumulative(low)
    middle = low + level.cell / 2
    inside = max(level.cell**2 - step**2, 0.0) / 12
    fourth = max(level.cell**4 - step**4, 0.0) / 80
    square = float(shares @ (chance * (middle**2 + inside)).sum(axis=1))
    quartic = float(shares @ (chance * (middle**4 + 6 * middle**2 * inside + fourth)).sum(axis=1))
    return square, max(quartic - square**2, 0.0)


def _match_mean_square(
    level: LevelNoise, wanted: float, offsets: Floats, shares: Floats, step: float, *, reflected: bool
) -> LevelNoise:
    """Return a privacy level's noise, lowered so that its expected mean squared change is ``wanted``.

    The standard deviation is searched between 0.01 % and 100 % of the declared one, so that it is never raised; the
    nearer end is taken where ``wanted`` cannot be reached.
    ``offsets``, ``shares`` and ``reflected`` have the same meaning as for `compute_change_moments`.
    """
    low, high = level.law.sd * 1e-4, level.law.sd
    for _ in range(40):
        middle = math.sqrt(low * high)
        trial = replace(level, law=replace(level.law, sd=middle))
        if compute_change_moments(trial, offsets, shares, step, reflected=reflected)[0] < wanted:
            low = middle
        else:
            high = middle
    return replace(level, law=replace(level.law, sd=low))


def compute_linear_error(column: NoisyColumn) -> float:
    """Return the root mean squared error of the linear guess from this column alone, in SDs of each person's noise.

    The guess moves each released value towards the mean, by the share of the variance that is noise; it is the mean
    itself where all of the variance may be noise. Where noise is reflected, which is not additive, it is the best
    possible linear guess, fitted to the true values.
    """
    if column.mirror is not None:
        centred = column.released - column.released.mean()
        best = float(centred @ column.truth) / max(float(centred @ centred), _TINY)
        return compute_guess_error(column, column.truth.mean() + best * centred)
    variance = float(column.released.var())
    noise = float(np.mean(np.square([level.law.sd for level in column.levels])[column.level]))
    share = max(variance - noise, 0.0) / variance if variance > 0 else 0.0
    return compute_guess_error(column, column.released.mean() + share * (column.released - column.released.mean()))


def compute_guess_error(column: NoisyColumn, guesses: Floats) -> float:
    """Return the root mean squared error of guesses, in standard deviations of each person's noise."""
    sd = np.array([level.law.sd for level in column.levels])[column.level]
    return float(np.sqrt(np.mean(np.square((column.truth - guesses) / sd))))


MOST_UPDATES = 600
ATOM_PEOPLE, ATOM_SHARE = 5, 0.02
_WORSE = 2
"""After this many worse scores in a row no more updates are tried."""
_LEAST_EXPECTED = 1e-150
"""A smaller expected share would make a quotient that no number can hold."""


def rebuilt_prior(column: NoisyColumn) -> Floats:
    """Return the distribution of the true values as anyone can rebuild it from the release, shape (T,), sum 1.

    It has the share of each point of the column's grid, and is found by expectation maximisation over cells. It stops
    where the distribution rebuilt from one half of the counts predicts the other half best: more updates would fit the
    noise.
    """
    counts, kernels = [], []
    for level_index, level in enumerate(column.levels):
        released = column.released[column.level == level_index]
        if not len(released):
            continue
        edges = make_cell_edges(released, column.step, column.most_cells)
        below = compute_cumulative(level.law, edges[:, None], column.grid[None], column.mirror)
        below[0], below[-1] = 0.0, 1.0
        # Rounding makes some differences negative by 1e-14, and the quotients of the update then overflow.
        kernels.append(np.maximum(np.diff(below, axis=0), 0.0) * (len(released) / len(column.released)))
        at = np.clip(np.searchsorted(edges, released + 1e-9 * column.step, side="right") - 1, 0, len(edges) - 2)
        counts.append(np.bincount(at, minlength=len(edges) - 1).astype(np.float64))
    return estimate_true_shares(np.concatenate(counts), np.concatenate(kernels))


def estimate_true_shares(counts: Floats, kernel: Floats) -> Floats:
    """Return the share of each true value, shape (T,), estimated from counts of released values by EM.

    The number of updates is the one with which two halves of the counts predict each other best. Equal shares are
    returned where nothing was counted.

    Parameters
    ----------
    counts
        Number of records in each cell of released values, shape (S,).
    kernel
        Probability of each cell given each true value, shape (S, T), columns summing to 1.
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
        # At each power of two: how well does either half predict the other?
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
    """Return the true distribution of the column, as an intruder may know it from a register, shape (T,), sum 1.

    A point of the grid is kept as it is if at least 5 people and at least 2 % (`ATOM_PEOPLE`, `ATOM_SHARE`) have it,
    and more than twice as many as have its two neighbours together; all others are smoothed by a Gaussian of
    Silverman's width, so that no single person stands out. True values are moved to the nearest point of the grid.
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


def make_cell_edges(values: Floats, step: float, most: int) -> Floats:
    """Return edges that divide released values into at most about ``most`` cells, each some whole steps wide.

    Edges lie half a step off the numbers that the column can take: values from 1 to 10 with step 1 and ``most`` 4 have
    the edges 0.5, 3.5, 6.5, 9.5 and 12.5.
    """
    wide = max(math.ceil((values.max() - values.min()) / step / most), 1) * step
    start = values.min() - step / 2
    cells = int((values.max() - start) / wide) + 1
    return np.asarray(start + wide * np.arange(cells + 1))
