"""Cells: people with the same released quasi-identifiers, and what classes they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes


@dataclass(frozen=True, eq=False)
class Cells:
    """Records by cell.

    Attributes
    ----------
    ids
        int64, shape (records,): each record's cell, 0 .. count-1.
    people
        int64, shape (cells,): records in the cell.
    labels
        int64, shape (cells, classes): the same by class; a record without a class is in none.
    """

    ids: Ints
    people: Ints
    labels: Ints

    @classmethod
    def of(cls, codes: Sequence[Ints], classes: Ints, width: int) -> Cells:
        """Group records by equal codes.

        Parameters
        ----------
        codes
            One array a column, -1 where missing (a value of its own).
        classes, width
            Each record's class, -1 where missing, and how many classes there are.
        """
        found = classes_of_codes(codes, len(classes))
        known = classes >= 0
        counted = np.bincount(found.ids[known] * width + classes[known], minlength=found.count * width)
        return cls(found.ids, found.sizes, counted.reshape(found.count, width).astype(np.int64))

    @property
    def several(self) -> Bools:
        """Which cells hold at least two classes."""
        return np.asarray((self.labels > 0).sum(axis=1) >= 2)

    def usable(self, k: int) -> Bools:
        """Say which cells hold at least ``k`` people and two classes."""
        return np.asarray((self.people >= k) & self.several)
