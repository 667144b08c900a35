"""The nested cells of phase 2, in whole steps of a column's grid (Liu et al. 2008, section 4).

The paper prints ``[l(k-1), l(k+2))`` for "twice the original size", which is three cells and
does not nest. Here the cells of every level are whole multiples of one finest width, doubled,
and all start half a step below the declared lowest value: they nest, and every edge lies half
a step off the grid, so that no grid value is ever on an edge. The lattice runs on beyond the
bounds, for noise leaves them. Everything is counted in whole numbers. Where noise is reflected, at zero or at both
ends, the cells start half a step below the lower one, so that no cell is cut in two by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints


def nearest_on_grid(steps: Floats) -> Ints:
    """Return the grid value nearest to each number (in steps), halves rounded up.

    This is also the finest cell of the number: cell edges are half a step off the grid.
    """
    below = np.floor(steps)
    # Not floor(steps + 0.5): just below a half the sum would round up to the next whole number.
    return np.asarray(below + (steps - below >= 0.5), dtype=np.int64)


@dataclass(frozen=True)
class Lattice:
    """The nested cells over one column, counted in steps of its grid.

    Attributes
    ----------
    first, last
        Grid values at the declared bounds, counted in steps from zero.
    finest
        Width of the finest cells, the ``h`` of the contract, in steps.
    """

    first: int
    last: int
    finest: int

    @classmethod
    def over(cls, first: int, last: int, most_intervals: float) -> Lattice:
        """Return the lattice over bounds; its finest cells are those of the level with most intervals.

        Raises
        ------
        ValueError
            When the bounds are empty or no interval is asked for.
        """
        if last <= first or not most_intervals >= 1:
            raise ValueError("a lattice needs bounds with a width and at least one interval")
        return cls(first, last, max(1, math.ceil((last - first) / most_intervals)))

    @property
    def span(self) -> int:
        """Width between the bounds, in steps."""
        return self.last - self.first

    def width(self, intervals: float, *, within: bool = False) -> int:
        """Return the cell width of a level, in steps: the finest, doubled until it is nearest to span / intervals.

        ``within`` asks for a cell that fits between the bounds as a whole.
        """
        doublings = round(math.log2(self.span / (intervals * self.finest)))
        width = self.finest << max(0, doublings)
        return width // 2 if within and width > self.span + 1 and width > self.finest else width

    def whole_cells(self, width: int) -> int:
        """Return the number of steps that whole cells of this width between the bounds cover; at least one cell."""
        return max((self.span + 1) // width, 1) * width

    def cells(self, width: int) -> int:
        """Return how many cells of this width are needed to cover the bounds."""
        return -(-(self.span + 1) // width)

    def cell_of(self, grid: Ints, width: int | Ints) -> Ints:
        """Return the number of the cell that holds each grid value.

        Cell 0 starts at the lower bound, earlier ones are negative.
        """
        return np.asarray((grid - self.first) // width)

    def start_of(self, grid: Ints, width: int | Ints) -> Ints:
        """Return the lowest grid value of the cell that contains each grid value."""
        return np.asarray(self.first + self.cell_of(grid, width) * width)

    @staticmethod
    def resample(start: Ints, width: Ints, draws: Ints) -> Ints:
        """Return a grid value from the cell of each record, uniform if the draws are.

        Parameters
        ----------
        start, width
            Lowest grid value and width of each record's own cell.
        draws
            Uniform whole numbers below a common multiple of all widths: since cells nest, the remainder is uniform in
            each.
        """
        return np.asarray(start + draws % width)

    def holds(self, released: Ints, perturbed: Floats, width: Ints) -> Bools:
        """Return for each record whether the released grid value lies in the cell of the perturbed value.

        Counted from the cell's edges, independently of ``cell_of`` (used to prove a run).
        """
        below = released - (released - self.first) % width
        return np.asarray((perturbed >= below - 0.5) & (perturbed < below + width - 0.5))
