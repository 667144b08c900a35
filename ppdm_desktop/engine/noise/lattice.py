"""The lattice cells of phase 2, nested over all privacy levels (Liu et al. 2008, section 4).

The paper prints ``[l(k-1), l(k+2))`` for "twice the original size", which is three cells and does not nest. Here all
cells start half a step below the lowest possible value, and their widths are one finest width or that width doubled
once or several times. So they nest, and every edge lies half a step off the column's grid, so that no grid value is
ever on an edge. The lattice continues beyond the bounds, because noise leaves them. Everything is counted in whole
steps of the grid. Where noise is reflected, at zero or at both ends, the cells start half a step below the lower end,
so that the end cuts no cell in two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints


def nearest_on_grid(steps: Floats) -> Ints:
    """Return the whole number nearest to each number (in steps of the grid), halves rounded up: 2.5 to 3, -2.5 to -2.

    The result is int64, in the shape of ``steps``. It is also the only grid value of the number's cell if cells are one
    step wide, because cell edges lie half a step off the grid.
    """
    below = np.floor(steps)
    # Not floor(steps + 0.5): just below a half the sum would round up to the next whole number.
    return np.asarray(below + (steps - below >= 0.5), dtype=np.int64)


@dataclass(frozen=True)
class Lattice:
    """The nested cells over the values of one column, counted in steps of its grid.

    Attributes
    ----------
    first, last
        The lowest and highest possible grid value, in steps from zero.
    finest
        Width of the finest cells, the ``h`` of the contract, in steps.
    """

    first: int
    last: int
    finest: int

    @classmethod
    def over(cls, first: int, last: int, most_intervals: float) -> Lattice:
        """Return the lattice between two bounds whose finest cells suit the largest number of intervals demanded.

        The finest cells are (last - first) / ``most_intervals`` steps wide, rounded up, at least 1: with bounds of 0
        and 100 and 8 intervals, 13 steps.

        Raises
        ------
        ValueError
            When the upper bound is not above the lower one, or less than one interval is demanded.
        """
        if last <= first or not most_intervals >= 1:
            raise ValueError("a lattice needs bounds with a width and at least one interval")
        return cls(first, last, max(1, math.ceil((last - first) / most_intervals)))

    @property
    def span(self) -> int:
        """Distance between the bounds, in steps."""
        return self.last - self.first

    def width(self, intervals: float, *, within: bool = False) -> int:
        """Return the cell width, in steps, for a privacy level that demands so many intervals.

        It is the finest width doubled as often as needed to come nearest to span / intervals, as a ratio. With a span
        of 100 and a finest width of 13, 4 intervals have 26 steps (100 / 4 = 25), and 8 or more have 13. With
        ``within``, a cell wider than the grid values between the bounds is halved once, but is not narrower than the
        finest: with bounds of 0 and 100, 1 interval has 52 steps instead of 104.
        """
        doublings = round(math.log2(self.span / (intervals * self.finest)))
        width = self.finest << max(0, doublings)
        return width // 2 if within and width > self.span + 1 and width > self.finest else width

    def whole_cells(self, width: int) -> int:
        """Return the largest multiple of a cell width that fits between the bounds, in steps; at least one width."""
        return max((self.span + 1) // width, 1) * width

    def cells(self, width: int) -> int:
        """Return how many cells of this width are needed to cover all values between the bounds."""
        return -(-(self.span + 1) // width)

    def cell_of(self, grid: Ints, width: int | Ints) -> Ints:
        """Return the number of the cell that contains each grid value, for cells of the given width.

        Cell 0 starts at the lower bound; cells below it have negative numbers.
        """
        return np.asarray((grid - self.first) // width)

    def start_of(self, grid: Ints, width: int | Ints) -> Ints:
        """Return the lowest grid value of the cell, of the given width, that contains each grid value."""
        return np.asarray(self.first + self.cell_of(grid, width) * width)

    @staticmethod
    def resample(start: Ints, width: Ints, draws: Ints) -> Ints:
        """Return for each record a grid value from its cell, uniformly distributed if ``draws`` is.

        Parameters
        ----------
        start, width
            Lowest grid value and width of each record's own cell.
        draws
            Whole numbers, uniform from 0 to below a common multiple of all widths, so that the remainder is uniform in
            each cell.
        """
        return np.asarray(start + draws % width)

    def holds(self, released: Ints, perturbed: Floats, width: Ints) -> Bools:
        """Return for each record whether its released grid value lies in the cell of its noisy value.

        It is computed from the cell's edges, independently of ``cell_of``, so that it can prove a run.
        """
        below = released - (released - self.first) % width
        return np.asarray((perturbed >= below - 0.5) & (perturbed < below + width - 0.5))
