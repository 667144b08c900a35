"""Redistributes reconstructed distributions over records, as learners of decision trees need them.

Agrawal & Srikant (2000, section 4): the perturbed values, sorted, fill the reconstructed cells in order. A record's
redistributed value is a guess that follows the distribution of its class, so a file redistributed by class may train
a learner but never test one: its values depend on the class to be predicted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import GRID, AnyInts, Floats, Ints
from ppdm_desktop.engine.noise.reconstruction import MOST, STOP, CellSystem, Noise, Reconstruction

Scope = Literal["global", "by-class"]


def redistributed_counts(shares: Floats, records: int) -> Ints:
    """Return the number of records for each cell, int64, shape (T,), summing to ``records``.

    The running total of the shares is rounded (half up; what lacks a half by rounding alone is a half), so that every
    cell is off by less than one record and every run of cells too.
    """
    reached = np.floor(records * (np.cumsum(shares) / float(np.sum(shares)) + GRID) + 0.5).astype(np.int64)
    reached[-1] = records
    return np.diff(np.concatenate(([0], reached)))


def redistribute_values(w: Floats, shares: Floats, x_edges: Floats) -> Floats:
    """Return for each record the midpoint of the cell that it is assigned to.

    Parameters
    ----------
    w
        Perturbed values, shape (n,); equal ones are taken in row order.
    shares
        Reconstructed shares of the cells, shape (T,).
    x_edges
        Edges of the cells, shape (T + 1,).

    Returns
    -------
    Floats
        Shape (n,): of two records the one with the larger perturbed value never gets the lower cell.
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
    stop: float = STOP,
    most: int = MOST,
) -> dict[int, Reconstruction]:
    """Return an estimate of the original distribution for each class of records, by class code.

    Parameters
    ----------
    classes
        Class code of each record, shape (n,).
    system
        The cells and kernels.

    Returns
    -------
    dict
        One reconstruction per class code that occurs.
    """
    by_class = {}
    for code in np.unique(classes).tolist():
        rows = np.flatnonzero(classes == code)
        levels = None if level_of is None else level_of[rows]
        by_class[int(code)] = system.reconstruct(w[rows], levels, stop=stop, most=most)
    return by_class


@dataclass(frozen=True)
class Redistributor:
    """Redistributes one perturbed column over all records or some of them.

    Agrawal & Srikant's three variants: *global*, ``redistribute("global")`` once over all records; *by class*,
    ``redistribute("by-class")`` once at the root; *local*, ``redistribute("by-class", rows)`` again at every node of
    the tree, with the node's records.

    Attributes
    ----------
    w
        Perturbed values, shape (n,), none missing.
    classes
        Class code of each record, shape (n,).
    system
        The cells and kernels of this column's noise.
    level_of
        Level of each record where it is known.
    """

    w: Floats
    classes: AnyInts
    system: CellSystem
    level_of: AnyInts | None = None
    stop: float = STOP
    most: int = MOST

    @classmethod
    def of(
        cls,
        w: Floats,
        classes: AnyInts,
        noise: Noise,
        x_edges: Floats,
        *,
        origin: float = 0.0,
        reflected: bool = False,
        level_of: AnyInts | None = None,
    ) -> Redistributor:
        """Return a redistributor for one column; parameters as for `CellSystem.of`."""
        system = CellSystem.of(noise, x_edges, origin=origin, known=level_of is not None, reflected=reflected)
        return cls(np.asarray(w, dtype=np.float64), classes, system, level_of)

    def redistribute(self, scope: Scope = "by-class", rows: Ints | None = None) -> Floats:
        """Return the redistributed values of the rows (all when None), in the order of ``rows``."""
        rows = np.arange(len(self.w)) if rows is None else rows
        redistributed = np.empty(len(rows))
        classes = self.classes[rows] if scope == "by-class" else np.zeros(len(rows), dtype=np.int64)
        for code in np.unique(classes).tolist():
            places = np.flatnonzero(classes == code)
            chosen = rows[places]
            levels = None if self.level_of is None else self.level_of[chosen]
            reconstruction = self.system.reconstruct(self.w[chosen], levels, stop=self.stop, most=self.most)
            redistributed[places] = redistribute_values(self.w[chosen], reconstruction.shares, self.system.x_edges)
        return redistributed
