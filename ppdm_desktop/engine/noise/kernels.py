"""Exact kernels: the probability that a noisy value falls into a cell, given the cell of the original.

The original is taken as uniform inside its cell. Phase 1 adds noise; phase 2 replaces the noisy value by a uniform draw
from its lattice cell (Liu, Kantarcioglu & Thuraisingham 2008, section 4). Inside a lattice cell the released value says
nothing more, so its distribution function is linear between the cell's edges: every kernel here is a difference of such
functions, for any edges and any widths. A column that cannot have values below zero gets reflected noise: values below
the start of the lattice, half a step below zero, are reflected there. Reflection maps cells to cells, so the kernels
stay exact. Noise that is reflected at an upper end as well is summed over its mirror images, which repeat with twice
the distance between both ends.
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
        Twice the distance between both ends, if noise is reflected at both; otherwise None. With a period,
        ``cumulative`` and ``integral`` are sums over all mirror images, of which only differences have a meaning.

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
        """Largest possible distance of noise from 0.

        For normal noise, the distance beyond which only 1e-15 of it lies.
        """
        return self.half_width if self.kind == "uniform" else 8.0 * self.sd

    @property
    def _shifts(self) -> list[float]:
        """Shifts, in the column's unit, from a value to all of its mirror images that the noise can reach.

        They are all whole multiples of ``period`` in rising order, from -m to m times, with m = reach / period, rounded
        up, plus 1.
        """
        assert self.period is not None
        most = math.ceil(self.reach / self.period) + 1
        return [self.period * image for image in range(-most, most + 1)]

    def density(self, u: Floats) -> Floats:
        """Return the probability density of the noise at each u, in the shape of ``u``; reflection is ignored."""
        if self.kind == "uniform":
            return np.where(np.abs(u) <= self.half_width, 0.5 / self.half_width, 0.0)
        return np.asarray(np.exp(-0.5 * np.square(u / self.sd)) / (self.sd * math.sqrt(2.0 * math.pi)))

    def cumulative(self, u: Floats) -> Floats:
        """Return P(noise ≤ u) for each u, in the shape of ``u``.

        With a ``period`` it is the sum over all mirror images, which can be above 1: only differences have a meaning.
        """
        if self.period is not None:
            return self._sum_over_images(np.asarray(u))
        if self.kind == "uniform":
            return np.clip(0.5 + 0.5 * np.asarray(u) / self.half_width, 0.0, 1.0)
        from scipy.special import ndtr

        return np.asarray(ndtr(u / self.sd), dtype=np.float64)

    def _sum_over_images(self, u: Floats) -> Floats:
        """Return, for each u, the sum of P(noise ≤ u + shift) over the shifts to all mirror images; shape of ``u``.

        A shift that lifts every u above the noise adds 1. A shift far below every u adds nothing if the sum has such a
        1, in which it would be lost.
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
        """Return, for each u, the integral of ``cumulative`` from minus infinity to u; shape of ``u``.

        It is E[max(u - noise, 0)]: u·Φ(u/sd) + sd·φ(u/sd) for normal noise.

        With a ``period`` it is the sum over all mirror images, of which only differences have a meaning.
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
    """The noise and the lattice cells of one privacy level, and the share of records that have this level.

    Attributes
    ----------
    share
        Share of the records that have this level; the shares of all channels sum to 1.
    law
        The noise of the level.
    cell_width
        Width of the lattice cells, in the column's unit; None without phase 2.
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
    """Return the probability of each cell of the noisy value, given each cell of the original, for one privacy level.

    The level adds noise and then draws uniformly from the lattice cell. Liu et al. section 4 with the exact cell
    integral in place of the midpoint density of Agrawal & Srikant (2000, section 3): with E the ``integral`` of the
    noise, P(W ≤ w | X uniform on [a, b]) = (E(w - a) - E(w - b)) / (b - a).

    Parameters
    ----------
    law
        The noise.
    x_edges
        Rising edges of the T cells of the original, shape (T + 1,).
    w_edges
        Rising edges of the S cells of the noisy value, shape (S + 1,); the first and the last cell also take what lies
        beyond them.
    cell_width, origin
        The lattice cells are [origin + k·width, origin + (k + 1)·width) for all whole k; None as width leaves phase 2
        out. ``w_edges`` need not lie on the lattice.
    reflected
        Whether noisy values below ``origin`` are reflected there; no cell of the original then starts below it. Must be
        True for a law with a ``period``, which reflects at the upper end, too.

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
    """Return the kernel of values whose privacy level is unknown: the levels' kernels, weighted by their shares.

    It holds the probability of each cell of the noisy value, given each cell of the original.

    Parameters
    ----------
    channels
        The share, noise and lattice cells of each level.
    x_edges, w_edges
        Rising edges of the T cells of the original and the S cells of the noisy value, shapes (T + 1,) and (S + 1,).
    origin, reflected
        Where the lattice cells start, and whether noisy values below are reflected there, as for `level_kernel`.

    Returns
    -------
    Floats
        Shape (S, T); every column sums to 1.

    Raises
    ------
    ValueError
        When edges do not rise, the shares do not sum to 1, or a cell width is not positive.
    """
    kernel = np.zeros((len(w_edges) - 1, len(x_edges) - 1))
    for channel in select_used_channels(channels):
        kernel += channel.share * level_kernel(
            channel.law, x_edges, w_edges, cell_width=channel.cell_width, origin=origin, reflected=reflected
        )
    return kernel


def compute_cumulative(law: NoiseLaw, w: Floats, x: Floats, mirror: float | None = None) -> Floats:
    """Return P(W ≤ w | X = x) of the noisy value W, for all pairs of ``w`` and ``x`` after broadcasting.

    Noisy values below ``mirror`` are reflected there, so that the chance is 0 below it; None for no reflection, which a
    law with a ``period`` does not allow.
    """
    below = law.cumulative(w - x)
    if mirror is None:
        return below
    return np.clip(below - law.cumulative(2.0 * mirror - w - x), 0.0, 1.0)


def reflect_values(above: Floats, period: float | None) -> Floats:
    """Return noisy values after reflection at 0 and at half the period, the lower and the upper end.

    Values are counted from the lower end and may be negative: -3 becomes 3. With a ``period`` of 20 the upper end is
    10, and 12 becomes 8; results always lie below the upper end. None as ``period`` means that there is no upper end.
    """
    above = np.abs(above)
    if period is None:
        return above
    above = np.mod(above, period)
    return np.minimum(np.minimum(above, period - above), np.nextafter(period / 2, 0.0))


def chance_between(law: NoiseLaw, low: Floats, high: Floats, x: Floats, mirror: float | None = None) -> Floats:
    """Return P(low < W ≤ high | X = x) of the noisy value W, after broadcasting the arrays.

    Noisy values below ``mirror`` are reflected there (None for no reflection). No ``low`` may lie below it, and no
    ``high`` above the upper end of a law with a ``period``: beyond an end, chances would count twice.
    """
    chance = law.cumulative(high - x) - law.cumulative(low - x)
    if mirror is None:
        return chance
    return chance + (law.cumulative(2.0 * mirror - low - x) - law.cumulative(2.0 * mirror - high - x))


def lattice_edges(width: float, low: float, high: float, *, origin: float = 0.0) -> Floats:
    """Return the rising edges of the lattice cells that cover [low, high], at least one cell.

    Cells have the given width and begin at ``origin`` plus multiples of it.
    """
    first = math.floor((low - origin) / width)
    last = max(math.ceil((high - origin) / width), first + 1)
    return np.asarray(origin + width * np.arange(first, last + 1, dtype=np.float64))


def cell_counts(values: Floats, edges: Floats) -> Floats:
    """Return the number of values in each cell, float64, shape (S,).

    ``edges`` has shape (S + 1,); values beyond the edges count in the first or last cell.
    """
    return np.bincount(cells_of(values, edges), minlength=len(edges) - 1).astype(np.float64)


def cells_of(values: Floats, edges: Floats) -> Ints:
    """Return the index of each value's cell, int64, from 0 to S - 1; a value on an edge belongs to the cell above.

    ``edges`` has shape (S + 1,); values beyond the edges belong to the first or last cell.
    """
    return np.asarray(np.searchsorted(edges[1:-1], values, side="right"), dtype=np.int64)


def to_rising_edges(edges: Floats) -> Floats:
    """Return the edges as a float64 array; ValueError unless they are at least two finite, rising numbers."""
    values = np.asarray(edges, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2 or not np.all(np.isfinite(values)) or not np.all(np.diff(values) > 0):
        raise ValueError("cell edges must rise")
    return values


def select_used_channels(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Return the privacy levels with a positive share, in order.

    ValueError if a share is negative, the shares do not sum to 1, or a cell width is 0 or negative.
    """
    if any(channel.share < 0 for channel in channels) or abs(sum(channel.share for channel in channels) - 1.0) > 1e-9:
        raise ValueError("the shares of the levels must sum to 1")
    if any(channel.cell_width is not None and channel.cell_width <= 0 for channel in channels):
        raise ValueError("a lattice cell must have a positive width")
    return tuple(channel for channel in channels if channel.share > 0)


def _compute_noisy_cdf(law: NoiseLaw, x_edges: Floats, w: Floats, mirror: float | None = None) -> Floats:
    """Return P(W ≤ w | X uniform in a cell) of the noisy value W, for each w and each of the T cells of the original.

    Shape (len(w), T). Noisy values below ``mirror`` are reflected there, so that rows with w ≤ ``mirror`` are 0; None
    for no reflection.
    """
    steps = law.integral(w[:, None] - x_edges[None, :])
    below = (steps[:, :-1] - steps[:, 1:]) / np.diff(x_edges)
    if mirror is None:
        return below
    # Reflected, W is at most w where it was between w and the point as far below the mirror.
    return np.where((w > mirror)[:, None], below - _compute_noisy_cdf(law, x_edges, 2.0 * mirror - w), 0.0)
