"""Estimates the original distribution of a column from noisy values, and assigns estimated values to records.

Agrawal & Srikant (2000) update the estimate with each noisy value; on cells the same update is two products with the
kernel, the matrix of transition probabilities (Agrawal & Aggarwal 2001 showed that it is expectation maximisation). The
stopping rule is part of the estimate: further iterations fit the noise, and the distribution breaks up into spikes.

Learners of decision trees need a value for each record. For them, the noisy values, sorted, fill the reconstructed
cells in order (Agrawal & Srikant 2000, section 4). Such a redistributed value is a guess that follows the distribution
of the record's class, so a file redistributed by class may train a learner but never test one: its values depend on the
class to be predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import GRID, AnyInts, Floats, Ints
from ppdm_desktop.engine.noise.kernels import (
    Channel,
    NoiseLaw,
    cell_counts,
    lattice_edges,
    level_kernel,
    mixed_kernel,
    select_used_channels,
    to_rising_edges,
)

STOP = 0.0025
MOST = 500
_WIDEST = 400  # cells of the perturbed value that `default_edges` makes at most

Noise = NoiseLaw | Sequence[Channel]


@dataclass(frozen=True)
class Reconstruction:
    """An estimate of the original distribution.

    Attributes
    ----------
    shares
        Share of the records in each cell of the original, shape (T,); they sum to 1.
    iterations
        Number of updates.
    settled
        Whether the estimate came to rest before the largest number of updates was reached.
    unexplained
        Share of the noisy values that no original value can have led to (uniform noise only: the declared support is
        too small, or the noise was larger than said). They are left out.
    """

    shares: Floats
    iterations: int
    settled: bool
    unexplained: float = 0.0


def reconstruct(counts: Floats, kernel: Floats, *, stop: float = STOP, most: int = MOST) -> Reconstruction:
    """Return an estimate of the shares of the original's cells, from the counts of the noisy value's cells.

    The result has the shares, shape (T,), summing to 1, the number of updates, and whether the estimate came to rest.
    Starting from equal shares, each update is f ← f · Aᵀ(c / (A f)) / n, with the kernel A and the counts c, which sum
    to n, until the sum of the absolute changes of f by one update is below ``stop``.

    Counts in cells that no original can lead to (rows of the kernel that are all 0) are left out, also of n; the
    result's ``unexplained`` is their share of all counts.

    Parameters
    ----------
    counts
        Records in each cell of the noisy value, shape (S,).
    kernel
        Shape (S, T), columns summing to 1 (from `level_kernel` or `mixed_kernel`, or those of several levels stacked).
    stop
        Sum of absolute changes below which the estimate rests (Liu et al. section 4.1: 0.25 %).
    most
        Largest number of updates; if it is reached, the last estimate comes back with ``settled`` False.

    Raises
    ------
    ValueError
        When shapes do not fit, or no record is in a cell that the kernel can reach.
    """
    counts = np.asarray(counts, dtype=np.float64)
    rows, cells = kernel.shape
    if counts.shape != (rows,) or cells == 0:
        raise ValueError("counts and kernel must have the same number of cells")
    possible = kernel.sum(axis=1) > 0
    total = float(counts[possible].sum())
    if total <= 0:
        raise ValueError("there is no perturbed value to reconstruct from")
    unexplained = 1.0 - total / float(counts.sum())
    used = possible & (counts > 0)  # empty rows add nothing to an update
    weights, kernel = counts[used] / total, kernel[used]
    back = np.ascontiguousarray(kernel.T)
    shares = np.full(cells, 1.0 / cells)
    for iteration in range(1, most + 1):
        expected = np.maximum(kernel @ shares, np.finfo(np.float64).tiny)
        updated = shares * (back @ (weights / expected))
        updated /= updated.sum()
        change = float(np.abs(updated - shares).sum())
        shares = updated
        if change < stop:
            return Reconstruction(shares, iteration, True, unexplained)
    return Reconstruction(shares, most, False, unexplained)


@dataclass(frozen=True)
class CellSystem:
    """Cells and kernels that are computed once and used for many reconstructions from the same noise.

    Attributes
    ----------
    x_edges
        Edges of the original's cells, shape (T + 1,).
    edges
        Edges of the noisy value's cells: one array, or one for each privacy level if the levels of values are known.
    kernels
        One kernel for each entry of ``edges``, each with columns summing to 1.
    """

    x_edges: Floats
    edges: tuple[Floats, ...]
    kernels: tuple[Floats, ...]

    @classmethod
    def of(
        cls,
        noise: Noise,
        x_edges: Floats,
        *,
        w_edges: Floats | None = None,
        origin: float = 0.0,
        known: bool = False,
        reflected: bool = False,
    ) -> CellSystem:
        """Return the cells and kernels for one noise law or for the noise of several privacy levels.

        ``w_edges`` are the edges of the noisy value's cells, by default those of `default_edges`. ``known`` says
        whether each value comes with its level. If so, there are edges and a kernel for every level, otherwise one of
        each; a level whose lattice cells are at least as wide as the cells of ``w_edges`` on average then gets its
        lattice cells, because a released value reveals nothing but its lattice cell. ``origin`` is where all lattice
        cells start; with ``reflected``, noise is reflected there and no cell lies below. ValueError when edges do not
        rise or the shares of levels do not sum to 1.
        """
        x_edges = to_rising_edges(x_edges)
        channels = (Channel(1.0, noise),) if isinstance(noise, NoiseLaw) else tuple(noise)
        if w_edges is None:
            w_edges = default_edges(channels, x_edges, lowest=origin if reflected else None)
        w_edges = to_rising_edges(w_edges)
        if not known:
            mixed = mixed_kernel(channels, x_edges, w_edges, origin=origin, reflected=reflected)
            return cls(x_edges, (w_edges,), (mixed,))
        usual = float(np.mean(np.diff(w_edges)))
        edges, kernels = [], []
        for channel in channels:
            width = channel.cell_width
            values = w_edges
            if width is not None and width > usual * (1 - 1e-9):
                values = lattice_edges(width, float(w_edges[0]), float(w_edges[-1]), origin=origin)
            edges.append(values)
            kernels.append(
                level_kernel(channel.law, x_edges, values, cell_width=width, origin=origin, reflected=reflected)
            )
        return cls(x_edges, tuple(edges), tuple(kernels))

    def reconstruct(
        self, w: Floats, level_of: AnyInts | None = None, *, stop: float = STOP, most: int = MOST
    ) -> Reconstruction:
        """Return an estimate of the original distribution of the noisy values ``w``, as shares of the T original cells.

        ``level_of`` is the index from 0 of each value's privacy level, in the shape of ``w``; it may be None if the
        system has one set of cells. Values beyond the edges of the cells count in the first or last cell. The estimate
        stops when it changes by less than ``stop`` in total, or after ``most`` updates.

        Raises
        ------
        ValueError
            When there is no value, no original can have led to any of the values, or the levels of the values are
            missing or unknown.
        """
        if not len(w):
            raise ValueError("there is no perturbed value to reconstruct from")
        if level_of is None:
            if len(self.edges) > 1:
                raise ValueError("this system needs the level of every value")
            return reconstruct(cell_counts(w, self.edges[0]), self.kernels[0], stop=stop, most=most)
        if len(level_of) != len(w) or level_of.min() < 0 or level_of.max() >= len(self.edges):
            raise ValueError("every value needs a known level")
        counts, rows = [], []
        for level, (edges, kernel) in enumerate(zip(self.edges, self.kernels, strict=True)):
            chosen = w[level_of == level]
            if len(chosen):
                counts.append(cell_counts(chosen, edges))
                rows.append(kernel * (len(chosen) / len(w)))
        return reconstruct(np.concatenate(counts), np.concatenate(rows), stop=stop, most=most)


def default_edges(channels: Sequence[Channel], x_edges: Floats, *, lowest: float | None = None) -> Floats:
    """Return rising edges of cells for the noisy value, reaching two noise standard deviations beyond the original.

    The cells are as wide as the original's cells on average and start at multiples of this width from the original's
    lowest edge. If there would be more than about 400, they are 2, 3, ... times as wide. With ``lowest``, edges
    half a cell or more below it are left out. The standard deviation is the largest of any level with a positive share.
    """
    low, high = float(x_edges[0]), float(x_edges[-1])
    width = (high - low) / (len(x_edges) - 1)
    beyond = 2.0 * max(channel.law.sd for channel in select_used_channels(channels))
    width *= max(1.0, np.ceil((high - low + 2 * beyond) / (width * _WIDEST)))
    edges = lattice_edges(width, low - beyond, high + beyond, origin=low)
    return edges if lowest is None else edges[edges > lowest - 0.5 * width]


Scope = Literal["global", "by-class"]


def redistributed_counts(shares: Floats, records: int) -> Ints:
    """Return how many records are assigned to each cell, int64, shape (T,), summing to ``records``.

    The running total of the shares is rounded half up, so that the number in every run of neighbouring cells is off by
    less than one record: 3 records in two cells with equal shares are 2 and 1. A total that is just below a half
    because of a rounding error counts as a half.
    """
    reached = np.floor(records * (np.cumsum(shares) / float(np.sum(shares)) + GRID) + 0.5).astype(np.int64)
    reached[-1] = records
    return np.diff(np.concatenate(([0], reached)))


def redistribute_values(w: Floats, shares: Floats, x_edges: Floats) -> Floats:
    """Return for each record the midpoint of the cell that the reconstructed distribution assigns to it.

    Parameters
    ----------
    w
        Noisy values, shape (n,); equal ones are taken in row order.
    shares
        Reconstructed shares of the cells, shape (T,).
    x_edges
        Edges of the cells, shape (T + 1,).

    Returns
    -------
    Floats
        Float64, shape (n,), in the order of ``w``. A record with a larger noisy value never gets a lower cell than one
        with a smaller noisy value.
    """
    midpoints = (x_edges[:-1] + x_edges[1:]) / 2
    redistributed = np.empty(len(w))
    redistributed[np.argsort(w, kind="stable")] = np.repeat(midpoints, redistributed_counts(shares, len(w)))
    return redistributed


def reconstruct_by_class(
    w: Floats,
    classes: AnyInts,
    system: CellSystem,
    *,
    level_of: AnyInts | None = None,
) -> dict[int, Reconstruction]:
    """Return an estimate of the original distribution for each class of records, by class code.

    Parameters
    ----------
    w
        Noisy values, shape (n,), none missing.
    classes
        Class code of each record, shape (n,).
    system
        The cells and kernels.
    level_of
        Index of each value's privacy level, shape (n,); None if the system has one set of cells.

    Returns
    -------
    dict
        One reconstruction for each class code that occurs.

    Raises
    ------
    ValueError
        When the noise can explain no value of a class, or the levels of the values are missing or unknown.
    """
    by_class = {}
    for code in np.unique(classes).tolist():
        rows = np.flatnonzero(classes == code)
        levels = None if level_of is None else level_of[rows]
        by_class[int(code)] = system.reconstruct(w[rows], levels)
    return by_class


@dataclass(frozen=True)
class Redistributor:
    """Assigns estimated original values to the records of one noisy column, for all records or a part of them.

    Agrawal & Srikant's three variants: *global*, ``redistribute("global")`` once over all records; *by class*,
    ``redistribute("by-class")`` once at the root; *local*, ``redistribute("by-class", rows)`` again at every node of
    the tree, with the node's records.

    Attributes
    ----------
    w
        Noisy values, shape (n,), none missing.
    classes
        Class code of each record, shape (n,).
    system
        The cells and kernels of this column's noise.
    level_of
        Index of each record's privacy level where it is known; otherwise None.
    """

    w: Floats
    classes: AnyInts
    system: CellSystem
    level_of: AnyInts | None = None

    def redistribute(self, scope: Scope = "by-class", rows: Ints | None = None) -> Floats:
        """Return the estimated original values, float64, shape (rows,), in the order of ``rows`` (all rows if None).

        They are midpoints of the original's cells, as in `redistribute_values`. ``by-class`` reconstructs the
        distribution of each class from its members among ``rows``, ``global`` one distribution from all ``rows``. If
        ``rows`` is empty, so is the result. ValueError if the noise can explain no value of a class (or, ``global``, of
        all rows), or if the levels of the values are missing or unknown.
        """
        rows = np.arange(len(self.w)) if rows is None else rows
        redistributed = np.empty(len(rows))
        classes = self.classes[rows] if scope == "by-class" else np.zeros(len(rows), dtype=np.int64)
        for code in np.unique(classes).tolist():
            places = np.flatnonzero(classes == code)
            chosen = rows[places]
            levels = None if self.level_of is None else self.level_of[chosen]
            reconstruction = self.system.reconstruct(self.w[chosen], levels)
            redistributed[places] = redistribute_values(self.w[chosen], reconstruction.shares, self.system.x_edges)
        return redistributed
