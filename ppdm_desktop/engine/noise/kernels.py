"""Exact kernels: the chance that a perturbed value falls in a cell, given the cell of the original.

The original is taken as uniform inside its cell. Phase 1 adds noise; phase 2 replaces the perturbed value by a
uniform draw from its cell of a lattice (Liu, Kantarcioglu & Thuraisingham 2008, section 4). Inside a lattice cell the
released value says nothing more, so its distribution function is linear between its values at the cell's edges: every
kernel here is a difference of such functions, for any edges and any widths. A column that cannot have values below
zero gets reflected noise: values below the start of the lattice, half a step below zero, are reflected there.
Reflection maps cells to cells, so the kernels stay exact. Noise that is reflected at an upper end as well is summed
over its images, which repeat with twice the width between both ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints

NoiseKind = Literal["gaussian", "uniform"]


@dataclass(frozen=True)
class NoiseLaw:
    """The distribution of the noise of phase 1; its mean is 0.

    Attributes
    ----------
    kind
        Normal noise, or noise that is uniform on ± √3·sd.
    sd
        Standard deviation, in the column's unit.
    period
        For noise that is reflected at both ends, twice the width between them; ``cumulative`` and ``integral`` are then
        sums over all images, of which only differences say something.

    Raises
    ------
    ValueError
        When ``sd`` is not a positive finite number.
    """

    kind: NoiseKind
    sd: float
    period: float | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless the standard deviation is a positive finite number."""
        if not (math.isfinite(self.sd) and self.sd > 0):
            raise ValueError("the standard deviation of noise must be positive")

    @property
    def half_width(self) -> float:
        """Half the width of uniform noise, √3·sd, in the column's unit."""
        return math.sqrt(3.0) * self.sd

    @property
    def reach(self) -> float:
        """Distance from 0 within which practically all noise lies (normal: all but 1e-15)."""
        return self.half_width if self.kind == "uniform" else 8.0 * self.sd

    @property
    def _shifts(self) -> list[float]:
        """Shifts, in the column's unit, of all reflected images that noise can reach from within a period."""
        assert self.period is not None
        most = math.ceil(self.reach / self.period) + 1
        return [self.period * image for image in range(-most, most + 1)]

    def density(self, u: Floats) -> Floats:
        """Return the probability density of the noise at each u, in the shape of ``u``; reflection is left aside."""
        if self.kind == "uniform":
            return np.where(np.abs(u) <= self.half_width, 0.5 / self.half_width, 0.0)
        return np.asarray(np.exp(-0.5 * np.square(u / self.sd)) / (self.sd * math.sqrt(2.0 * math.pi)))

    def cumulative(self, u: Floats) -> Floats:
        """Return P(noise ≤ u) for each u, in the shape of ``u``.

        With a ``period`` it is the sum over all reflected images, which can be above 1: only differences have a
        meaning.
        """
        if self.period is not None:
            return self._sum_over_images(np.asarray(u))
        if self.kind == "uniform":
            return np.clip(0.5 + 0.5 * np.asarray(u) / self.half_width, 0.0, 1.0)
        from scipy.special import ndtr

        return np.asarray(ndtr(u / self.sd), dtype=np.float64)

    def _sum_over_images(self, u: Floats) -> Floats:
        """Return the sum of the distribution function at u plus each shift of repeated reflection, shaped as ``u``.

        Shifts that are far above every value of u add exactly 1; those far below add nothing where a 1 makes them
        vanish.
        """
        straight, total, far = replace(self, period=None), np.zeros(u.shape), 2 * self.reach
        low, high = float(u.min(initial=np.inf)), float(u.max(initial=-np.inf))
        # What is less than 1e-56 is lost beside the 1 of the last image.
        are_lost = low + self._shifts[-1] >= far
        for shift in self._shifts:
            if low + shift >= far:
                total += 1.0
            elif not (are_lost and high + shift <= -far):
                total += straight.cumulative(u + shift)
        return total

    def integral(self, u: Floats) -> Floats:
        """Return the antiderivative of ``cumulative`` that vanishes at minus infinity.

        It is E[max(u - noise, 0)]: u·Φ(u/sd) + sd·φ(u/sd) for normal noise.

        With a ``period`` it is the sum over all reflected images, of which only differences have a meaning.
        """
        if self.period is not None:
            straight = replace(self, period=None)
            return np.asarray(sum(straight.integral(u + shift) for shift in self._shifts))
        if self.kind == "uniform":
            inside = np.clip(u, -self.half_width, self.half_width) + self.half_width
            return np.asarray(inside**2 / (4.0 * self.half_width) + np.maximum(u - self.half_width, 0.0))
        return np.asarray(u * self.cumulative(u) + self.sd**2 * self.density(u))


@dataclass(frozen=True)
class Channel:
    """The noise and the cells of one privacy level, and how many records have this level.

    Attributes
    ----------
    share
        Part of the records that have this level; the shares of all channels sum to 1.
    law
        Its noise.
    cell_width
        Width of its lattice cells, in the column's unit; None without phase 2.
    """

    share: float
    law: NoiseLaw
    cell_width: float | None = None


def level_kernel(
    law: NoiseLaw,
    x_edges: Floats,
    w_edges: Floats,
    *,
    cell_width: float | None,
    origin: float = 0.0,
    reflected: bool = False,
) -> Floats:
    """Return the kernel of one privacy level: noise, then a uniform draw from the lattice cell.

    It holds the probability of each cell of the perturbed value, given each cell of the original. Liu et al. section 4
    with the exact cell integral in place of the midpoint density of Agrawal & Srikant (2000, section 3): with E the
    ``integral`` of the noise, P(W ≤ w | X uniform on [a, b]) = (E(w - a) - E(w - b)) / (b - a).

    Parameters
    ----------
    x_edges
        Rising edges of the T cells of the original, shape (T + 1,).
    w_edges
        Rising edges of the S cells of the perturbed value, shape (S + 1,); the first and the last cell also take what
        lies beyond them.
    cell_width, origin
        The lattice cells are [origin + k·width, origin + (k + 1)·width) for all whole k; None
        leaves phase 2 out. ``w_edges`` need not lie on the lattice.
    reflected
        Whether what falls below ``origin`` is reflected there; no cell of the original then starts below it.

    Returns
    -------
    Floats
        Shape (S, T); every column sums to 1.

    Raises
    ------
    ValueError
        When edges do not rise.
    """
    x_edges, w_edges = to_rising_edges(x_edges), to_rising_edges(w_edges)
    inner = w_edges[1:-1]
    mirror = origin if reflected else None
    if cell_width is None:
        below = _compute_noisy_cdf(law, x_edges, inner, mirror)
    else:
        position = (inner - origin) / cell_width
        cell = np.floor(position)
        part = (position - cell)[:, None]
        low = _compute_noisy_cdf(law, x_edges, origin + cell * cell_width, mirror)
        high = _compute_noisy_cdf(law, x_edges, origin + (cell + 1.0) * cell_width, mirror)
        below = low + part * (high - low)
    ends = (np.zeros((1, len(x_edges) - 1)), np.ones((1, len(x_edges) - 1)))
    rows = np.maximum.accumulate(np.concatenate((ends[0], np.clip(below, 0.0, 1.0), ends[1])), axis=0)
    return np.diff(rows, axis=0)


def mixed_kernel(
    channels: Sequence[Channel], x_edges: Floats, w_edges: Floats, *, origin: float = 0.0, reflected: bool = False
) -> Floats:
    """Return the kernel of values whose level the reader does not know: the sum of share · level kernel.

    Parameters are those of ``level_kernel``; ValueError as from ``select_used_channels``, or when edges do not rise.

    Returns
    -------
    Floats
        Shape (S, T); every column sums to 1.
    """
    kernel = np.zeros((len(w_edges) - 1, len(x_edges) - 1))
    for channel in select_used_channels(channels):
        kernel += channel.share * level_kernel(
            channel.law, x_edges, w_edges, cell_width=channel.cell_width, origin=origin, reflected=reflected
        )
    return kernel


def compute_cumulative(law: NoiseLaw, w: Floats, x: Floats, mirror: float | None = None) -> Floats:
    """Return P(W ≤ w | X = x) of the perturbed value W, with w and x broadcast.

    Values below ``mirror`` are reflected there; None for no reflection.
    """
    below = law.cumulative(w - x)
    if mirror is None:
        return below
    return np.clip(below - law.cumulative(2.0 * mirror - w - x), 0.0, 1.0)


def reflect_values(above: Floats, period: float | None) -> Floats:
    """Return noisy values, counted from the lower end, after reflection at 0 and at half the period.

    ``above`` may be negative; -3 becomes 3. With a ``period`` of 20 the upper end is 10, and 12 becomes 8; results are
    always below the upper end. None for ``period``: no upper end.
    """
    above = np.abs(above)
    if period is None:
        return above
    above = np.mod(above, period)
    return np.minimum(np.minimum(above, period - above), np.nextafter(period / 2, 0.0))


def chance_between(law: NoiseLaw, low: Floats, high: Floats, x: Floats, mirror: float | None = None) -> Floats:
    """Return P(low < W ≤ high | X = x) of the perturbed value W, the arrays broadcast.

    With ``mirror`` values below it are reflected there, and no ``low`` lies below it.
    """
    chance = law.cumulative(high - x) - law.cumulative(low - x)
    if mirror is None:
        return chance
    return chance + (law.cumulative(2.0 * mirror - low - x) - law.cumulative(2.0 * mirror - high - x))


def lattice_edges(width: float, low: float, high: float, *, origin: float = 0.0) -> Floats:
    """Return the edges of the lattice cells that cover [low, high], rising; at least one cell.

    Cells have this width and begin at ``origin`` plus multiples of it.
    """
    first = math.floor((low - origin) / width)
    last = max(math.ceil((high - origin) / width), first + 1)
    return np.asarray(origin + width * np.arange(first, last + 1, dtype=np.float64))


def cell_counts(values: Floats, edges: Floats) -> Floats:
    """Return the number of values in each cell, float64, shape (S,); values beyond the edges count in the end cells."""
    return np.bincount(cells_of(values, edges), minlength=len(edges) - 1).astype(np.float64)


def cells_of(values: Floats, edges: Floats) -> Ints:
    """Return the index of each value's cell, int64, 0 to S - 1; a value on an edge belongs to the cell above.

    Values beyond the edges belong to the end cells. ``edges`` has shape (S + 1,).
    """
    return np.asarray(np.searchsorted(edges[1:-1], values, side="right"), dtype=np.int64)


def to_rising_edges(edges: Floats) -> Floats:
    """Return the edges as a float64 array; ValueError unless there are at least two, finite and rising."""
    values = np.asarray(edges, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2 or not np.all(np.isfinite(values)) or not np.all(np.diff(values) > 0):
        raise ValueError("cell edges must rise")
    return values


def select_used_channels(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Return the channels with a positive share, in order.

    ValueError when a share is negative, the shares do not sum to 1, or a cell width is 0 or negative.
    """
    if any(channel.share < 0 for channel in channels) or abs(sum(channel.share for channel in channels) - 1.0) > 1e-9:
        raise ValueError("the shares of the levels must sum to 1")
    if any(channel.cell_width is not None and channel.cell_width <= 0 for channel in channels):
        raise ValueError("a lattice cell must have a positive width")
    return tuple(channel for channel in channels if channel.share > 0)


def _compute_noisy_cdf(law: NoiseLaw, x_edges: Floats, w: Floats, mirror: float | None = None) -> Floats:
    """Return P(W ≤ w | X uniform in a cell) for perturbed W, shape (len(w), T), with T cells of the original X.

    With ``mirror`` what falls below it is reflected there, and rows with w ≤ ``mirror`` are 0.
    """
    steps = law.integral(w[:, None] - x_edges[None, :])
    below = (steps[:, :-1] - steps[:, 1:]) / np.diff(x_edges)
    if mirror is None:
        return below
    # Reflected, W is at most w where it was between w and the point as far below the mirror.
    return np.where((w > mirror)[:, None], below - _compute_noisy_cdf(law, x_edges, 2.0 * mirror - w), 0.0)
