"""Filters noise out again: the best linear guess at the values before noise was added.

From one released column alone the best linear guess shrinks each value towards the mean (UDR, the baseline). An
intruder who uses all released columns does better when these are correlated: what columns share stays, and the noise
is averaged out. With the noisy columns only this is the Bayes-estimate reconstruction (BE-DR) of Z. Huang, W. Du and
B. Chen, Deriving Private Information from Randomized Data, SIGMOD 2005; here unchanged columns are used as well. The
intruder fits means and covariances to the released file and subtracts the known covariance of the noise; nothing but
the release and the method's parameters is used. Where noise is reflected at zero, the expected true value behind each
released one (`ReflectedColumn.means`) is used instead.

Estimates of an intruder who knows the distribution of reflected noise on a released column.

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

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.attacks.comparison import NO_RECORD
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, estimate_true_shares
from ppdm_desktop.engine.figure import Z_95, Figure
from ppdm_desktop.engine.noise.kernels import cell_counts, cells_of, compute_cumulative, reflect_values
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import LazyText

MOST_POINTS, MOST_CELLS = 200, 300
_SMALLEST = 1e-300
_IMAGINED = 20_000


@dataclass(frozen=True, eq=False)
class ReflectedColumn:
    """One released column with reflected noise, as an intruder knows it.

    Attributes
    ----------
    grid, prior
        Possible true values, and their distribution as rebuilt from the release, shape (T,).
    edges
        Edges of the cells into which released values are counted, shape (S + 1,).
    kernel
        Probability of each cell given each true value, averaged over the privacy levels, shape (S, T); columns sum to
        1.
    records
        Number of released values that the distribution was rebuilt from.
    levels, shares
        The noise of each privacy level, and the share of the people at that level.
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

        The grid has at most 200 points, and released values are counted in at most 300 cells.

        Parameters
        ----------
        values
            Released values, none missing.
        levels, shares
            The noise of each privacy level, and the share of the people at that level; the intruder does not know who
            has which level.
        step
            Distance of neighbouring numbers that the column can take.
        mirror
            The value at which noise is reflected.
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
            kernel += share * _compute_level_kernel(level, edges, grid, mirror)
        prior = estimate_true_shares(cell_counts(values, edges), kernel)
        return cls(grid, prior, edges, kernel, len(values), tuple(levels), tuple(shares))

    @cached_property
    def _expected(self) -> Floats:
        """The expected true value given each cell of released values, shape (S,).

        For a cell that cannot occur it is the prior's mean.
        """
        joint = self.kernel * self.prior
        total = joint.sum(axis=1)
        return np.where(
            total > _SMALLEST, joint @ self.grid / np.maximum(total, _SMALLEST), float(self.prior @ self.grid)
        )

    @cached_property
    def _stand_ins(self) -> Floats:
        """A number for each cell of released values whose mean, given the true value, is nearly that value; shape (S,).

        No exact solution exists, because the true value has a bend at zero that noise smooths away. This one has the
        least sum of the squared bias and of the variance divided by the number of records, given the rebuilt
        distribution.
        """
        weighted = self.kernel * self.prior
        chance = weighted.sum(axis=1)
        system = weighted @ self.kernel.T + (np.diag(chance) - np.outer(chance, chance)) / self.records
        scale = float(np.trace(system)) / len(system)
        system += np.eye(len(system)) * 1e-12 * scale
        return np.asarray(np.linalg.solve(system, weighted @ self.grid))

    def means(self, values: Floats) -> Floats:
        """Return the expected true value behind each released value, in the shape of ``values``."""
        return self._expected[cells_of(values, self.edges)]

    def stand_ins(self, values: Floats) -> Floats:
        """Return for each released value a number whose mean, given the true value, is nearly the true value."""
        return self._stand_ins[cells_of(values, self.edges)]

    @property
    def variance(self) -> float:
        """Variance of the true values by the rebuilt distribution."""
        mean = float(self.prior @ self.grid)
        return float(self.prior @ np.square(self.grid - mean))

    @property
    def mean_square(self) -> float:
        """Variance of the noise before it is reflected, averaged over the levels by their shares of the people."""
        return float(sum(share * level.law.sd**2 for share, level in zip(self.shares, self.levels, strict=True)))

    def imagined(self, normal: Floats, level: Ints, draws: np.random.Generator) -> tuple[Floats, Floats]:
        """Return expected true values and stand-ins of simulated people, whose noise is given.

        Their true values are drawn from the rebuilt distribution. A stand-in is a number whose mean, given the true
        value, is nearly that value. Both arrays have shape (people,).

        Parameters
        ----------
        normal
            The people's noise in standard deviations, before it is reflected, shape (people,).
        level
            Index of each person's privacy level, shape (people,).
        draws
            Random generator for the true values and for places inside the cells; nothing of it reaches a release.
        """
        mirror = float(self.edges[0])
        grid_index = np.searchsorted(np.cumsum(self.prior), draws.random(len(normal)), side="right")
        truth = self.grid[np.minimum(grid_index, len(self.grid) - 1)]
        sd = np.array([level_noise.law.sd for level_noise in self.levels])[level]
        cell = np.array([level_noise.cell for level_noise in self.levels])[level]
        above = reflect_values(truth + sd * normal - mirror, self.levels[0].law.period)
        released = mirror + (np.floor(above / cell) + draws.random(len(normal))) * cell
        return self.means(released), self.stand_ins(released)

    def means_together(self, values: Floats, of_row: Ints, people: int) -> Floats:
        """Return each person's expected true value given all their released values, float64, shape (people,).

        The noise of these values was drawn independently. A person without a value gets the mean of the prior.

        Parameters
        ----------
        values
            Shape (rows,), none missing.
        of_row
            Index of each value's person, 0 to ``people`` - 1.
        """
        logs = np.log(np.maximum(self.kernel, _SMALLEST))[cells_of(values, self.edges)]
        together = np.zeros((people, len(self.grid)))
        np.add.at(together, of_row, logs)
        together += np.log(np.maximum(self.prior, _SMALLEST))
        chances = np.exp(together - together.max(axis=1, keepdims=True))
        return np.asarray(chances @ self.grid / chances.sum(axis=1))


def estimate_noise_covariances(
    reflected_column: ReflectedColumn | float, other_column: ReflectedColumn | float, covariance: float
) -> tuple[float, float]:
    """Return covariances of a column's stand-ins with another's expected true values and with the other's stand-ins.

    A stand-in replaces a released value by a number whose mean, given the true value, is nearly that value. Both
    covariances are due to correlated noise only: they are estimated from 20,000 simulated people whose true values are
    independent, always with the same random numbers. For a column with additive noise the released value serves as
    stand-in and as expected value. Where ``covariance`` is 0 or neither column's noise is reflected, both results equal
    ``covariance``.

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
    (_, stand_ins), (expected, other_expected) = sides
    return float(np.cov(stand_ins, expected)[0, 1]), float(np.cov(stand_ins, other_expected)[0, 1])


def _compute_level_kernel(level: LevelNoise, edges: Floats, grid: Floats, mirror: float) -> Floats:
    """Return the probability of each cell of released values given each true value, for the noise of one privacy level.

    The result has shape (cells, grid), and columns sum to 1. Inside each rounding cell of the level the released value
    is uniform.
    """
    position = (edges - mirror) / level.cell
    cell = np.floor(position + 1e-9)
    part = np.maximum(position - cell, 0.0)[:, None]
    low = compute_cumulative(level.law, (mirror + cell * level.cell)[:, None], grid[None], mirror)
    high = compute_cumulative(level.law, (mirror + (cell + 1.0) * level.cell)[:, None], grid[None], mirror)
    below = low + part * (high - low)
    below[0], below[-1] = 0.0, 1.0
    return np.maximum(np.diff(below, axis=0), 0.0)


_RATIO = lazy("root mean squared error with all released columns, divided by the error with the column alone")
_NO_ERROR = lazy("the estimate from the column alone leaves no error")
_TINY = 1e-10


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and covariance of the released records without missing values; noisy columns come first, then clean ones.

    Attributes
    ----------
    mean
        Mean of each column, shape (noisy columns + clean columns,).
    covariance
        Covariance of the released columns, shape (all columns, all columns).
    noise
        Covariance of the noise, shape (noisy columns, noisy columns).
    """

    mean: Floats
    covariance: Floats
    noise: Floats

    @classmethod
    def of(cls, noisy: Floats, clean: Floats, noise: Floats) -> Moments:
        """Return mean and covariance of the released columns, noisy ones first, with the given covariance of the noise.

        There must be at least two records, none with a missing value.
        """
        both = np.hstack([noisy, clean])
        return cls(both.mean(axis=0), np.atleast_2d(np.cov(both, rowvar=False, bias=False)), np.asarray(noise))


@dataclass(frozen=True, eq=False)
class Filter:
    """A filter fitted to the released file, which turns released values into guesses of the true ones.

    Attributes
    ----------
    mean, kept_share
        Mean of each noisy column, and the share of a value's deviation from it that is kept (0 to 1) when the column
        is filtered alone.
    centre, scale, used, weights
        Means and scales of all released columns, noisy ones first; which clean columns vary; and the weights of the
        linear posterior mean, shape (noisy columns, used columns).
    laws
        The distribution of each noisy column whose noise is reflected, None for one with additive noise; empty where
        all noise is additive.
    """

    mean: Floats
    kept_share: Floats
    centre: Floats
    scale: Floats
    used: Bools
    weights: Floats
    laws: Sequence[ReflectedColumn | None] = ()

    def separately(self, noisy: Floats) -> Floats:
        """Return the guess of each value from its own column alone, shape (records, noisy columns).

        It is the noisy value moved towards the mean (univariate data reconstruction, UDR); where noise is reflected,
        the expected true value.
        """
        return np.asarray(self.mean + self.kept_share * (_replace_by_expected(noisy, self.laws) - self.mean))

    def together(self, noisy: Floats, clean: Floats) -> Floats:
        """Return the guess of each value from all released columns, shape (records, noisy columns).

        It is the linear posterior mean; columns with reflected noise enter it with their expected true values. The
        columns of ``noisy`` and ``clean`` must be those that the filter was fitted to.
        """
        size = len(self.mean)
        noisy = _replace_by_expected(noisy, self.laws)
        both = np.hstack([noisy / self.scale[:size], (clean / self.scale[size:])[:, self.used]]) - self.centre
        return np.asarray((self.centre[:size] + both @ self.weights.T) * self.scale[:size])


def _compute_shrinkage(noisy: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return the mean of each noisy column, and the share (0 to 1) of its variance that is not noise.

    ``noise`` is the covariance of the noise. The share is 0 for a constant column.
    """
    mean, seen = noisy.mean(axis=0), noisy.var(axis=0, ddof=1)
    return mean, np.maximum(seen - np.diag(noise), 0.0) / np.where(seen > 0, seen, 1.0)


def _replace_by_expected(noisy: Floats, laws: Sequence[ReflectedColumn | None]) -> Floats:
    """Return released values, replaced by the expected true values in columns whose noise is reflected.

    Where no column has reflected noise the result is ``noisy`` itself. ``laws`` has the distribution of each reflected
    column, None for the others.
    """
    if not any(laws):
        return noisy
    expected = [noisy[:, index] if law is None else law.means(noisy[:, index]) for index, law in enumerate(laws)]
    return np.column_stack(expected)


def fit_filter(noisy: Floats, clean: Floats, noise: Floats, laws: Sequence[ReflectedColumn | None] = ()) -> Filter:
    """Return a filter of all released columns, fitted to released records.

    The covariance of the noise is subtracted from that of the records, negative eigenvalues are set to 0. Clean
    columns that do not vary are left out. Columns with reflected noise use expected true values.

    Parameters
    ----------
    noisy
        Released values of the columns with noise, shape (records, columns), none missing; at least two records.
    clean
        The other released columns as numbers (each category as a column of 0 and 1), none missing.
    noise
        Covariance of the noise, shape (columns, columns).
    laws
        The distribution of each noisy column whose noise is reflected, None for one with additive noise; empty where
        all noise is additive.
    """
    if any(laws):
        return _fit_reflected_filter(noisy, clean, noise, laws)
    size = noisy.shape[1]
    scale = np.concatenate([noisy.std(axis=0), clean.std(axis=0)])
    keep = scale > _TINY * np.maximum(np.abs(np.concatenate([noisy.mean(axis=0), clean.mean(axis=0)])), 1e-300)
    scale = np.where(scale > 0, scale, 1.0)
    used = keep[size:]
    moments = Moments.of(
        noisy / scale[:size], (clean / scale[size:])[:, used], noise / np.outer(scale[:size], scale[:size])
    )
    hidden = moments.covariance.copy()
    hidden[:size, :size] -= moments.noise
    # A covariance has no negative directions; those seen are left over from sampling.
    values, vectors = np.linalg.eigh(hidden)
    hidden = (vectors * np.maximum(values, 0.0)) @ vectors.T
    seen = hidden.copy()
    seen[:size, :size] += moments.noise
    weights = hidden[:size] @ np.linalg.pinv(seen, rcond=_TINY, hermitian=True)
    return Filter(*_compute_shrinkage(noisy, noise), moments.mean, scale, used, weights)


def _fit_reflected_filter(
    noisy: Floats, clean: Floats, noise: Floats, laws: Sequence[ReflectedColumn | None]
) -> Filter:
    """Return a filter fitted to released records in which the noise of some columns is reflected.

    Let X be the true value, z its expected value given the released column alone, and g a stand-in whose mean is X.
    Then Cov(X, z) is Var(z), and Cov(X, c) is Cov(g, c) for every column c without this column's noise. Where the
    noise of two columns is correlated, what `estimate_noise_covariances` computes is subtracted.
    """
    size = noisy.shape[1]
    seen = np.hstack([_replace_by_expected(noisy, laws), clean])
    stand_ins = np.column_stack(
        [noisy[:, index] if law is None else law.stand_ins(noisy[:, index]) for index, law in enumerate(laws)]
    )
    scale = seen.std(axis=0)
    keep = scale > _TINY * np.maximum(np.abs(seen.mean(axis=0)), 1e-300)
    scale = np.where(scale > 0, scale, 1.0)
    used = keep[size:]
    kept = np.concatenate([np.ones(size, dtype=np.bool_), used])
    seen = (seen / scale)[:, kept]
    centre, covariance = seen.mean(axis=0), np.atleast_2d(np.cov(seen, rowvar=False))
    stand_ins = stand_ins / scale[:size]
    across = (stand_ins - stand_ins.mean(axis=0)).T @ (seen - centre) / max(len(seen) - 1, 1)
    hidden = np.atleast_2d(np.cov(stand_ins, rowvar=False))
    sides = [float(sd) if law is None else law for sd, law in zip(np.sqrt(np.diag(noise)), laws, strict=True)]
    for index, law in enumerate(laws):
        for other_index in range(size):
            if other_index == index and law is not None:
                continue
            shared = estimate_noise_covariances(sides[index], sides[other_index], float(noise[index, other_index]))
            across[index, other_index] -= shared[0] / (scale[index] * scale[other_index])
            hidden[index, other_index] -= shared[1] / (scale[index] * scale[other_index])
        if law is not None:
            across[index, index] = covariance[index, index]
            hidden[index, index] = law.variance / scale[index] ** 2
    joint = np.block([[hidden, across], [across.T, covariance]])
    values, vectors = np.linalg.eigh(joint)
    joint = (vectors * np.maximum(values, 0.0)) @ vectors.T
    weights = joint[:size, size:] @ np.linalg.pinv(joint[size:, size:], rcond=_TINY, hermitian=True)
    mean, kept = _compute_shrinkage(_replace_by_expected(noisy, laws), noise)
    kept = np.array([factor if law is None else 1.0 for factor, law in zip(kept, laws, strict=True)])
    return Filter(mean, kept, centre, scale, used, weights, laws)


def compute_rms_errors(truth: Floats, guess: Floats) -> Floats:
    """Return the root mean squared error of each column, shape (columns,), from arrays of shape (records, columns)."""
    return np.asarray(np.sqrt(((truth - guess) ** 2).mean(axis=0)))


def error_figure(truth: Floats, guess: Floats, unit_size: float, method: LazyText) -> Figure:
    """Return the root mean squared error of one column in units of ``unit_size`` with its 95 % interval.

    ``unit_size`` is the standard deviation of the noise, as the figure's unit says ("noise sd"). ``truth`` and
    ``guess`` have shape (records,) without NaN; ``method`` says how the guess was made. Where there is no record the
    figure is absent and states the reason.
    """
    squares = ((truth - guess) / unit_size) ** 2
    count, mean = len(squares), float(squares.mean()) if len(squares) else 0.0
    if not count:
        return Figure.absent(NO_RECORD, unit="noise sd", method=method)
    half = Z_95 * float(squares.std()) / math.sqrt(count)
    low, high = math.sqrt(max(mean - half, 0.0)), math.sqrt(mean + half)
    return Figure(math.sqrt(mean), low=low, high=high, n=count, unit="noise sd", method=method)


def ratio_figure(truth: Floats, guess: Floats, base: Floats) -> Figure:
    """Return the error of a guess divided by the error of the baseline, with its 95 % interval.

    Errors are root mean squares. The interval is on the scale of the ratio: it is computed for the logarithm on the
    same records (delta method) and transformed back. The figure is absent where there are no records or the baseline
    has no error. Else it is exactly 0, with an interval from 0 to 0, where the guess has no error.

    Parameters
    ----------
    truth, guess, base
        True values of one column, the guess from all columns, and the guess from this column alone, shape (records,).
    """
    method = _RATIO
    squared_error, base_error = (truth - guess) ** 2, (truth - base) ** 2
    if not len(truth) or not base_error.mean() > 0:
        return Figure.absent(_NO_ERROR, unit="ratio", method=method)
    ratio = float(squared_error.mean() / base_error.mean())
    if ratio == 0:
        return Figure(0.0, low=0.0, high=0.0, n=len(truth), unit="ratio", method=method)
    spread = float((squared_error / squared_error.mean() - base_error / base_error.mean()).std()) / math.sqrt(
        len(truth)
    )
    half = Z_95 * spread / 2
    middle = math.sqrt(ratio)
    return Figure(
        middle, low=middle * math.exp(-half), high=middle * math.exp(half), n=len(truth), unit="ratio", method=method
    )
