"""Estimates of an intruder who knows the distribution of reflected noise on a released column.

Reflected noise is not additive: near zero it moves values upwards, and a linear guess that subtracts its variance is
weaker than an intruder who knows its distribution. Here the exact kernel gives three things: the distribution of the
true values, rebuilt from the release; the expected true value behind each released one; and a stand-in for each
released value whose mean is the true value, near enough, wherever that lies. With these a column can be used in the
linear filter like any other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, held_out_stop
from ppdm_desktop.engine.noise.kernels import cell_counts, cells_of, cumulative_from, turned_back

MOST_POINTS, MOST_CELLS = 200, 300
_TINY = 1e-300
_IMAGINED = 20_000


@dataclass(frozen=True, eq=False)
class ReflectedColumn:
    """One released column with reflected noise, as an intruder knows it.

    Attributes
    ----------
    grid, prior
        True values that are possible and their distribution as it is rebuilt, shape (T,).
    edges
        Cells of released values, shape (S + 1,).
    kernel
        Chance of each cell given each true value, levels mixed, shape (S, T); columns sum to 1.
    records
        Released values it was rebuilt from.
    levels, shares
        The noise of each level and the share of the people at it.
    """

    grid: Floats
    prior: Floats
    edges: Floats
    kernel: Floats
    records: int
    levels: tuple[LevelNoise, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(
        cls,
        values: Floats,
        levels: Sequence[LevelNoise],
        shares: Sequence[float],
        step: float,
        mirror: float,
        bounds: tuple[float, float],
    ) -> ReflectedColumn:
        """Return the column with its distribution of true values rebuilt from released values.

        Parameters
        ----------
        values
            Released values, none missing.
        levels, shares
            The noise of each level and the share of the people at it; whose level is whose is not known.
        step
            The column's grid.
        mirror
            Where noise is reflected.
        bounds
            Lowest and highest true value there can be.
        """
        points = min(round((bounds[1] - bounds[0]) / step) + 1, MOST_POINTS)
        grid = np.linspace(bounds[0], bounds[1], max(points, 2))
        top = max(float(values.max()) + step / 2, mirror + 2 * step)
        wide = step * max(math.ceil((top - mirror) / step / MOST_CELLS), 1)
        edges = mirror + wide * np.arange(math.ceil((top - mirror) / wide - 1e-9) + 1, dtype=np.float64)
        kernel = np.zeros((len(edges) - 1, len(grid)))
        for level, share in zip(levels, shares, strict=True):
            kernel += share * _kernel(level, edges, grid, mirror)
        prior = held_out_stop(cell_counts(values, edges), kernel)
        return cls(grid, prior, edges, kernel, len(values), tuple(levels), tuple(shares))

    @cached_property
    def _expected(self) -> Floats:
        """Return the expected true value in each released cell; the prior mean where a cell cannot occur."""
        joint = self.kernel * self.prior
        total = joint.sum(axis=1)
        return np.where(total > _TINY, joint @ self.grid / np.maximum(total, _TINY), float(self.prior @ self.grid))

    @cached_property
    def _stand_ins(self) -> Floats:
        """A number for each cell of released values whose mean, given the true value, is nearly the true value.

        No exact solution exists, because the true value has a bend at zero that noise smooths away. This one has the
        least sum of squared bias and of variance over the records, given the rebuilt distribution.
        """
        weighted = self.kernel * self.prior
        chance = weighted.sum(axis=1)
        system = weighted @ self.kernel.T + (np.diag(chance) - np.outer(chance, chance)) / self.records
        scale = float(np.trace(system)) / len(system)
        system += np.eye(len(system)) * 1e-12 * scale
        return np.asarray(np.linalg.solve(system, weighted @ self.grid))

    def means(self, values: Floats) -> Floats:
        """Return the expected true value behind each released value."""
        return self._expected[cells_of(values, self.edges)]

    def stand_ins(self, values: Floats) -> Floats:
        """Return for each released value a number whose mean is the true value."""
        return self._stand_ins[cells_of(values, self.edges)]

    @property
    def variance(self) -> float:
        """Variance of the true values by the rebuilt distribution."""
        mean = float(self.prior @ self.grid)
        return float(self.prior @ np.square(self.grid - mean))

    @property
    def mean_square(self) -> float:
        """Variance of the noise before it is reflected, averaged over the levels."""
        return float(sum(share * level.law.sd**2 for share, level in zip(self.shares, self.levels, strict=True)))

    def imagined(self, normal: Floats, level: Ints, draws: np.random.Generator) -> tuple[Floats, Floats]:
        """Return expected values and stand-ins of simulated people with given noise; true values follow the prior.

        Parameters
        ----------
        normal
            Their noise in standard deviations, shape (people,).
        level
            Whose noise is of which level.
        draws
            For the true values and inside the cells; nothing of it reaches a release.
        """
        mirror = float(self.edges[0])
        grid_index = np.searchsorted(np.cumsum(self.prior), draws.random(len(normal)), side="right")
        truth = self.grid[np.minimum(grid_index, len(self.grid) - 1)]
        sd = np.array([level_noise.law.sd for level_noise in self.levels])[level]
        cell = np.array([level_noise.cell for level_noise in self.levels])[level]
        above = turned_back(truth + sd * normal - mirror, self.levels[0].law.period)
        released = mirror + (np.floor(above / cell) + draws.random(len(normal))) * cell
        return self.means(released), self.stand_ins(released)

    def means_together(self, values: Floats, of_row: Ints, people: int) -> Floats:
        """Return each person's expected true value given all their released values, which were drawn independently.

        Parameters
        ----------
        values
            Shape (rows,), none missing.
        of_row
            Whose each is, 0 to ``people`` - 1.
        """
        logs = np.log(np.maximum(self.kernel, _TINY))[cells_of(values, self.edges)]
        together = np.zeros((people, len(self.grid)))
        np.add.at(together, of_row, logs)
        together += np.log(np.maximum(self.prior, _TINY))
        chances = np.exp(together - together.max(axis=1, keepdims=True))
        return np.asarray(chances @ self.grid / chances.sum(axis=1))


def shared_noise(
    reflected_column: ReflectedColumn | float, other_column: ReflectedColumn | float, covariance: float
) -> tuple[float, float]:
    """Return two covariances that two columns have by matched noise alone: of stand-in and expected, of stand-ins.

    The first is the covariance of one column's stand-ins with the other's expected values, the second with its
    stand-ins; for additive noise the released value counts as both. They are estimated from simulated people whose
    true values are independent.

    Parameters
    ----------
    reflected_column, other_column
        Each column's distribution of reflected noise; for additive noise its standard deviation.
    covariance
        Covariance of the noise of both columns before any is reflected.
    """
    if not covariance or (isinstance(reflected_column, float) and isinstance(other_column, float)):
        return covariance, covariance
    draws = np.random.default_rng(0)
    size = reflected_column.mean_square if isinstance(reflected_column, ReflectedColumn) else reflected_column**2
    size *= other_column.mean_square if isinstance(other_column, ReflectedColumn) else other_column**2
    related = float(np.clip(covariance / math.sqrt(size), -1.0, 1.0))
    first, independent = draws.normal(size=(2, _IMAGINED))
    second = related * first + math.sqrt(1.0 - related**2) * independent
    law = reflected_column if isinstance(reflected_column, ReflectedColumn) else other_column
    assert isinstance(law, ReflectedColumn)
    level = np.searchsorted(np.cumsum(law.shares)[:-1], draws.random(_IMAGINED), side="right").astype(np.int64)
    sides = []
    for side, normal in ((reflected_column, first), (other_column, second)):
        if isinstance(side, ReflectedColumn):
            sides.append(side.imagined(normal, level, draws))
        else:
            sides.append((side * normal, side * normal))
    (_, stands), (expected, other_expected) = sides
    return float(np.cov(stands, expected)[0, 1]), float(np.cov(stands, other_expected)[0, 1])


def _kernel(level: LevelNoise, edges: Floats, grid: Floats, mirror: float) -> Floats:
    """Return one level's kernel; between the edges of its own cells the released value is spread evenly."""
    position = (edges - mirror) / level.cell
    cell = np.floor(position + 1e-9)
    part = np.maximum(position - cell, 0.0)[:, None]
    low = cumulative_from(level.law, (mirror + cell * level.cell)[:, None], grid[None], mirror)
    high = cumulative_from(level.law, (mirror + (cell + 1.0) * level.cell)[:, None], grid[None], mirror)
    below = low + part * (high - low)
    below[0], below[-1] = 0.0, 1.0
    return np.maximum(np.diff(below, axis=0), 0.0)
