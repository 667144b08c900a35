"""Finds nearest points among all points: roughly by a matrix product, then by measuring exactly.

With many columns a search tree visits most of its cells; measuring all distances is faster then, and exact.
"""

from __future__ import annotations

import os

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints, bound_smallest_values, find_nearest_pairs

TREE_COLUMNS = 10
"""Largest number of columns for which a search tree is as fast."""
_CELLS = 5_000_000
"""Number of rough distances in memory at once, 20 MB."""
_LEAST_OFF = 1e-9
"""Smallest assumed error of rough distances, for rounding if all distances are small."""


class NearPoints:
    """Points among which the nearest ones of given points are looked for.

    Parameters
    ----------
    points
        Standardised values, (points, columns).
    """

    def __init__(self, points: Floats) -> None:
        """Store the points, shape (points, columns), and bound the rounding error of distances in single precision."""
        self.points = points
        lengths = np.einsum("ij,ij->i", points, points)
        # One line for each column: a single point is put beside all of them in a third of the time.
        self._rough = np.vstack([points.T.astype(np.float32), lengths.astype(np.float32)])
        # What is added of products and squares in single precision is off by 2^-24 of them each time, and together
        # they are three times the longest square at the most.
        off = 2.0**-24 * (points.shape[1] + 4) * 3 * float(lengths.max(initial=0.0))
        self._off = np.float32(2.02 * off + _LEAST_OFF)

    def leave_out(self, places: Ints) -> None:
        """Ignore the points with these indexes from now on."""
        self._rough[-1, places] = np.inf

    def likely(self, places: Ints, count: int) -> tuple[Ints, Ints]:
        """Return pairs of points that include, for each of ``places``, its ``count`` nearest points and few others.

        Points that ``leave_out`` was called with are in no pair.

        Parameters
        ----------
        places
            Indexes of the points whose nearest points are wanted, none of them left out.
        count
            How many are wanted, including the point itself; at most the number of points that are not left out.

        Returns
        -------
        tuple of Ints and Ints
            Index into ``places``, rising, and index of a point, rising for equal ones of the first; both of shape
            (pairs,).
        """
        # |x|² - 2 xs: the squared distance but for the seed's own length.
        seeds = self._rough[:, places].T * np.float32(-2.0)
        seeds[:, -1] = 1.0
        # The product's own padding of zeros times infinity warns now and then; no result is made of it.
        with np.errstate(invalid="ignore"):
            rough = seeds @ self._rough
        rough[np.arange(len(places)), places] = -np.inf
        pairs: tuple[Ints, Ints] = np.divmod(
            np.flatnonzero(rough <= bound_smallest_values(rough, count) + self._off), len(self.points)
        )
        return pairs

    def apart(self, first: Ints, second: Ints) -> Floats:
        """Return the squared distance between the points ``first[i]`` and ``second[i]`` for each i."""
        between = self.points[second] - self.points[first]
        return np.asarray(np.einsum("ij,ij->i", between, between))

    def nearest(self, places: Ints, count: int) -> Ints:
        """Return the indexes of the ``count`` nearest points of each of ``places``, int64, shape (places, count).

        The point itself comes first, then the others by distance and index.

        Parameters
        ----------
        places
            Indexes of the points whose nearest points are wanted.
        count
            How many, including the point itself; at most the number of points that are not left out.
        """
        nearest = np.empty((len(places), count), dtype=np.int64)
        at_once = max(1, _CELLS // len(self.points))
        for first in range(0, len(places), at_once):
            progress.check()
            chunk = places[first : first + at_once]
            row, near = self.likely(chunk, count)
            apart = self.apart(chunk[row], near)
            apart[near == chunk[row]] = -1.0  # before its own duplicates
            nearest[first : first + at_once] = find_nearest_pairs(row, near, apart, len(chunk), count)
        return nearest


def count_search_workers() -> int:
    """Return the number of threads for one search: one less than the number of processors, but at least 1."""
    return max(1, (os.cpu_count() or 1) - 1)
