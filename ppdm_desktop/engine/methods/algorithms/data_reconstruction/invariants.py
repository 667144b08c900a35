"""Checks chosen records and their copies before anything is released.

Replication alone is cosmetic: k copies of one record are one person. Every released cell must stand for k people of
the source, come from two different records and show two classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints

LEAST_RECORDS = 2
LEAST_CLASSES = 2


@dataclass(frozen=True)
class Audit:
    """The lowest counts over all released cells.

    Attributes
    ----------
    cells
        Released cells.
    least_rows
        Fewest released rows of a cell.
    least_people
        Fewest source people of a released cell.
    least_records
        Fewest different source records that a cell's rows are copies of.
    least_classes
        Fewest classes in a cell.
    short
        Cells that fail at least one of the rules.
    """

    cells: int
    least_rows: int
    least_people: int
    least_records: int
    least_classes: int
    short: int

    @property
    def passed(self) -> bool:
        """Whether there is a released cell and none fails a rule."""
        return self.cells > 0 and self.short == 0

    def detail(self) -> dict[str, int]:
        """Return the counts of the audit by name, for the report."""
        return {
            "cells": self.cells,
            "least_rows": self.least_rows,
            "least_people": self.least_people,
            "least_records": self.least_records,
            "least_classes": self.least_classes,
            "short": self.short,
        }


def audit(cell: Ints, record: Ints, classes: Ints, people: Ints, k: int) -> Audit:
    """Return the lowest numbers of rows, people, records and classes over all released cells.

    Parameters
    ----------
    cell
        int64, shape (released rows,): each row's cell, an index into ``people``.
    record
        int64, shape (released rows,): the source record each row is a copy of.
    classes
        int64, shape (released rows,): each row's class, -1 where missing (no class at all).
    people
        int64, shape (cells,): source people in each cell.
    k
        Rows and people a released cell needs.
    """
    rows = np.bincount(cell, minlength=len(people))
    released = np.flatnonzero(rows)
    records = _distinct(cell, record, len(people))
    kinds = _distinct(cell[classes >= 0], classes[classes >= 0], len(people))
    short = (rows < k) | (people < k) | (records < LEAST_RECORDS) | (kinds < LEAST_CLASSES)
    least = [int(counts[released].min()) if len(released) else 0 for counts in (rows, people, records, kinds)]
    return Audit(len(released), least[0], least[1], least[2], least[3], int(short[released].sum()))


def _distinct(cell: Ints, value: Ints, cells: int) -> Ints:
    """Return how many different values each cell holds."""
    if not len(cell):
        return np.zeros(cells, dtype=np.int64)
    values = int(value.max()) + 1
    pairs = np.unique(cell.astype(np.int64) * values + value)
    return np.bincount(pairs // values, minlength=cells).astype(np.int64)
